#include "fixing/suppressions.h"

#include <catch2/catch.hpp>
#include <string>

#include "fixing_support.h"

using namespace ptofix;
using namespace ptofix::fixing;

namespace {

const Pipeline& rules() {
    static const Pipeline made =
        fixing_test::pipeline({{"T201", "", {}, rules::Severity::warning, 0, "python-loop"}, {"T202", "", {}}});
    return made;
}

struct Read {
    std::shared_ptr<const trace::SourceFile> file;
    Suppressions suppressions;
    explicit Read(std::string text)
        : file(fixing_test::parsed("a.py", std::move(text))), suppressions(file->text(), file->tree, rules()) {}

    bool silences(std::string_view rule, std::string_view place) const {
        const auto at = static_cast<std::uint32_t>(file->text().find(place));
        REQUIRE(at < file->text().size());
        return suppressions.find(rule, {at, at + static_cast<std::uint32_t>(place.size())}, file->tree, file->lines) !=
               nullptr;
    }
};

}  // namespace

TEST_CASE("a comment on the line silences the rule it names and no other") {
    const Read read("x = loop()  # pto-fix: ignore[T201] measured: fine\ny = loop2()\n");
    CHECK(read.silences("T201", "loop()"));
    CHECK_FALSE(read.silences("T202", "loop()"));
    CHECK_FALSE(read.silences("T201", "loop2()"));
    CHECK(read.suppressions.items()[0].reason == "measured: fine");
}

TEST_CASE("a comment at the end of a cell is not of the next one") {
    const std::string comment = "# pto-fix: ignore[T201] of this cell\n";
    for (const std::string border : {"# %% cell 2\n", "# %%%% cell 2\n", "# %%\n", "# more\n# %% cell 2\n# more\n"}) {
        CAPTURE(border);
        CHECK_FALSE(Read(comment + border + "x = 1\n").silences("T201", "x = 1"));
        CHECK(Read(border + comment + "x = 1\n").silences("T201", "x = 1"));
    }
}

TEST_CASE("several rules, by id and by name, in any spacing") {
    const Read read("x = 1  #pto-fix:ignore[ T202 ,python-loop ]--why not\n");
    CHECK(read.silences("T201", "x = 1"));
    CHECK(read.silences("T202", "x = 1"));
    CHECK(read.suppressions.items()[0].reason == "why not");
}

TEST_CASE("punctuation of full width is as good as any") {
    for (const std::string comment : {"# pto-fix：ignore[T201, T202] 原因", "# pto-fix: ignore［T201，T202］原因",
                                      "#\u3000pto-fix\u3000：\u3000ignore【T201、T202】：原因",
                                      "# pto-fix：ignore[\u3000T201\u3000，T202】-- 原因"}) {
        CAPTURE(comment);
        const Read read("x = 1  " + comment + "\n");
        CHECK(read.silences("T201", "x = 1"));
        CHECK(read.silences("T202", "x = 1"));
        CHECK(read.suppressions.malformed().empty());
        CHECK(read.suppressions.items()[0].reason == "原因");
    }
    CHECK(Read("# pto-fix：ignore-file［T201］\nx = 1\n").silences("T201", "x = 1"));
    using Why = MalformedSuppression::Why;
    CHECK(Read("x = 1  # pto-fix：ignore T201\n").suppressions.malformed()[0].why == Why::no_brackets);
    CHECK(Read("x = 1  # pto-fix：ignore［T201\n").suppressions.malformed()[0].why == Why::unclosed_bracket);
    CHECK(Read("x = 1  # pto-fix：ignore［，］\n").suppressions.malformed()[0].why == Why::no_rule);
    CHECK(Read("# 见 pto-fix：它会发现\n# pto-fix 会发现：这个\n").suppressions.malformed().empty());
}

TEST_CASE("a comment alone on the line above silences the statement below, other comments between them or not") {
    CHECK(Read("# pto-fix: ignore[T201]\nx = 1\n").silences("T201", "x = 1"));
    CHECK(Read("# pto-fix: ignore[T201]\n# because\nx = 1\n").silences("T201", "x = 1"));
    CHECK_FALSE(Read("# pto-fix: ignore[T201]\n\nx = 1\n").silences("T201", "x = 1"));
    CHECK_FALSE(Read("y = 2  # pto-fix: ignore[T201]\nx = 1\n").silences("T201", "x = 1"));
    CHECK_FALSE(Read("x = 1\n# pto-fix: ignore[T201]\n").silences("T201", "x = 1"));
}

TEST_CASE("any line of a statement's header counts, its body does not") {
    const std::string text =
        "def f(a):\n    for i in loop(\n        0,  # pto-fix: ignore[T201]\n        8,\n    ):\n        b = g(i)\n";
    const Read read(text);
    CHECK(read.silences("T201", "for i"));
    CHECK(read.silences("T201", "loop"));
    CHECK(read.silences("T201", "8,"));
    CHECK_FALSE(read.silences("T201", "g(i)"));
    CHECK_FALSE(Read("for i in loop():\n    g()  # pto-fix: ignore[T201]\n").silences("T201", "for i"));
}

TEST_CASE("the first and the last line of a long call silence all of it") {
    CHECK(Read("x = f(  # pto-fix: ignore[T201]\n    1,\n    2,\n)\n").silences("T201", "2,"));
    CHECK(Read("x = f(\n    1,\n    2,\n)  # pto-fix: ignore[T201]\n").silences("T201", "1,"));
    CHECK(Read("x = f(\n    1,\n    # pto-fix: ignore[T201]\n    2,\n)\n").silences("T201", "2,"));
}

TEST_CASE("a finding in a multi-line string is silenced behind the string") {
    CHECK(Read("x = f('''\nloop\n''')  # pto-fix: ignore[T201]\n").silences("T201", "loop"));
    CHECK(Read("x = a + \\\n    loop  # pto-fix: ignore[T201]\n").silences("T201", "a +"));
}

TEST_CASE("decorators belong to the header of what they decorate") {
    CHECK(Read("@jit  # pto-fix: ignore[T201]\ndef f(a):\n    pass\n").silences("T201", "def f"));
    CHECK(Read("# pto-fix: ignore[T201]\n@jit\ndef f(a):\n    pass\n").silences("T201", "f(a)"));
    CHECK_FALSE(Read("@jit  # pto-fix: ignore[T201]\ndef f(a):\n    pass\n").silences("T201", "pass"));
}

TEST_CASE("an elif has a header of its own") {
    const Read read("if a:  # pto-fix: ignore[T201]\n    b()\nelif c:\n    d()\n");
    CHECK(read.silences("T201", "if a"));
    CHECK_FALSE(read.silences("T201", "elif c"));
}

TEST_CASE("the whole file is silenced from anywhere in it") {
    const Read read("x = 1\n\n# pto-fix: ignore-file[T201] generated\n");
    CHECK(read.silences("T201", "x = 1"));
    CHECK_FALSE(read.silences("T202", "x = 1"));
}

TEST_CASE("text in a string is no directive") {
    const Read read("x = '# pto-fix: ignore[T201]'\ny = '''\n# pto-fix: ignore-file[T201]\n'''\n");
    CHECK(read.suppressions.items().empty());
    CHECK(read.suppressions.malformed().empty());
}

TEST_CASE("a directive may follow another comment on its line") {
    CHECK(Read("x = 1  # noqa: E501  # pto-fix: ignore[T201]\n").silences("T201", "x = 1"));
    const Read two("x = 1  # pto-fix: ignore[T201] a # pto-fix: ignore[T202] b\n");
    CHECK(two.silences("T202", "x = 1"));
    CHECK(two.suppressions.items()[0].reason == "a");
    CHECK(two.suppressions.items()[1].reason == "b");
}

TEST_CASE("prose that mentions the tool is no directive") {
    const Read read("# see pto-fix: it finds this\n# pto-fix finds this\n# https://x/pto-fix:ignore\n");
    CHECK(read.suppressions.items().empty());
    CHECK(read.suppressions.malformed().empty());
}

TEST_CASE("a directive that cannot be read silences nothing and is kept as malformed") {
    using Why = MalformedSuppression::Why;
    const auto why = [](std::string comment) {
        const Read read("x = 1  # pto-fix: " + comment + "\n");
        CHECK_FALSE(read.silences("T201", "x = 1"));
        REQUIRE(read.suppressions.malformed().size() == 1);
        return read.suppressions.malformed()[0].why;
    };
    CHECK(why("ignore") == Why::no_brackets);
    CHECK(why("ignore T201") == Why::no_brackets);
    CHECK(why("ignore[]") == Why::no_rule);
    CHECK(why("ignore[ , ]") == Why::no_rule);
    CHECK(why("ignore[T201") == Why::unclosed_bracket);
    CHECK(why("ignor[T201]") == Why::unknown_verb);
    CHECK(why("disable=T201") == Why::unknown_verb);
    CHECK(why("ignore[T999]") == Why::unknown_rule);
}

TEST_CASE("an unknown rule beside a known one is malformed alone") {
    const Read read("x = 1  # pto-fix: ignore[T201, T2x]\n");
    CHECK(read.silences("T201", "x = 1"));
    REQUIRE(read.suppressions.malformed().size() == 1);
    const text::Range at = read.suppressions.malformed()[0].range;
    CHECK(read.file->text().substr(at.start, at.size()) == "T2x");
}

TEST_CASE("directives work behind a byte order mark and with carriage returns") {
    CHECK(Read("\xEF\xBB\xBF# pto-fix: ignore[T201]\r\nx = 1\r\n").silences("T201", "x = 1"));
    const Read read("x = 1  # pto-fix: ignore[T201] 原因\r\n");
    CHECK(read.silences("T201", "x = 1"));
    CHECK(read.suppressions.items()[0].reason == "原因");
}
