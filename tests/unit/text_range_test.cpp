#include <catch2/catch.hpp>

#include "text/range.h"

using ptofix::text::Range;

TEST_CASE("a range is half open") {
    constexpr Range range{2, 5};
    CHECK(range.size() == 3);
    CHECK_FALSE(range.empty());
    CHECK(range.contains(2U));
    CHECK(range.contains(4U));
    CHECK_FALSE(range.contains(5U));
    CHECK(Range{3, 3}.empty());
    CHECK_FALSE(Range{3, 3}.contains(3U));
}

TEST_CASE("a range contains itself and what shares an end with it") {
    constexpr Range range{2, 5};
    CHECK(range.contains(range));
    CHECK(range.contains(Range{2, 2}));
    CHECK(range.contains(Range{5, 5}));
    CHECK_FALSE(range.contains(Range{1, 3}));
    CHECK_FALSE(range.contains(Range{4, 6}));
}

TEST_CASE("touching is not overlapping") {
    CHECK_FALSE(Range{0, 2}.overlaps(Range{2, 4}));
    CHECK_FALSE(Range{2, 4}.overlaps(Range{0, 2}));
    CHECK(Range{0, 3}.overlaps(Range{2, 4}));
    CHECK(Range{0, 9}.overlaps(Range{2, 4}));
}

TEST_CASE("an empty range overlaps only what it lies strictly inside of") {
    CHECK(Range{3, 3}.overlaps(Range{2, 4}));
    CHECK(Range{2, 4}.overlaps(Range{3, 3}));
    CHECK_FALSE(Range{2, 2}.overlaps(Range{2, 4}));
    CHECK_FALSE(Range{4, 4}.overlaps(Range{2, 4}));
    CHECK_FALSE(Range{3, 3}.overlaps(Range{3, 3}));
}

TEST_CASE("ranges sort by start, then by end") {
    CHECK(Range{1, 9} < Range{2, 3});
    CHECK(Range{1, 1} < Range{1, 2});
    CHECK(Range{1, 2} == Range{1, 2});
}
