#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "text/line_index.h"
#include "text/utf8.h"

namespace ptofix::text {

namespace {

/// The plainest possible reading of the rules, to hold the index against.
std::vector<std::string> lines_by_hand(std::string_view text) {
    std::vector<std::string> lines(1);
    if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        lines.back() += text[i];
        const bool first_of_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if ((text[i] == '\n' || text[i] == '\r') && !first_of_pair) lines.emplace_back();
    }
    return lines;
}

void check_against_hand(const std::string& text) {
    INFO("text: " << Catch::StringMaker<std::string>::convert(text));
    const LineIndex index(text);
    const auto expected = lines_by_hand(text);
    REQUIRE(index.line_count() == expected.size());
    std::uint32_t at = text.starts_with(kUtf8Bom) ? 3 : 0;
    for (std::uint32_t line = 1; line <= expected.size(); ++line) {
        const std::string& whole = expected[line - 1];
        const Range full = index.full_line_range(line);
        REQUIRE(full == Range{at, at + static_cast<std::uint32_t>(whole.size())});
        REQUIRE(index.line_start(line) == at);
        const std::string_view newline = newline_text(index.newline_of(line));
        REQUIRE(whole == std::string(index.line_text(line)) + std::string(newline));
        REQUIRE(index.line_text(line).find_first_of("\r\n") == std::string_view::npos);
        REQUIRE((newline.empty()) == (line == expected.size()));
        REQUIRE(index.is_ascii(line) == is_ascii(whole));
        for (std::uint32_t offset = full.start; offset < full.end; ++offset) REQUIRE(index.line_of(offset) == line);
        at = full.end;
    }
    REQUIRE(index.line_of(static_cast<std::uint32_t>(text.size())) == expected.size());
}

}  // namespace

TEST_CASE("lines end at every kind of newline, alone and mixed") {
    for (const char* text : {"",
                             "\n",
                             "\r",
                             "\r\n",
                             "a",
                             "a\n",
                             "a\r",
                             "a\r\n",
                             "a\nb",
                             "a\rb",
                             "a\r\nb",
                             "\n\n",
                             "\r\r",
                             "\r\n\r\n",
                             "\n\r",
                             "\r\r\n",
                             "\r\n\n",
                             "\n\r\n\r",
                             "a\r\r\nb\n\rc\r\n",
                             "\xEF\xBB\xBF",
                             "\xEF\xBB\xBF\n",
                             "\xEF\xBB\xBF\r\nx",
                             "x\n\xEF\xBB\xBF\n",
                             "中\r\né\r😀\n"}) {
        check_against_hand(text);
    }
}

TEST_CASE("all texts of up to six pieces of newline, letter and wide character split as by hand") {
    const std::string pieces[] = {"\n", "\r", "x", "中"};
    for (int length = 0; length <= 6; ++length) {
        for (int number = 0; number < 1 << (2 * length); ++number) {
            std::string text;
            for (int i = 0; i < length; ++i) text += pieces[number >> (2 * i) & 3];
            check_against_hand(text);
        }
    }
}

TEST_CASE("a form feed, a vertical tab and Unicode's separators do not end a line") {
    CHECK(LineIndex("a\fb\vc\x1C\xE2\x80\xA8"
                    "d\xC2\x85"
                    "e")
              .line_count() == 1);
}

TEST_CASE("columns are right in every unit for every kind of character") {
    struct Case {
        std::string text;
        std::uint32_t utf8, utf16, utf32;  // columns behind it
    };
    const Case cases[] = {
        {"x", 1, 1, 1},
        {"é", 2, 1, 1},
        {"中", 3, 1, 1},
        {"😀", 4, 2, 1},
        {"e\u0301", 3, 2, 2},             // combining acute
        {"👩\u200D👧", 4 + 3 + 4, 5, 3},  // joined by ZWJ
        {"\t", 1, 1, 1},
        {"é中😀", 9, 4, 3},
    };
    for (const std::string newline : {"\n", "\r\n", "\r"}) {
        for (const std::string before : {"", "\xEF\xBB\xBF", "αβγ\n", "\xEF\xBB\xBF😀\r\n", "a\rb\n"}) {
            for (const Case& c : cases) {
                std::string text = before + c.text;
                text.append("|").append(newline).append("end");
                INFO(Catch::StringMaker<std::string>::convert(text));
                const LineIndex index(text);
                const auto bar = static_cast<std::uint32_t>(text.find('|'));
                const std::uint32_t line = index.line_of(bar);
                CHECK(index.position(bar) == Position{line, c.utf32 + 1});
                CHECK(index.offset(Position{line, c.utf32 + 1}) == bar);
                const std::pair<ColumnUnit, std::uint32_t> units[] = {
                    {ColumnUnit::utf8, c.utf8}, {ColumnUnit::utf16, c.utf16}, {ColumnUnit::utf32, c.utf32}};
                for (const auto& [unit, column] : units) {
                    CHECK(index.editor_position(bar, unit) == EditorPosition{line - 1, column});
                    CHECK(index.offset(EditorPosition{line - 1, column}, unit) == bar);
                    // Beyond the end of the line is its end, before the terminator.
                    CHECK(index.offset(EditorPosition{line - 1, 1000}, unit) == bar + 1);
                }
            }
        }
    }
}

TEST_CASE("a byte order mark is no column and text inserted at line 1 goes behind it") {
    const std::string text = "\xEF\xBB\xBFimport os\n";
    const LineIndex index(text);
    for (std::uint32_t offset = 0; offset <= 3; ++offset) CHECK(index.position(offset) == Position{1, 1});
    CHECK(index.position(4) == Position{1, 2});
    CHECK(index.offset(Position{1, 1}) == 3);
    CHECK(index.offset(EditorPosition{0, 0}, ColumnUnit::utf8) == 3);
    CHECK(index.line_text(1) == "import os");
    CHECK(index.is_ascii(1));
}

TEST_CASE("a column inside a code point is the code point's start") {
    const LineIndex index("a😀b");
    CHECK(index.offset(EditorPosition{0, 2}, ColumnUnit::utf16) == 1);  // between the surrogates
    CHECK(index.offset(EditorPosition{0, 3}, ColumnUnit::utf16) == 5);
    for (std::uint32_t byte = 1; byte < 5; ++byte) {
        CHECK(index.offset(EditorPosition{0, byte}, ColumnUnit::utf8) == 1);
        CHECK(index.position(byte) == Position{1, 2});
    }
}

TEST_CASE("positions outside the text are clamped") {
    const std::string text = "ab\r\ncd";
    const LineIndex index(text);
    CHECK(index.position(100) == Position{2, 3});
    CHECK(index.offset(Position{9, 1}) == text.size());
    CHECK(index.offset(Position{0, 0}) == 0);
    CHECK(index.offset(Position{1, 99}) == 2);
    CHECK(index.offset(EditorPosition{9, 9}, ColumnUnit::utf16) == text.size());
    CHECK(index.line_text(99) == "cd");
    CHECK(index.line_text(0) == "ab");
    CHECK(index.position(3) == Position{1, 3});  // between \r and \n
}

TEST_CASE("every boundary between code points survives the way to an editor and back, on random texts") {
    const std::string pieces[] = {"x", " ", "\t", "é", "中", "😀", "e\u0301", "👩\u200D👧", "\n", "\r\n", "\r"};
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        std::string text = round % 4 == 0 ? std::string(kUtf8Bom) : "";
        for (std::size_t i = random() % 40; i > 0; --i) text += pieces[random() % std::size(pieces)];
        const LineIndex index(text);
        for (std::uint32_t line = 1; line <= index.line_count(); ++line) {
            const Range range = index.line_range(line);
            for (std::uint32_t at = range.start; at <= range.end; ++at) {
                if (at < range.end && is_continuation_byte(text[at])) continue;
                REQUIRE(index.offset(index.position(at)) == at);
                for (const ColumnUnit unit : {ColumnUnit::utf8, ColumnUnit::utf16, ColumnUnit::utf32}) {
                    REQUIRE(index.offset(index.editor_position(at, unit), unit) == at);
                }
            }
        }
    }
}

TEST_CASE("an inserted newline follows the line it is inserted in") {
    const std::string text = "a\nb\r\nc\rd";
    const LineIndex index(text);
    CHECK(index.newline_for(0) == "\n");
    CHECK(index.newline_for(2) == "\r\n");
    CHECK(index.newline_for(5) == "\r");
    CHECK(index.newline_for(7) == "\r");  // the last line has none, so the one before it
    CHECK(index.newline_for(8) == "\r");
    CHECK(LineIndex("no newline").newline_for(3) == "\n");
    CHECK(LineIndex("").newline_for(0) == "\n");
}

TEST_CASE("the prevailing newline is the commonest, a line feed when in doubt") {
    CHECK(LineIndex("").prevailing_newline() == Newline::lf);
    CHECK(LineIndex("a\r\nb\r\nc\n").prevailing_newline() == Newline::crlf);
    CHECK(LineIndex("a\r\nb\n").prevailing_newline() == Newline::lf);
    CHECK(LineIndex("a\rb\rc\r\n").prevailing_newline() == Newline::cr);
}

}  // namespace ptofix::text
