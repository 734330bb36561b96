#include "fixing/fix_all.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <random>
#include <string>

#include "fixing_support.h"

using namespace ptofix;
using namespace ptofix::fixing;
using fixing_test::edits;
using fixing_test::fix;
using fixing_test::fix_files;
using fixing_test::replacing;
using fixing_test::Rule;
using fixing_test::Run;
using rules::Applicability;
using rules::Severity;

namespace {

std::string lines(int count, const std::string& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line;
    return text;
}

std::size_t occurrences(std::string_view text, std::string_view word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

std::size_t remaining(const Run& run) {
    return run.result.remaining.at(0).findings.size();
}

/// "old(" ... ")" to "new(" ... ")" with everything in between rewritten by the fix: nested ones overlap.
Rule wrapped() {
    return {"T100", "old(", [](std::string_view text, text::Range place) {
                std::uint32_t end = place.end, depth = 1;
                for (; depth > 0; ++end) depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
                const std::string inner(text.substr(place.end, end - 1 - place.end));
                return edits({{{place.start, end}, "new(" + inner + ")"}});
            }};
}

}  // namespace

TEST_CASE("nested findings whose fixes overlap are all fixed in one run") {
    const Run run = fix({wrapped()}, "x = old(old(old(1)) + old(2))\n");
    CHECK(run.text() == "x = new(new(new(1)) + new(2))\n");
    CHECK(run.result.applied.at("T100") == 4);
    CHECK(run.result.stop == StopReason::no_more_fixes);
    CHECK(remaining(run) == 0);
}

TEST_CASE("a thousand fixes that exclude each other converge") {
    Rule rule{"T100", "old", [](std::string_view, text::Range place) {
                  rules::Fix made = edits({{place, "new"}});
                  made.isolation = "scope";
                  return made;
              }};
    const Run run = fix({rule}, lines(1000, "x = old\n"));
    CHECK(run.text() == lines(1000, "x = new\n"));
    CHECK(run.result.rounds == 1000);
    CHECK(run.result.stop == StopReason::no_more_fixes);
}

TEST_CASE("five thousand findings in one file are fixed in one round") {
    const Run run = fix({{"T100", "old", replacing("newer")}}, lines(5000, "x = f(old, 1)\n"));
    CHECK(run.text() == lines(5000, "x = f(newer, 1)\n"));
    CHECK(run.result.rounds == 1);
    CHECK(run.result.applied.at("T100") == 5000);
}

TEST_CASE("two rules that undo each other are both named, the text is stable and other fixes are made") {
    const std::vector<Rule> rules = {
        {"T100", "ping", replacing("pong")}, {"T200", "pong", replacing("ping")}, {"T300", "old", replacing("new")}};
    const Run run = fix(rules, "a = ping\nb = old\n");
    // The first round fixed both lines; from there on only the first line goes to and fro.
    CHECK(run.text() == "a = pong\nb = new\n");
    CHECK(run.result.stop == StopReason::cycle);
    CHECK(run.result.stop_rules == std::vector<std::string_view>{"T100", "T200"});
    CHECK(run.result.applied == std::map<std::string_view, std::uint32_t>{{"T100", 1}, {"T300", 1}});
    CHECK(fix(rules, "a = ping\n").text() == "a = ping\n");
    CHECK(fix(rules, run.text()).text() == run.text());
}

TEST_CASE("a cycle of three rules is named, and what led into it is kept") {
    const std::vector<Rule> rules = {{"T100", "one", replacing("two")},
                                     {"T200", "two", replacing("three")},
                                     {"T300", "three", replacing("one")},
                                     {"T400", "start", replacing("one")}};
    const Run run = fix(rules, "a = start\n");
    CHECK(run.text() == "a = one\n");
    CHECK(run.result.stop == StopReason::cycle);
    CHECK(run.result.stop_rules == std::vector<std::string_view>{"T100", "T200", "T300"});
    CHECK(fix(rules, run.text()).text() == run.text());
}

TEST_CASE("a cycle in one file does not keep another from its fixes") {
    const auto rules = fixing_test::pipeline(
        {{"T100", "ping", replacing("pong")}, {"T200", "pong", replacing("ping")}, {"T300", "old(", wrapped().make}});
    const Run run = fix_files(rules, {{"a.py", "# pypto\na = ping\n"}, {"b.py", "# pypto\nb = old(old(old(1)))\n"}});
    CHECK(run.texts.at("a.py") == "# pypto\na = ping\n");
    CHECK(run.texts.at("b.py") == "# pypto\nb = new(new(new(1)))\n");
    CHECK(run.result.stop == StopReason::cycle);
}

TEST_CASE("a rule whose fix makes more findings each round is stopped by the growth guard, named, and taken back") {
    const std::vector<Rule> rules = {{"T100", "grow", replacing("grow + grow")}, {"T300", "old", replacing("new")}};
    const Run run = fix(rules, "a = grow\nb = old\n");
    CHECK(run.result.stop == StopReason::growth);
    CHECK(run.result.stop_rules == std::vector<std::string_view>{"T100"});
    CHECK(run.text() == "a = grow\nb = new\n");
    CHECK(run.result.applied == std::map<std::string_view, std::uint32_t>{{"T300", 1}});
}

TEST_CASE("a fix that multiplies its findings is stopped before it fills the memory") {
    std::string many = "grow";
    for (int i = 0; i < 99; ++i) many += " + grow";
    const Run run = fix({{"T100", "grow", replacing(many)}}, "a = grow\n");
    CHECK(run.result.stop == StopReason::growth);
    CHECK(run.text() == "a = grow\n");
}

TEST_CASE("a rule that adds one finding a round for ever is stopped by the limit of rounds and taken back") {
    const std::vector<Rule> rules = {{"T100", "more", replacing("f(more)")}, {"T300", "old", replacing("new")}};
    const Run run = fix(rules, "a = more\nb = old\n");
    CHECK(run.result.stop == StopReason::round_limit);
    CHECK(run.result.stop_rules == std::vector<std::string_view>{"T100"});
    CHECK(run.text() == "a = more\nb = new\n");
}

TEST_CASE("each stop reason has a name for the summary") {
    CHECK(name_of(StopReason::no_more_fixes) == "no_more_fixes");
    CHECK(name_of(StopReason::cycle) == "cycle");
    CHECK(name_of(StopReason::growth) == "growth");
    CHECK(name_of(StopReason::round_limit) == "round_limit");
}

TEST_CASE("adjacent removals in one list are made in one round") {
    std::vector<Rule> rules;
    for (const std::string_view id : {"Ta", "Tb", "Tc", "Td"}) {
        rules.push_back({id, std::string(1, id[1]) + "_item, ", replacing("")});
    }
    const Run run = fix(rules, "x = [a_item, b_item, c_item, d_item, e]\n");
    CHECK(run.text() == "x = [e]\n");
    CHECK(run.result.rounds == 1);
}

TEST_CASE("many fixes on one line and fixes that change the number of lines land where they belong") {
    const std::vector<Rule> rules = {{"T100", "aa", replacing("a")},
                                     {"T200", "bb", replacing("(b,\n '中😀')")},
                                     {"T300", "c\n", replacing("c  # c\n")}};
    CHECK(fix(rules, "x = [aa, bb, aa, bb, c, aa]; y = aa + bb + c\nz = bb\n").text() ==
          "x = [a, (b,\n '中😀'), a, (b,\n '中😀'), c, a]; y = a + (b,\n '中😀') + c  # c\nz = (b,\n '中😀')\n");
}

TEST_CASE("fixing the fixed text changes nothing") {
    const std::vector<Rule> rules = {wrapped(), {"T200", "aa", replacing("b")}, {"T300", "bb", replacing("c")}};
    const std::string once = fix(rules, "x = old(aaaa + old(aa))\ny = aaaaaaaa\n").text();
    const Run again = fix(rules, once);
    CHECK(again.text() == once);
    CHECK(again.result.rounds == 0);
    CHECK(again.result.files.empty());
}

TEST_CASE("findings before are those fixed and those left") {
    const std::vector<Rule> rules = {{"T100", "old", replacing("new")}, {"T200", "bare", {}}};
    const Run run = fix(rules, "a = old\nb = bare\nc = old\nd = bare\n");
    CHECK(run.result.applied.at("T100") == 2);
    CHECK(remaining(run) == 2);
}

TEST_CASE("a bad rule alone leaves the file untouched and is named") {
    const Run run = fix({{"T100", "old", replacing("new(")}}, "x = old\n");
    CHECK(run.text() == "x = old\n");
    CHECK(run.result.files.empty());
    REQUIRE(run.result.errors.size() == 1);
    CHECK(run.result.errors[0].rule == "T100");
    CHECK(run.result.errors[0].path == fixing_test::kPath);
    CHECK(run.result.errors[0].detail.find("its fix would leave") == 0);
    CHECK(run.result.applied.empty());
    CHECK(remaining(run) == 1);
}

TEST_CASE("a bad fix among good ones is left out alone, wherever it stands") {
    for (int bad = 0; bad < 9; ++bad) {
        std::string text, expected;
        for (int i = 0; i < 9; ++i) {
            text += i == bad ? "x = rotten\n" : "x = old\n";
            expected += i == bad ? "x = rotten\n" : "x = new\n";
        }
        const Run run = fix({{"T100", "rotten", replacing("'")}, {"T200", "old", replacing("new")}}, text);
        CHECK(run.text() == expected);
        REQUIRE(run.result.errors.size() == 1);
        CHECK(run.result.errors[0].rule == "T100");
        CHECK(run.result.applied == std::map<std::string_view, std::uint32_t>{{"T200", 8}});
    }
}

TEST_CASE("several bad fixes are each found, and their places follow the text") {
    const std::vector<Rule> rules = {{"T100", "rotten", replacing("if")}, wrapped()};
    Rule renamed = wrapped();
    renamed.id = "T200";
    const Run run = fix({rules[0], renamed}, "a = old(old(1))\nb = rotten\nc = old(old(rotten))\n");
    CHECK(run.text() == "a = new(new(1))\nb = rotten\nc = new(new(rotten))\n");
    REQUIRE(run.result.errors.size() == 2);
    const std::string whole = "# pypto\n" + run.text();
    for (const InternalError& error : run.result.errors) {
        CHECK(error.rule == "T100");
        CHECK(whole.substr(error.range.start, error.range.size()) == "rotten");
    }
}

TEST_CASE("a fix with edits that overlap each other is rejected, not applied, and named") {
    Rule hostile{"T100", "old", [](std::string_view, text::Range place) {
                     return edits({{place, "a"}, {{place.start + 1, place.end + 1}, "b"}});
                 }};
    const Run run = fix({hostile, {"T200", "aa", replacing("b")}}, "x = old + aa\n");
    CHECK(run.text() == "x = old + b\n");
    REQUIRE(run.result.errors.size() == 1);
    CHECK(run.result.errors[0].rule == "T100");
}

TEST_CASE("a fix beyond the text, one that is reversed and one of no file are rejected") {
    const auto error = [](fixing_test::MakeFix make) {
        const Run run = fix({{"T100", "old", make}}, "x = old\n");
        CHECK(run.text() == "x = old\n");
        REQUIRE(run.result.errors.size() == 1);
        return run.result.errors[0].detail;
    };
    CHECK(error([](std::string_view, text::Range) { return edits({{{5, 900}, "a"}}); }).find("900") !=
          std::string::npos);
    CHECK_FALSE(error([](std::string_view, text::Range) { return edits({{{5, 2}, "a"}}); }).empty());
    CHECK_FALSE(error([](std::string_view, text::Range place) {
                    rules::Fix made = edits({{place, "a"}});
                    made.edits[0].file = 7;
                    return made;
                }).empty());
}

TEST_CASE("a fix that changes nothing is a fault of its rule and no endless loop") {
    const Run run = fix({{"T100", "old", replacing("old")}}, "x = old\n");
    CHECK(run.result.rounds == 0);
    REQUIRE(run.result.errors.size() == 1);
    CHECK(run.result.stop == StopReason::no_more_fixes);
}

TEST_CASE("what is not written as UTF-8 or holds a NUL is never applied") {
    CHECK(fix({{"T100", "old", replacing("'\xFF'")}}, "x = old\n").text() == "x = old\n");
    CHECK(fix({{"T100", "old", replacing(std::string("'\0'", 3))}}, "x = old\n").text() == "x = old\n");
}

TEST_CASE("in a file that does not parse only what is sound is fixed") {
    const Run run = fix({{"T100", "old", replacing("new")}},
                        "def f(a):\n    x = (old +\n    y = old\n\ndef g(b):\n    z = old\n    return b\n");
    CHECK(run.text() == "def f(a):\n    x = (old +\n    y = old\n\ndef g(b):\n    z = new\n    return b\n");
    CHECK(run.result.errors.empty());
    CHECK(remaining(run) == 0);
}

TEST_CASE("a fix that reaches into broken code is held back") {
    Rule rule{"T100", "old", [](std::string_view text, text::Range place) {
                  const auto broken = static_cast<std::uint32_t>(text.find("b c"));
                  return edits({{place, "new"}, {{broken, broken + 1}, "d"}});
              }};
    const Run run = fix({rule}, "x = old\ny = a b c\n");
    CHECK(run.text() == "x = old\ny = a b c\n");
    REQUIRE(remaining(run) == 1);
    const rules::Rewrite& rewrite = run.result.remaining[0].findings[0].rewrite;
    CHECK(rewrite.fix->applicability == Applicability::suggestion);
    REQUIRE(rewrite.blocked);
    CHECK(rewrite.blocked->reason.id == "blocked.syntax_error");
}

TEST_CASE("nothing is fixed on the line of an error that stands between two statements") {
    for (const std::string line : {"x = f(old)lambda   y = old\n", "x = f(old) ) y = old\n", "x = old $ y = old\n"}) {
        const std::string text = "def f(a):\n    " + line + "\ndef g(b):\n    return old\n";
        const Run run = fix({{"T100", "old", replacing("new")}}, text);
        INFO(text);
        CHECK(run.text() == "def f(a):\n    " + line + "\ndef g(b):\n    return new\n");
        CHECK(run.result.errors.empty());
    }
}

TEST_CASE("a fix that is refused in a file that does not parse is held back and no fault of its rule") {
    const Run run = fix({{"T100", "old", replacing("(")}}, "x = a b\ny = old\n");
    CHECK(run.text() == "x = a b\ny = old\n");
    CHECK(run.result.errors.empty());
    REQUIRE(remaining(run) == 1);
    const rules::Rewrite& rewrite = run.result.remaining[0].findings[0].rewrite;
    CHECK(rewrite.fix->applicability == Applicability::suggestion);
    REQUIRE(rewrite.blocked);
    CHECK(rewrite.blocked->reason.id == "blocked.syntax_error");
}

TEST_CASE("a fix that carries along what Python refuses is held back and no fault of its rule") {
    // Each of these faults is doubled by the fix, and each was there before.
    for (const std::string faulty : {"def f(old, old): pass", "f(old=1, old=2)", "def f(old=1, b): pass", "f(old=1, b)",
                                     "old = b: int", "break  # old", "print old"}) {
        const std::string text = "import x\n" + faulty + "\n";
        const Run run = fix({{"T100", "import x", replacing("import x\n" + faulty)}}, text);
        INFO(text);
        CHECK(run.text() == text);
        CHECK(run.result.errors.empty());
    }
}

TEST_CASE("a continuation line that the grammar takes for an error does not block fixes elsewhere") {
    const std::string text = "def f(a):\n    x = a + \\\n  1\n    y = old\n    return y\n\nz = old\n";
    CHECK(occurrences(fix({{"T100", "old", replacing("new")}}, text).text(), "new") >= 1);
}

TEST_CASE("unsafe fixes wait for the asking, suggestions are never written") {
    const std::vector<Rule> rules = {{"T100", "old", replacing("new", Applicability::unsafe)},
                                     {"T200", "aa", replacing("b", Applicability::suggestion)}};
    CHECK(fix(rules, "x = old + aa\n").text() == "x = old + aa\n");
    FixOptions unsafe;
    unsafe.threshold = Applicability::unsafe;
    CHECK(fix(rules, "x = old + aa\n", {}, unsafe).text() == "x = new + aa\n");
    FixOptions all;
    all.threshold = Applicability::suggestion;
    CHECK(fix(rules, "x = old + aa\n", {}, all).text() == "x = new + aa\n");
}

TEST_CASE("the fix of an info finding is written when its rule is selected in full") {
    const std::vector<Rule> rules = {{"T100", "old", replacing("new"), Severity::info, 0, "old-to-new"}};
    const auto with = [&](std::vector<std::string> selected) {
        Config config;
        config.selected = std::move(selected);
        return fix(rules, "x = old\n", config).text();
    };
    CHECK(with({}) == "x = old\n");
    CHECK(with({"T1"}) == "x = old\n");
    CHECK(with({"T100"}) == "x = new\n");
    CHECK(with({"t100"}) == "x = new\n");
    CHECK(with({"old-to-new"}) == "x = new\n");
}

TEST_CASE("a chooser takes the alternatives it names and leaves the others") {
    auto rules = fixing_test::pipeline({{"T100", "old", replacing("new")}});
    rules.rules[1].rewriters[0] = [](const rules::Finding& finding, const trace::Trace&, const rewrites::Settings&) {
        rules::Rewrite rewrite;
        rewrite.fix = edits({{finding.location.range, "first"}});
        rewrite.alternatives.push_back(edits({{finding.location.range, "second"}}));
        return rewrite;
    };
    FixOptions options;
    int asked = 0;
    options.choose = [&](const Diagnosis& diagnosis, const Analysis&) -> std::optional<std::size_t> {
        ++asked;
        if (diagnosis.finding.location.range.start < 14) return 1;
        return diagnosis.finding.location.range.start < 26 ? std::nullopt : std::optional<std::size_t>(0);
    };
    const Run run = fix_files(rules, {{"a.py", "# pypto\nx = old\ny = old\nz = old\n"}}, {}, options);
    CHECK(run.text() == "# pypto\nx = second\ny = old\nz = first\n");
    CHECK(asked >= 3);
}

TEST_CASE("insertions follow the line breaks of the file") {
    const Rule rule{"T100", "old", [](std::string_view text, text::Range place) {
                        const auto start = static_cast<std::uint32_t>(text.rfind('\n', place.start) + 1);
                        return edits({{{start, start}, "a = 1\nb = 2\n"}, {place, "new"}});
                    }};
    CHECK(fix({rule}, "# pypto\r\nx = old\r\ny = 1\r\n").text() == "# pypto\r\na = 1\r\nb = 2\r\nx = new\r\ny = 1\r\n");
    CHECK(fix({rule}, "# pypto\nx = old\ny = 1\n").text() == "# pypto\na = 1\nb = 2\nx = new\ny = 1\n");
    // In a mixed file the neighbour decides, and no other line changes.
    CHECK(fix({rule}, "# pypto\nx = old\r\ny = 1\nz = 1\n").text() ==
          "# pypto\na = 1\r\nb = 2\r\nx = new\r\ny = 1\nz = 1\n");
}

TEST_CASE("the last byte stays as it is") {
    CHECK(fix({{"T100", "old", replacing("new")}}, "# pypto\nx = old").text() == "# pypto\nx = new");
    CHECK(fix({{"T100", "old", replacing("new")}}, "x = old; import pypto; y = 'a' 'b'").text() ==
          "x = new; import pypto; y = 'a' 'b'");
}

TEST_CASE("text at the start of the first line goes behind the byte order mark, and one mark comes out") {
    const Rule rule{"T100", "old", [](std::string_view, text::Range place) {
                        return edits({{{0, 0}, "import math\n"}, {place, "new"}});
                    }};
    const Run run = fix({rule}, "\xEF\xBB\xBFx = old  # pypto\n");
    CHECK(run.text() == "\xEF\xBB\xBFimport math\nx = new  # pypto\n");
}

TEST_CASE("a file in another encoding is fixed, what it cannot hold is not") {
    // "# coding: gbk", a comment in it
    const std::string text = "# coding: gbk\n# \xD6\xD0\xCE\xC4 pypto\nx = old\n";
    const Run run = fix({{"T100", "old", replacing("'中'")}}, text);
    REQUIRE(run.result.files.size() == 1);
    const auto bytes = run.result.files[0].original->encode(run.result.files[0].text);
    REQUIRE(bytes);
    CHECK(*bytes == "# coding: gbk\n# \xD6\xD0\xCE\xC4 pypto\nx = '\xD6\xD0'\n");
    const Run refused =
        fix({{"T100", "old", replacing("'\xF0\x9F\x98\x80'")}}, "# coding: latin-1\n# pypto\nx = old\n");
    CHECK(refused.result.files.empty());
    CHECK(refused.result.errors.size() == 1);
}

TEST_CASE("a suppressed finding is not fixed and its comment stays") {
    const std::string text = "x = old  # pto-fix: ignore[T100] for a reason\ny = old\n";
    const Run run = fix({{"T100", "old", replacing("new")}}, text);
    CHECK(run.text() == "x = old  # pto-fix: ignore[T100] for a reason\ny = new\n");
    REQUIRE(run.result.remaining[0].suppressed.size() == 1);
    CHECK(run.result.remaining[0].suppressed[0].suppression->reason == "for a reason");
}

TEST_CASE("a fix that would take a suppression away is held back") {
    const Rule rule{"T100", "old", [](std::string_view text, text::Range place) {
                        const auto end = static_cast<std::uint32_t>(text.find('\n', place.end));
                        rules::Fix made = edits({{{place.start, end}, "new"}});
                        made.removes_comments = true;
                        return made;
                    }};
    const Run run = fix({rule, {"T200", "zz", {}}}, "x = old  # pto-fix: ignore[T200]\nx = old  # note\n");
    CHECK(run.text() == "x = old  # pto-fix: ignore[T200]\nx = new\n");
}

TEST_CASE("a safe fix that changes what an f-string shows of its code becomes unsafe") {
    const Rule rule{"T100", "old", [](std::string_view, text::Range place) { return edits({{place, "new"}}); }};
    for (const std::string text : {"f'{old=}'\n", "f'{ a + old = !r:>{width}}'\n", "f'{x:{old=}}'\n",
                                   "f'{[f(a=old)]=}'\n", "f\"{f'{old}'=}\"\n", "f'''{\na + old\n=}'''\n"}) {
        INFO(text);
        const Run run = fix({rule}, text);
        CHECK(run.text() == text);
        const rules::Rewrite& rewrite = run.result.remaining[0].findings.at(0).rewrite;
        CHECK(rewrite.fix->applicability == Applicability::unsafe);
        CHECK(rewrite.blocked->reason.id == "blocked.shown_code");
        CHECK(rewrite.blocked->location);
    }
    for (const std::string text : {"f'{old}'\n", "f'{old!r:>9}'\n", "f'{f(a=old)}'\n", "f'{old == a}'\n",
                                   "f'{x=:{old}}'\n", "f'{a <= old}{b=}'\n", "old = f'{x=}'\n", "f'old={x=}'\n"}) {
        INFO(text);
        std::string fixed = text;
        fixed.replace(fixed.find("old"), 3, "new");
        CHECK(fix({rule}, text).text() == fixed);
    }
}

TEST_CASE("an f-string that a fix moves as it is shows the same") {
    const auto replaced_by = [](const std::string& with) {
        return Rule{"T100", "old(", [with](std::string_view text, text::Range place) {
                        const auto end = static_cast<std::uint32_t>(text.find('\n', place.end));
                        return edits({{{place.start, end}, with}});
                    }};
    };
    const std::string text = "old(f'{x = }')\n";
    CHECK(fix({replaced_by("new(1, f'{x = }')")}, text).text() == "new(1, f'{x = }')\n");
    CHECK(fix({replaced_by("new(1, f'{y = }')")}, text).text() == text);
    CHECK(fix({replaced_by("new(1)")}, text).text() == text);
}

TEST_CASE("a safe fix that loses a comment becomes unsafe and says where the comment is") {
    const Rule rule{"T100", "old(", [](std::string_view text, text::Range place) {
                        const auto end = static_cast<std::uint32_t>(text.find(')', place.end) + 1);
                        return edits({{{place.start, end}, "new(1, 2)"}});
                    }};
    const std::string text = "x = old(1,  # one\n  2)\n";
    const Run run = fix({rule}, text);
    CHECK(run.text() == text);
    const rules::Rewrite& rewrite = run.result.remaining[0].findings.at(0).rewrite;
    CHECK(rewrite.fix->applicability == Applicability::unsafe);
    CHECK(rewrite.blocked->reason.id == "blocked.comments_inside");
    FixOptions unsafe;
    unsafe.threshold = Applicability::unsafe;
    CHECK(fix({rule}, text, {}, unsafe).text() == "x = new(1, 2)\n");
}

TEST_CASE("the order of rules and files makes no difference") {
    std::vector<Rule> rules = {wrapped(),
                               {"T200", "aa", replacing("b")},
                               {"T300", "ab", replacing("cc")},
                               {"T400", "c", replacing("d(a)")},
                               {"T500", "rotten", replacing(")")}};
    std::string text;
    std::mt19937 random(11);
    constexpr const char* kPieces[] = {"old(aab)", "aa", "aab", "rotten", "old(old(1) + aa)", "b"};
    for (int i = 0; i < 25; ++i) text += "x = " + std::string(kPieces[random() % 6]) + "\n";
    const std::string expected = fix(rules, text).text();
    for (int i = 0; i < 100; ++i) {
        std::shuffle(rules.begin(), rules.end(), random);
        REQUIRE(fix(rules, text).text() == expected);
    }
}

TEST_CASE("a fix that edits two files edits both or none") {
    auto rules = fixing_test::pipeline({{"T100", "limit", {}}});
    rules.rules[1].rewriters.push_back([](const rules::Finding& finding, const trace::Trace& trace,
                                          const rewrites::Settings&) {
        rules::Rewrite rewrite;
        if (trace.files.size() < 2) return rewrite;
        const std::string_view other = trace.files[1]->text();
        const auto at = static_cast<std::uint32_t>(other.find("128"));
        rewrite.fix = edits({{finding.location.range, "bound"}});
        rewrite.fix->edits.push_back({1, {at, at + 3}, other.find("rotten") == std::string_view::npos ? "64" : "64("});
        return rewrite;
    });
    const std::string kernel = "# pypto\nimport sizes\nx = limit\n";
    SECTION("both given") {
        const Run run = fix_files(rules, {{"kernel.py", kernel}, {"sizes.py", "SIZE = 128\n"}});
        CHECK(run.texts.at("kernel.py") == "# pypto\nimport sizes\nx = bound\n");
        CHECK(run.texts.at("sizes.py") == "SIZE = 64\n");
        CHECK(run.result.files.size() == 2);
    }
    SECTION("the other may be edited though it is no input") {
        trace::Project project;
        project.set_overlay("sizes.py", fixing_test::source("sizes.py", "SIZE = 128\n"));
        const std::vector<std::shared_ptr<const text::Source>> inputs = {fixing_test::source("kernel.py", kernel)};
        FixOptions options;
        options.also_editable = {"./sizes.py"};
        const FixResult result = fix_all(project, inputs, {}, options, rules);
        REQUIRE(result.files.size() == 2);
        CHECK(result.files[1].text == "SIZE = 64\n");
    }
    SECTION("the other is not given: nothing is edited and the reason names it") {
        trace::Project project;
        project.set_overlay("sizes.py", fixing_test::source("sizes.py", "SIZE = 128\n"));
        const std::vector<std::shared_ptr<const text::Source>> inputs = {fixing_test::source("kernel.py", kernel)};
        const FixResult result = fix_all(project, inputs, {}, {}, rules);
        CHECK(result.files.empty());
        const auto& blocked = result.remaining.at(0).findings.at(0).rewrite.blocked;
        REQUIRE(blocked);
        CHECK(blocked->reason.id == "blocked.file_not_given");
        CHECK(std::get<std::string>(*blocked->reason.data.find("path")).ends_with("sizes.py"));
    }
    SECTION("it breaks the other: neither is edited") {
        const Run run = fix_files(rules, {{"kernel.py", kernel}, {"sizes.py", "SIZE = 128  # rotten\n"}});
        CHECK(run.result.files.empty());
        CHECK(run.result.errors.size() == 1);
    }
}

TEST_CASE("two kernels that share a constant change it once") {
    auto rules = fixing_test::pipeline({{"T100", "limit", {}}});
    rules.rules[1].rewriters.push_back([](const rules::Finding&, const trace::Trace& trace, const rewrites::Settings&) {
        rules::Rewrite rewrite;
        const auto at = static_cast<std::uint32_t>(trace.files[1]->text().find("128"));
        if (at < trace.files[1]->text().size()) {
            rewrite.fix.emplace();
            rewrite.fix->edits.push_back({1, {at, at + 3}, "64"});
        }
        return rewrite;
    });
    const std::string kernel = "# pypto\nimport sizes\nx = limit\n";
    const Run run = fix_files(rules, {{"a.py", kernel}, {"b.py", kernel}, {"sizes.py", "SIZE = 128\n"}});
    CHECK(run.texts.at("sizes.py") == "SIZE = 64\n");
    CHECK(run.result.files.size() == 1);
    CHECK(run.result.applied.at("T100") == 2);
}

TEST_CASE("one file given by two paths is fixed once") {
    const auto rules = fixing_test::pipeline({{"T100", "old", replacing("old_er")}});
    trace::Project project;
    const std::vector<std::shared_ptr<const text::Source>> inputs = {
        fixing_test::source("a.py", "# pypto\nx = bold\n"), fixing_test::source("./a.py", "# pypto\nx = bold\n")};
    Config config;
    const FixResult result =
        fix_all(project, inputs, config, {}, fixing_test::pipeline({{"T100", "bold", replacing("new")}}));
    REQUIRE(result.files.size() == 1);
    CHECK(result.remaining.size() == 1);
}

TEST_CASE("files that do not name pypto are left alone") {
    const Run run = fix_files(fixing_test::pipeline({{"T100", "old", replacing("new")}}), {{"a.py", "x = old\n"}});
    CHECK(run.result.files.empty());
    CHECK(run.result.remaining[0].outcome == Analysis::Outcome::not_pypto);
}

TEST_CASE("an unknown or idle suppression is removed when asked for, its prose stays") {
    Config config;
    config.selected = {"PTO001", "T100"};
    FixOptions unsafe;
    unsafe.threshold = Applicability::unsafe;
    const std::vector<Rule> rules = {{"T100", "old", {}}};
    const auto fixed = [&](std::string text) { return fix(rules, std::move(text), config, unsafe).text(); };
    CHECK(fixed("x = 1  # pto-fix: ignore[T100]\n") == "x = 1\n");
    CHECK(fixed("x = 1  # pto-fix: ignore[T100] for speed\n") == "x = 1  # for speed\n");
    CHECK(fixed("x = old  # pto-fix: ignore[T100, T999] for speed\n") ==
          "x = old  # pto-fix: ignore[T100] for speed\n");
    CHECK(fixed("x = old  # pto-fix: ignore[T999, T100]\n") == "x = old  # pto-fix: ignore[T100]\n");
    CHECK(fixed("x = 1  # noqa  # pto-fix: ignore[T100]\n") == "x = 1  # noqa\n");
    CHECK(fixed("a = 1\n# pto-fix: ignore[T100]\nx = 1\n") == "a = 1\nx = 1\n");
    CHECK(fixed("x = 1  # pto-fix: ignore[T998, T999]\n") == "x = 1\n");
    CHECK(fixed("x = old  # pto-fix: ignore[T100]\n") == "x = old  # pto-fix: ignore[T100]\n");
}
