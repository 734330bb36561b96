#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <ranges>
#include <string>
#include <vector>

#include "text/edit.h"

namespace ptofix::text {

namespace {

Edits made(std::vector<Edit> edits, std::size_t size) {
    auto result = Edits::make(std::move(edits), size);
    REQUIRE(result.has_value());
    return *std::move(result);
}

std::string applied(std::string_view text, std::vector<Edit> edits) {
    return made(std::move(edits), text.size()).apply(text);
}

/// Non-overlapping edits at random places; insertions share points with each other and with replacements.
std::vector<Edit> random_edits(std::mt19937& random, std::size_t size) {
    std::vector<Edit> edits;
    std::size_t at = 0;
    while (true) {
        at += random() % 4;
        if (at > size) break;
        const std::size_t end = std::min(size, at + random() % 3);
        std::string text(random() % 4, '\0');
        for (char& c : text) c = static_cast<char>('A' + random() % 26);
        edits.push_back({{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}, text});
        at = end;
    }
    return edits;
}

}  // namespace

TEST_CASE("edits are applied in the order of their ranges, whatever the order given") {
    CHECK(applied("hello world", {{{6, 11}, "there"}, {{0, 5}, "bye"}}) == "bye there");
    CHECK(applied("abc", {}) == "abc");
    CHECK(applied("", {{{0, 0}, "x"}}) == "x");
    CHECK(applied("abc", {{{0, 3}, ""}}).empty());
}

TEST_CASE("touching edits are all applied") {
    CHECK(applied("abcd", {{{0, 1}, "1"}, {{1, 2}, "2"}, {{2, 3}, "3"}, {{3, 4}, "4"}}) == "1234");
    CHECK(applied("abcd", {{{1, 2}, ""}, {{2, 3}, ""}}) == "ad");
}

TEST_CASE("insertions at one point keep their order and precede a replacement that starts there") {
    CHECK(applied("ab", {{{1, 1}, "1"}, {{1, 1}, "2"}, {{1, 1}, "3"}}) == "a123b");
    CHECK(applied("ab", {{{1, 2}, "B"}, {{1, 1}, "1"}}) == "a1B");
    CHECK(applied("ab", {{{0, 1}, "A"}, {{1, 1}, "1"}, {{1, 2}, "B"}}) == "A1B");
}

TEST_CASE("overlapping edits are refused, and so are ranges outside the text") {
    const auto kind = [](std::vector<Edit> edits) {
        const auto result = Edits::make(std::move(edits), 10);
        REQUIRE_FALSE(result.has_value());
        return result.error().kind;
    };
    CHECK(kind({{{0, 3}, "x"}, {{2, 4}, "y"}}) == EditError::Kind::overlap);
    CHECK(kind({{{0, 9}, "x"}, {{2, 4}, "y"}}) == EditError::Kind::overlap);
    CHECK(kind({{{0, 3}, "x"}, {{0, 3}, "x"}}) == EditError::Kind::overlap);
    CHECK(kind({{{0, 3}, "x"}, {{1, 1}, "y"}}) == EditError::Kind::overlap);
    CHECK(kind({{{0, 3}, "x"}, {{0, 5}, "y"}}) == EditError::Kind::overlap);
    CHECK(kind({{{8, 11}, "x"}}) == EditError::Kind::beyond_end);
    CHECK(kind({{{11, 11}, "x"}}) == EditError::Kind::beyond_end);
    CHECK(kind({{{5, 4}, "x"}}) == EditError::Kind::reversed_range);
    CHECK(Edits::make({{{10, 10}, "x"}}, 10).has_value());
}

TEST_CASE("an edit that changes nothing says so") {
    CHECK(Edit{{1, 3}, "bc"}.is_identity_on("abcd"));
    CHECK(Edit{{2, 2}, ""}.is_identity_on("abcd"));
    CHECK_FALSE(Edit{{1, 3}, "bd"}.is_identity_on("abcd"));
    CHECK_FALSE(Edit{{3, 9}, "d"}.is_identity_on("abcd"));
}

TEST_CASE("offsets are carried to the new text") {
    const Edits edits = made({{{2, 4}, "LONG"}, {{6, 6}, "in"}, {{7, 9}, ""}}, 10);
    REQUIRE(edits.apply("0123456789") == "01LONG45in69");
    CHECK(edits.map_offset(0, Side::before) == 0);
    CHECK(edits.map_offset(2, Side::before) == 2);
    CHECK(edits.map_offset(2, Side::after) == 2);  // the start of a replaced range is the start of its text
    CHECK(edits.map_offset(3, Side::before) == 2);
    CHECK(edits.map_offset(3, Side::after) == 6);
    CHECK(edits.map_offset(4, Side::before) == 6);
    CHECK(edits.map_offset(6, Side::before) == 8);
    CHECK(edits.map_offset(6, Side::after) == 10);
    CHECK(edits.map_offset(8, Side::before) == 11);
    CHECK(edits.map_offset(8, Side::after) == 11);
    CHECK(edits.map_offset(10, Side::before) == 12);
    CHECK(edits.map_range({4, 6}) == Range{6, 8});
    CHECK(edits.map_range({2, 4}) == Range{2, 6});
    CHECK(edits.map_range({6, 7}) == Range{10, 11});  // text inserted at its start stays outside
    CHECK(edits.map_range({7, 9}) == Range{11, 11});
    CHECK(edits.map_range({6, 6}) == Range{8, 8});
}

TEST_CASE("random edits: shuffling them changes nothing as long as insertions keep their order") {
    std::mt19937 random(42);
    for (int round = 0; round < 1000; ++round) {
        const std::string text(random() % 30, '.');
        auto edits = random_edits(random, text.size());
        const std::string expected = applied(text, edits);
        std::shuffle(edits.begin(), edits.end(), random);
        auto sorted = made(edits, text.size());
        std::vector<Edit> again(sorted.items().begin(), sorted.items().end());
        CHECK(
            std::is_sorted(again.begin(), again.end(), [](const Edit& a, const Edit& b) { return a.range < b.range; }));
        // One at a time from the end gives the same text: offsets in front of an edit are not moved by it.
        std::string one_by_one = text;
        for (const Edit& edit : std::ranges::reverse_view(again)) {
            one_by_one.replace(edit.range.start, edit.range.size(), edit.text);
        }
        CHECK(sorted.apply(text) == one_by_one);
        CHECK(expected.size() == one_by_one.size());
    }
}

TEST_CASE("random edits: bytes outside them keep their order and map_offset finds each of them") {
    std::mt19937 random(43);
    for (int round = 0; round < 1000; ++round) {
        std::string text(random() % 30, '\0');
        for (char& c : text) c = static_cast<char>('a' + random() % 26);
        const Edits edits = made(random_edits(random, text.size()), text.size());
        const std::string result = edits.apply(text);
        std::uint32_t last = 0;
        for (std::uint32_t at = 0; at <= text.size(); ++at) {
            const std::uint32_t before = edits.map_offset(at, Side::before);
            const std::uint32_t after = edits.map_offset(at, Side::after);
            REQUIRE(last <= before);
            REQUIRE(before <= after);
            REQUIRE(after <= result.size());
            last = before;
            const bool replaced = std::any_of(edits.items().begin(), edits.items().end(),
                                              [at](const Edit& edit) { return edit.range.contains(at); });
            if (at < text.size() && !replaced) REQUIRE(result[after] == text[at]);
        }
    }
}

}  // namespace ptofix::text
