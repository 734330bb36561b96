// Rules that write random text at random places, held to the laws of the engine.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "fixing/health.h"
#include "fixing_support.h"

using namespace ptofix;
using namespace ptofix::fixing;
using fixing_test::Rule;

namespace {

constexpr const char* kPieces[] = {
    "x = f(aa, bb)  # one\n",
    "for i in range(8):\n    y = g(aa)[i]\n    # inner\n    z = y + bb\n",
    "if aa:\n    pass\nelif bb: cc = 1\nelse:\n    cc = f(aa,  # why\n           bb)\n",
    "@dec(aa, k=1)\ndef h(a, b=bb):\n    '''aa\n  bb'''\n    return (a +\n            aa)\n",
    "s = f'{aa!r:>{bb}}' + \"bb\" 'cc'\n",
    "class K:\n\taa = 1\n\n\tdef m(self):\n\t\treturn aa \\\n\t\t\t+ bb\n",
    "t = (aa)if(bb)else(cc); u = not(aa)\n",
    "v = 1  # pto-fix: ignore[T1] kept\n",
    "w = aa b b\n",
};

constexpr const char* kTexts[] = {
    "",   "dd",   "(",          "dd)",  "'", "\"dd\"",    "# note",     "\n",    "aa, bb", "f(aa)", "dd\n", "pass",
    "if", "    ", "lambda: dd", "\\\n", "*", "return dd", ", k=1, k=2", "bb + ", "{dd}",   "中文",  "0x",   "not dd"};

Rule random_rule(std::mt19937& random, std::string_view id) {
    constexpr const char* kPatterns[] = {"aa", "bb", "cc", "(", "f(", "range", "    y", "# ", "pass", "def ", ":\n"};
    Rule rule;
    rule.id = id;
    rule.pattern = kPatterns[random() % std::size(kPatterns)];
    const std::string first = kTexts[random() % std::size(kTexts)], second = kTexts[random() % std::size(kTexts)];
    const std::uint32_t before = random() % 3, after = random() % 5, shape = random() % 4;
    const bool unsafe = random() % 3 == 0, removes = random() % 3 == 0, isolated = random() % 4 == 0;
    rule.make = [=](std::string_view text, text::Range place) {
        const auto size = static_cast<std::uint32_t>(text.size());
        const std::uint32_t start = place.start - std::min(place.start, before),
                            end = std::min(size, place.end + after);
        rules::Fix fix;
        switch (shape) {
            case 0:
                fix = fixing_test::edits({{place, first}});
                break;
            case 1:
                fix = fixing_test::edits({{{start, end}, first}});
                break;
            case 2:
                fix = fixing_test::edits({{{start, start}, first}, {{end, end}, second}});
                break;
            default:
                fix = fixing_test::edits({{{start, place.end}, first}, {{end, std::min(size, end + 2)}, second}});
        }
        fix.applicability = unsafe ? rules::Applicability::unsafe : rules::Applicability::safe;
        fix.removes_comments = removes;
        if (isolated) fix.isolation = "scope";
        return fix;
    };
    return rule;
}

std::vector<std::string> comments(const trace::SourceFile& file) {
    std::vector<std::string> found;
    for (syntax::NodeId id = 0; id < file.tree.nodes().size(); ++id) {
        if (file.tree.kind(id) == syntax::Kind::comment) found.emplace_back(file.text(id));
    }
    return found;
}

}  // namespace

TEST_CASE("whatever random rules write, the text that comes out is as sound as before and stays as it is") {
    std::mt19937 random(4711);
    for (int i = 0; i < 150; ++i) {
        std::string text = "import pypto\n";
        for (std::uint32_t n = 2 + random() % 5; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
        std::vector<Rule> rules;
        for (const std::string_view id : {"T1", "T2", "T3"}) rules.push_back(random_rule(random, id));
        Config config;
        config.ignored = {"PTO001"};
        FixOptions options;
        options.threshold = rules::Applicability::unsafe;
        INFO("case " << i << "\n" << text);

        const fixing_test::Run once = fixing_test::fix(rules, text, config, options);
        const auto before = fixing_test::parsed("a.py", text), after = fixing_test::parsed("a.py", once.text());
        const auto fault = worse(examine(before->text(), before->tree), examine(after->text(), after->tree));
        INFO(once.text());
        INFO(once.result.rounds << " rounds, " << name_of(once.result.stop));
        CHECK((fault ? name_of(*fault) : "") == "");
        std::uint32_t applied = 0;
        for (const auto& [rule, count] : once.result.applied) applied += count;
        CHECK((applied > 0 || once.result.files.empty()));

        // Suppressions are never lost.
        const auto directive = [](const std::string& c) { return holds_directive(c); };
        const auto old_comments = comments(*before), new_comments = comments(*after);
        CHECK(std::ranges::count_if(new_comments, directive) >= std::ranges::count_if(old_comments, directive));

        CHECK(fixing_test::fix(rules, once.text(), config, options).text() == once.text());
        std::ranges::shuffle(rules, random);
        CHECK(fixing_test::fix(rules, text, config, options).text() == once.text());
    }
}
