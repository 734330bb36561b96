#include "fixing/merge.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace ptofix;
using namespace ptofix::fixing;

namespace {

Candidate candidate(std::string_view rule, std::vector<text::Edit> edits, std::string_view isolation = {},
                    int priority = 0) {
    Candidate made;
    made.rule = rule;
    made.isolation = isolation;
    made.priority = priority;
    for (text::Edit& edit : edits) made.edits.push_back({0, std::move(edit)});
    return made;
}

struct Outcome {
    std::string text;
    std::vector<std::string_view> rules;  // accepted
    std::size_t deferred;
};

Outcome merge_into(std::string_view text, const std::vector<Candidate>& candidates) {
    const std::string_view texts[] = {text};
    const Merged merged = merge(candidates, texts);
    Outcome outcome;
    auto by_file = edits_of(candidates, merged.accepted);
    auto edits = text::Edits::make(std::move(by_file[0]), text.size());
    REQUIRE(edits);
    outcome.text = edits->apply(text);
    for (const std::size_t i : merged.accepted) outcome.rules.push_back(candidates[i].rule);
    outcome.deferred = merged.deferred.size();
    return outcome;
}

}  // namespace

TEST_CASE("four removals that touch each other are all applied") {
    const auto outcome =
        merge_into("[a, b, c, d]", {candidate("A", {{{1, 4}, ""}}), candidate("B", {{{4, 7}, ""}}),
                                    candidate("C", {{{7, 10}, ""}}), candidate("D", {{{10, 11}, ""}})});
    CHECK(outcome.text == "[]");
    CHECK(outcome.deferred == 0);
}

TEST_CASE("of two fixes that share a byte the one that starts first is taken") {
    const auto outcome = merge_into("abcdef", {candidate("A", {{{2, 4}, "X"}}), candidate("B", {{{0, 3}, "Y"}})});
    CHECK(outcome.text == "Ydef");
    CHECK(outcome.rules == std::vector<std::string_view>{"B"});
    CHECK(outcome.deferred == 1);
}

TEST_CASE("of two fixes that start together the longer one is taken, at equal length the lower rule id") {
    CHECK(merge_into("abcdef", {candidate("A", {{{0, 2}, "X"}}), candidate("B", {{{0, 4}, "Y"}})}).text == "Yef");
    CHECK(merge_into("abcdef", {candidate("B", {{{0, 2}, "X"}}), candidate("A", {{{0, 2}, "Y"}})}).text == "Ycdef");
}

TEST_CASE("priority comes before position") {
    CHECK(merge_into("abcdef", {candidate("A", {{{0, 3}, "X"}}), candidate("B", {{{2, 4}, "Y"}}, {}, -1)}).text ==
          "abYef");
}

TEST_CASE("an insertion inside a replaced range overlaps it, one at either end does not") {
    CHECK(merge_into("abcdef", {candidate("A", {{{1, 4}, "X"}}), candidate("B", {{{2, 2}, "-"}})}).deferred == 1);
    CHECK(merge_into("abcdef", {candidate("A", {{{1, 4}, "X"}}), candidate("B", {{{1, 1}, "-"}})}).text == "a-Xef");
    CHECK(merge_into("abcdef", {candidate("A", {{{1, 4}, "X"}}), candidate("B", {{{4, 4}, "-"}})}).text == "aX-ef");
}

TEST_CASE("the same fix from two findings is applied once and both count as applied") {
    const auto outcome = merge_into("[128]", {candidate("A", {{{1, 4}, "64"}}), candidate("B", {{{1, 4}, "64"}})});
    CHECK(outcome.text == "[64]");
    CHECK(outcome.rules.size() == 2);
}

TEST_CASE("the same import inserted by two rules is there once, and other edits of both are made") {
    const std::string text = "x = 1\ny = 2\n";
    const auto outcome = merge_into(text, {candidate("A", {{{0, 0}, "import math\n"}, {{4, 5}, "3"}}),
                                           candidate("B", {{{0, 0}, "import math\n"}, {{10, 11}, "4"}})});
    CHECK(outcome.text == "import math\nx = 3\ny = 4\n");
}

TEST_CASE("insertions of whole lines at one point are kept in the order of the fixes") {
    const std::string text = "x = 1\n";
    const auto outcome =
        merge_into(text, {candidate("B", {{{0, 0}, "import b\n"}}), candidate("A", {{{0, 0}, "import a\n"}})});
    CHECK(outcome.text == "import a\nimport b\nx = 1\n");
}

TEST_CASE("arguments added at one point by two fixes are both there") {
    const auto outcome =
        merge_into("f(x)", {candidate("A", {{{3, 3}, ", a=1"}}), candidate("B", {{{3, 3}, ", b=[2]"}})});
    CHECK(outcome.text == "f(x, a=1, b=[2])");
}

TEST_CASE("two fixes that wrap one expression do not interleave: the second waits") {
    const auto outcome = merge_into(
        "x", {candidate("A", {{{0, 0}, "f("}, {{1, 1}, ")"}}), candidate("B", {{{0, 0}, "g("}, {{1, 1}, ")"}})});
    CHECK(outcome.text == "f(x)");
    CHECK(outcome.deferred == 1);
}

TEST_CASE("a fix that ends where another one starts an expression does not mix with it") {
    const auto outcome = merge_into(
        "xy", {candidate("A", {{{0, 0}, "f("}, {{1, 1}, ")"}}), candidate("B", {{{1, 1}, "g("}, {{2, 2}, ")"}})});
    CHECK(outcome.text == "f(x)y");
    CHECK(outcome.deferred == 1);
}

TEST_CASE("what one fix inserts twice at one point is there twice") {
    CHECK(merge_into("ab", {candidate("A", {{{1, 1}, "-"}, {{1, 1}, "-"}})}).text == "a--b");
}

TEST_CASE("fixes of one isolation group exclude each other, other groups do not care") {
    const auto outcome =
        merge_into("abcdef", {candidate("A", {{{0, 1}, "X"}}, "kernel"), candidate("B", {{{2, 3}, "Y"}}, "kernel"),
                              candidate("C", {{{4, 5}, "Z"}}, "other")});
    CHECK(outcome.text == "XbcdZf");
    CHECK(outcome.deferred == 1);
}

TEST_CASE("a fix whose one edit overlaps is not applied in part") {
    const auto outcome =
        merge_into("abcdef", {candidate("A", {{{0, 2}, "X"}}), candidate("B", {{{1, 3}, "Y"}, {{5, 6}, "Z"}})});
    CHECK(outcome.text == "Xcdef");
}

TEST_CASE("a hundred thousand insertions are merged without delay") {
    const std::string text(200'000, 'x');
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < 100'000; ++i) candidates.push_back(candidate("A", {{{2 * i, 2 * i}, "y"}}));
    const std::string_view texts[] = {text};
    CHECK(merge(candidates, texts).accepted.size() == candidates.size());
}

TEST_CASE("a hundred orders of the same fixes give one text") {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "word ";
    std::mt19937 random(20260101);
    const auto at = [&] { return static_cast<std::uint32_t>(random() % (text.size() - 8)); };
    std::vector<Candidate> candidates;
    constexpr std::string_view kRules[] = {"A", "B", "C"};
    constexpr std::string_view kTexts[] = {"", "x", ", y=1", "f(", "line\n"};
    for (int i = 0; i < 300; ++i) {
        std::vector<text::Edit> edits;
        const std::uint32_t first = at();
        edits.push_back({{first, first + static_cast<std::uint32_t>(random() % 4)}, std::string(kTexts[random() % 5])});
        if (random() % 3 == 0) edits.push_back({{first + 4, first + 6}, std::string(kTexts[random() % 5])});
        candidates.push_back(candidate(kRules[random() % 3], std::move(edits), random() % 8 == 0 ? "group" : ""));
    }
    const std::string expected = merge_into(text, candidates).text;
    for (int i = 0; i < 100; ++i) {
        std::shuffle(candidates.begin(), candidates.end(), random);
        REQUIRE(merge_into(text, candidates).text == expected);
    }
}
