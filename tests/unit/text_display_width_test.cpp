#include <catch2/catch.hpp>
#include <string>

#include "text/display_width.h"

namespace ptofix::text {

TEST_CASE("a terminal gives each kind of character its cells") {
    CHECK(display_width("") == 0);
    CHECK(display_width("plain ASCII") == 11);
    CHECK(display_width("é") == 1);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("中文") == 4);
    CHECK(display_width("，。") == 4);
    CHECK(display_width("ｆｕｌｌ") == 8);
    CHECK(display_width("ﾊﾝｶｸ") == 4);
    CHECK(display_width("한글") == 4);
    CHECK(display_width("\u1112\u1161\u11AB") == 2);  // conjoining Hangul
    CHECK(display_width("😀") == 2);
    CHECK(display_width("👩\u200D👧\u200D👦") == 2);
    CHECK(display_width("👍🏽") == 2);
    CHECK(display_width("🇨🇳") == 2);
    CHECK(display_width("🇨🇳🇩🇪") == 4);
    CHECK(display_width("❤\uFE0F") == 2);
    CHECK(display_width("α→β") == 3);
    CHECK(display_width("a\u200Bb") == 2);  // zero width space
}

TEST_CASE("tabs go to the next stop, counted in cells") {
    CHECK(TerminalLine("\tx", 4).text() == "    x");
    CHECK(TerminalLine("ab\tx", 4).text() == "ab  x");
    CHECK(TerminalLine("abcd\tx", 4).text() == "abcd    x");
    CHECK(TerminalLine("中\tx", 4).text() == "中  x");
    CHECK(TerminalLine("\t\tx", 8).width() == 17);
    CHECK(TerminalLine("a\tb", 0).text() == "a b");
}

TEST_CASE("a caret lands under the character it means") {
    const std::string line = "\tx = '中文😀' + e\u0301";
    const TerminalLine shown(line, 4);
    const auto columns_of = [&](std::string_view part) {
        const auto start = static_cast<std::uint32_t>(line.find(part));
        return shown.columns({start, start + static_cast<std::uint32_t>(part.size())});
    };
    CHECK(columns_of("\t") == Range{0, 4});
    CHECK(columns_of("x") == Range{4, 5});
    CHECK(columns_of("中") == Range{9, 11});
    CHECK(columns_of("文😀") == Range{11, 15});
    CHECK(columns_of("+") == Range{17, 18});
    CHECK(columns_of("e\u0301") == Range{19, 20});
    CHECK(shown.width() == 20);
}

TEST_CASE("a range that cuts a character shows the whole of it") {
    const TerminalLine line("a中b");
    CHECK(line.columns({2, 3}) == Range{1, 3});
    CHECK(line.columns({1, 2}) == Range{1, 3});
    const TerminalLine joined("👩\u200D👧x");
    CHECK(joined.columns({4, 7}) == Range{0, 2});
}

TEST_CASE("empty ranges and ranges at or beyond the end are points") {
    const TerminalLine line("ab中");
    CHECK(line.columns({0, 0}) == Range{0, 0});
    CHECK(line.columns({2, 2}) == Range{2, 2});
    CHECK(line.columns({5, 5}) == Range{4, 4});
    CHECK(line.columns({5, 9}) == Range{4, 4});
    CHECK(line.columns({0, 99}) == Range{0, 4});
    CHECK(TerminalLine("").columns({0, 0}) == Range{0, 0});
    CHECK(TerminalLine("").columns({0, 5}) == Range{0, 0});
}

TEST_CASE("nothing in a line reaches the terminal as a command") {
    CHECK(TerminalLine("\x1B[31mred").text() == "␛[31mred");
    CHECK(TerminalLine("\x1B[31mred").width() == 8);
    CHECK(TerminalLine("a\x7F\x07").text() == "a␡␇");
    CHECK(TerminalLine("a\rb").text() == "a␍b");
    CHECK(TerminalLine("\u009B31m").text() == "\uFFFD31m");
    CHECK(TerminalLine("x\u202Ey\u2066z").text() == "x\uFFFDy\uFFFDz");
    CHECK(TerminalLine("a\xFF\x80z").text() == "a\uFFFD\uFFFDz");
    CHECK(TerminalLine("a\xFF\x80z").columns({3, 4}) == Range{3, 4});
}

}  // namespace ptofix::text
