#include <catch2/catch.hpp>

#include "report/wrap.h"
#include "text/display_width.h"

using ptofix::report::wrap;
using Lines = std::vector<std::string>;

TEST_CASE("text wraps at spaces, and a word that is too long stands alone") {
    CHECK(wrap("aa bb cc", 5) == Lines{"aa bb", "cc"});
    CHECK(wrap("aa bb cc", 80) == Lines{"aa bb cc"});
    CHECK(wrap("abcdefgh ij", 4) == Lines{"abcdefgh", "ij"});
    CHECK(wrap("", 4).empty());
}

TEST_CASE("the first line may be taken in part") {
    CHECK(wrap("aa bb cc", 8, 3) == Lines{"aa bb", "cc"});
    CHECK(wrap("aa bb cc", 5, 3) == Lines{"aa", "bb cc"});
    CHECK(wrap("aa bb cc", 5, 4) == Lines{"", "aa bb", "cc"});
    CHECK(wrap("aa bb cc", 5, 40) == Lines{"", "aa bb", "cc"});
    CHECK(wrap("abcdefgh ij", 4, 2) == Lines{"", "abcdefgh", "ij"});
    CHECK(wrap("编译在先", 4, 2) == Lines{"编", "译在", "先"});
}

TEST_CASE("Chinese wraps between characters, never before closing punctuation") {
    CHECK(wrap("每次迭代都单独编译", 8) == Lines{"每次迭代", "都单独编", "译"});
    CHECK(wrap("每次迭代，都编译", 8) == Lines{"每次迭", "代，都编", "译"});
    for (const std::string& line : wrap("编译在 Pass_31（OoOSchedule）以 F40005 终止，没有错误码。", 16)) {
        CAPTURE(line);
        CHECK(ptofix::text::display_width(line) <= 16);
        CHECK_FALSE(line.starts_with("，"));
        CHECK_FALSE(line.starts_with("。"));
    }
}
