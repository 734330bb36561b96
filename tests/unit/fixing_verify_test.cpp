#include "fixing/verify.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "fixing/apply.h"
#include "fixing_support.h"

using namespace ptofix;
using namespace ptofix::fixing;

namespace {

/// What verification says when `what` in the text is replaced by `with`.
std::optional<Violation> replaced(const std::string& before, std::string_view what, std::string with,
                                  std::vector<AllowedLoss> allowed = {}) {
    const std::size_t at = before.find(what);
    REQUIRE(at != std::string::npos);
    const text::Range range{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + what.size())};
    for (AllowedLoss& loss : allowed) loss.range = range;
    const auto edits = text::Edits::make({{range, std::move(with)}}, before.size());
    REQUIRE(edits);
    const auto old_file = fixing_test::parsed("a.py", before);
    const auto new_file = fixing_test::parsed("a.py", edits->apply(before));
    const Health old_health = examine(old_file->text(), old_file->tree);
    const Health new_health = examine(new_file->text(), new_file->tree);
    return verify({old_file->text(), old_file->tree, old_health}, {new_file->text(), new_file->tree, new_health},
                  *edits, allowed);
}

std::string said(const std::optional<Violation>& violation) {
    return violation ? violation->what : "sound";
}

std::uint32_t count(const std::string& text, Fault fault) {
    const auto file = fixing_test::parsed("a.py", text);
    return examine(file->text(), file->tree).count(fault);
}

}  // namespace

TEST_CASE("a sound edit passes") {
    CHECK(said(replaced("def f(a):\n    return a\n", "return a", "b = a\n    return b")) == "sound");
}

TEST_CASE("an edit that leaves a syntax error is refused") {
    CHECK(said(replaced("x = f(1)\n", "f(1)", "f(1")) != "sound");
    CHECK(said(replaced("x = 1\n", "1", "1 2 3")) != "sound");
    CHECK(said(replaced("x = 'a'\n", "'a'", "'a")) != "sound");
}

TEST_CASE("an edit elsewhere in a file that does not parse passes") {
    CHECK(said(replaced("def f(:\n    x = 1\n\ndef g(a):\n    return 1\n", "return 1", "return 2")) == "sound");
}

TEST_CASE("an error that moves from broken code into what was written is refused") {
    // The count of errors stays one.
    CHECK(said(replaced("x = (1\ny = 2\n", "(1\ny = 2", "3\ny = (2")) != "sound");
}

TEST_CASE("a block without a statement is refused, with a comment in it too") {
    CHECK(said(replaced("if x:\n    y = 1\nz = 2\n", "    y = 1\n", "")) == "an empty block");
    CHECK(said(replaced("def f():\n    y = 1\n", "y = 1", "# y")) == "an empty block");
    CHECK(said(replaced("if x:\n    y = 1\n", "y = 1", "pass")) == "sound");
}

TEST_CASE("a statement beside its block's column is refused") {
    CHECK(said(replaced("for i in r:\n    a = 1\n    b = 2\n", "    b", "  b")) == "inconsistent indentation");
    CHECK(said(replaced("if x:\n    a = 1\nb = 2\n", "b = 2", " b = 2")) != "sound");
    CHECK(said(replaced("if x:\n    if y:\n        a = 1\n", "        a = 1", "\ta = 1")) ==
          "inconsistent indentation");
    CHECK(said(replaced("if x:\n    a = 1\n", "a = 1", "a = 1\n    b = 2")) == "sound");
}

TEST_CASE("a multi-line string and a bracket may hang left of their block") {
    CHECK(count("def f():\n    a = '''\nx\n'''\n    b = [\n1,\n]\n    return a\n", Fault::indentation) == 0);
    CHECK(count("def f():\n\ta = 1\n\tif a:\n\t\tb = 2\n\telse:\n\t\tc = 3\n", Fault::indentation) == 0);
    CHECK(count("x = 1; y = 2\nif x: y = 3; z = 4\n", Fault::indentation) == 0);
}

TEST_CASE("a keyword that runs into a name is refused") {
    CHECK(said(replaced("if(a): b = 1\n", "(a)", "a")) == "tokens run together: 'ifa'");
    CHECK(said(replaced("x = not(y)\n", "(y)", "y")) == "tokens run together: 'noty'");
    CHECK(said(replaced("def f(x):\n    return(x)\n", "(x)\n", "x\n")) != "sound");
    CHECK(said(replaced("x = a in[b]\n", "[b]", "b")) != "sound");
    CHECK(said(replaced("x = a + b\n", " + ", "")) == "tokens run together: 'ab'");
    CHECK(said(replaced("x = a * b\n", " b", "* b")) == "tokens run together: '**'");
    CHECK(said(replaced("x = f('a')\n", "f(", "f")) != "sound");
}

TEST_CASE("code that falls into a comment is refused") {
    CHECK(said(replaced("x = 1  # one\ny = 2\n", "\n", "; z = 3\n")) != "sound");
}

TEST_CASE("an edit inside a token is that token's own matter") {
    CHECK(said(replaced("name_1 = 2\n", "_1", "_2")) == "sound");
    CHECK(said(replaced("x = 'abc'\n", "b", "")) == "sound");
}

TEST_CASE("a comment that is gone is refused, one that moved is not") {
    CHECK(said(replaced("f(1,  # one\n  2)\n", "1,  # one\n  2", "1, 2")) == "the comment '# one' is gone");
    CHECK(said(replaced("f(1,  # one\n  2)\n", "f(1,  # one\n  2)", "# one\nf(1, 2)")) == "sound");
    CHECK(said(replaced("f(1,  # one\n  2)\n", "1,  # one\n  2", "1, 2", {{{}, false}})) == "sound");
}

TEST_CASE("of two comments with the same words both have to stay") {
    CHECK(said(replaced("f(1,  # n\n  2,  # n\n  3)\n", "1,  # n\n  2,", "1, 2,")) == "the comment '# n' is gone");
}

TEST_CASE("a suppression comment may not go even where comments may") {
    const std::string text = "f(1,  # pto-fix: ignore[PTO201]\n  2)\n";
    CHECK(said(replaced(text, "1,  # pto-fix: ignore[PTO201]\n  2", "1, 2", {{{}, false}})) ==
          "a suppression comment is gone");
    CHECK(said(replaced(text, "1,  # pto-fix: ignore[PTO201]\n  2", "1, 2", {{{}, true}})) == "sound");
}

TEST_CASE("what Python refuses and the grammar reads is refused") {
    CHECK(said(replaced("f(a, b=1)\n", "b=1", "b=1, c")) == "a positional argument after a keyword argument");
    CHECK(said(replaced("f(a=1)\n", "a=1", "a=1, a=2")) == "a repeated keyword argument");
    CHECK(said(replaced("for i in r:\n    break\n", "for i in r", "if r")) != "sound");
    CHECK(said(replaced("from __future__ import annotations\n", "from", "import os\nfrom")) ==
          "a __future__ import that is not the first statement");
    CHECK(said(replaced("'''doc'''\nfrom __future__ import annotations\n", "from", "# c\nfrom")) == "sound");
    CHECK(said(replaced("x = f'{a}'\n", "{a}", "{a['k']}")) == "an f-string that not every Python reads");
    CHECK(said(replaced("x = f'{a}'\n", "{a}", "{a[\"k\"]}")) == "sound");
    CHECK(said(replaced("x = f'{a}'\n", "{a}", "{lambda: a}")) != "sound");
    CHECK(said(replaced("x = f'{a}'\n", "{a}", "{(lambda: a)()}")) == "sound");
    CHECK(said(replaced("x = f(*a, b=1)\n", "b=1", "b=1, *c, **d")) == "sound");
}

TEST_CASE("a signature stays one that Python accepts") {
    CHECK(said(replaced("def f(a, b): pass\n", "b", "a")) == "a repeated parameter");
    CHECK(said(replaced("def f(a, *b): pass\n", "*b", "*a")) == "a repeated parameter");
    CHECK(said(replaced("def f(a, b): pass\n", "a", "a: int = 1")) ==
          "a parameter without a default after one with it");
    CHECK(said(replaced("def f(a, *, b): pass\n", "a", "a=1")) == "sound");
    CHECK(said(replaced("def f(a, *b, c): pass\n", "a", "a=1")) == "sound");
    CHECK(said(replaced("def f(a, *b: int, c): pass\n", "a", "a=1")) == "sound");
    CHECK(said(replaced("x = y\n", "y", "y: int")) == "an annotation inside an assignment");
}

TEST_CASE("lines end where Python wants them and nowhere else") {
    CHECK(said(replaced("for i in r:\n    pass\n", "in r", "in\nr")) == "a line break inside a statement");
    CHECK(said(replaced("x = a + b\n", "+ b", "+\n    b")) == "a line break inside a statement");
    CHECK(said(replaced("x = a + b\n", "+ b", "+ \\\n    b")) == "sound");
    CHECK(said(replaced("x = f(a)\n", "a", "a,\n  b")) == "sound");
    CHECK(said(replaced("x = f(a)\ny = 1\n", "\ny", " pass\ny")) != "sound");
    CHECK(said(replaced("x = f(a)\ny = 1\n", "\ny", "; pass\ny")) == "sound");
    CHECK(said(replaced("x = f'{a}'\n", "{a}", "{a\n}")) == "an unterminated string");
    CHECK(said(replaced("x = f(a)\n", "f(a)", "f(a)\\")) == "a backslash at the end of the file");
    CHECK(count("x = '''a\nb'''\ny = 'a\\\nb'\nz = (1 +  # c\n  2)\n", Fault::line_break) == 0);
    CHECK(count("x = '''a\nb'''\ny = 'a\\\r\nb'\r\n", Fault::unbalanced_strings) == 0);
}

TEST_CASE("a star stands only in a list of arguments or items") {
    CHECK(said(replaced("x = a + b\n", "b", "*b")) == "a starred expression where none may be");
    CHECK(said(replaced("f(x)\n", "f(x)", "*x")) == "a starred expression where none may be");
    CHECK(said(replaced("f(x)\n", "x", "*x, **y")) == "sound");
    CHECK(said(replaced("x = a, b\n", "a", "*a")) == "sound");
    CHECK(said(replaced("f(x)\n", "f(x)", "print x")) == "a statement of Python 2");
}

TEST_CASE("the first lines keep what works only there") {
    CHECK(said(replaced("#!/usr/bin/env python3\nx = 1\n", "#!", "import os\n#!")) != "sound");
    CHECK(said(replaced("#!/usr/bin/env python3\nx = 1\n", "x = 1", "import os\nx = 1")) == "sound");
    CHECK(said(replaced("# -*- coding: utf-8 -*-\nx = 1\n", "# -*-", "import os\nimport re\n# -*-")) != "sound");
    CHECK(said(replaced("\xEF\xBB\xBFx = 1\n", "\xEF\xBB\xBF", "y = 2\n\xEF\xBB\xBF")) != "sound");
    CHECK(said(replaced("\xEF\xBB\xBFx = 1\n", "x", "y = 2\nx")) == "sound");
}

TEST_CASE("a mark of the byte order is a character like another behind the start") {
    const std::string mark = "\xEF\xBB\xBF";
    for (const std::string start : {"# a", "#", "# ab", "", "#!a"}) {
        const std::string before = (start.empty() ? "" : start + mark + "b\n") + "x = 1\n";
        CHECK(said(replaced(before, "1", "2")) == "sound");
        CHECK(said(replaced(mark + before, "1", "2")) == "sound");
    }
    CHECK(said(replaced(mark + "x = 1\n", mark, "")) != "sound");
    CHECK(said(replaced("x = 1\n", "x", mark + "x")) != "sound");
}

TEST_CASE("every count is zero in ordinary Python") {
    const std::string text =
        "#!/usr/bin/env python3\n'''doc'''\nfrom __future__ import annotations\nimport os\n\n\n"
        "@dec(a, b=1)\nclass A(B, metaclass=M):\n    x: int = 1\n\n    def f(self, *a, k=1, **kw):\n"
        "        while True:\n            try:\n                break\n            except E as e: continue\n"
        "            else:\n                pass\n            finally:\n                x = f\"{a!r:>{k}} {kw['k']}\"\n"
        "        with open(a) as f, g(): return lambda x: (yield)\n"
        "\nmatch x:\n    case [1, *_] if y:\n        pass\n    case _: pass\n"
        "async def g():\n    async for i in r:\n        if i: continue\n        elif j:\n            pass\n";
    const auto file = fixing_test::parsed("a.py", text);
    const Health health = examine(file->text(), file->tree);
    for (std::size_t i = 0; i < health.counts.size(); ++i) {
        INFO(name_of(static_cast<Fault>(i)) << " at " << health.first[i]);
        CHECK(health.counts[i] == 0);
    }
}

TEST_CASE("a re-parse after edits gives the tree of a full parse") {
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += "def f" + std::to_string(i) + "(a):\n    for i in range(3):\n        a = g(a, i)\n    return a\n";
    syntax::Parser parser;
    auto tree = parser.parse(text, true);
    REQUIRE(tree);
    std::uint32_t seed = 7;
    const auto random = [&](std::uint32_t below) { return (seed = seed * 1664525U + 1013904223U) / 65536U % below; };
    for (int round = 0; round < 60; ++round) {
        std::vector<text::Edit> wanted;
        std::uint32_t at = 0;
        while (wanted.size() < 4 && at + 40 < text.size()) {
            at += random(static_cast<std::uint32_t>(text.size()) / 5);
            if (at + 3 >= text.size()) break;
            constexpr const char* kTexts[] = {"", "x", "\n", "    ", "(", ")", "'", "# c\n", "b = 1\n"};
            wanted.push_back({{at, at + random(3)}, kTexts[random(9)]});
            at += 4;
        }
        const auto edits = text::Edits::make(wanted, text.size());
        REQUIRE(edits);
        std::vector<syntax::TextChange> changes;
        for (const text::Edit& e : edits->items()) {
            changes.push_back({e.range, static_cast<std::uint32_t>(e.text.size())});
        }
        const std::string next = edits->apply(text);
        auto again = parser.reparse(*tree, text, changes, next);
        const auto full = parser.parse(next, true);
        REQUIRE(again);
        REQUIRE(full);
        // Recovery from errors may differ; what parses cleanly must not.
        if (full->error_count() == 0) {
            REQUIRE(again->error_count() == 0);
            REQUIRE(again->nodes().size() == full->nodes().size());
        }
        text = next;
        tree = std::move(again);
    }
}
