#include <catch2/catch.hpp>
#include <string>

#include "report/code_frame.h"

using namespace ptofix;
using report::FrameLabel;

namespace {

text::Source source_of(std::string text) {
    return *text::Source::from_bytes("kernel.py", std::move(text));
}

/// Labels what stands between the first « and » of the text, which are taken out.
struct Marked {
    text::Source source;
    FrameLabel label;
};

Marked marked(std::string text, std::string words = {}) {
    constexpr std::string_view open = "«", close = "»";
    const auto start = text.find(open);
    text.erase(start, open.size());
    const auto end = text.find(close);
    text.erase(end, close.size());
    return {source_of(text),
            {{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)}, std::move(words), true}};
}

std::string frame(std::string text, std::string words = {}) {
    const Marked m = marked(std::move(text), std::move(words));
    return code_frame(m.source, std::span(&m.label, 1), {});
}

}  // namespace

TEST_CASE("carets stand under what the label names, its words after them") {
    CHECK(frame("a = 1\nfor i in «range(128)»:\n    pass\n", "128 trips") ==
          "  |\n"
          "2 | for i in range(128):\n"
          "  |          ^^^^^^^^^^ 128 trips\n"
          "  |\n");
}

TEST_CASE("tabs are spaces, wide characters take two cells, combining ones none") {
    CHECK(frame("\t\tx = «f(y)»\n") ==
          "  |\n"
          "1 |         x = f(y)\n"
          "  |             ^^^^\n"
          "  |\n");
    CHECK(frame("s = '中文' + «t»\n") ==
          "  |\n"
          "1 | s = '中文' + t\n"
          "  |              ^\n"
          "  |\n");
    CHECK(frame("s = «'中文'»\n") ==
          "  |\n"
          "1 | s = '中文'\n"
          "  |     ^^^^^^\n"
          "  |\n");
    CHECK(frame("é = «1» # e\u0301 \U0001F600\n") ==
          "  |\n"
          "1 | é = 1 # e\u0301 \U0001F600\n"
          "  |     ^\n"
          "  |\n");
    CHECK(frame("x = 'e\u0301\U0001F600' + «y»\n") ==
          "  |\n"
          "1 | x = 'e\u0301\U0001F600' + y\n"
          "  |             ^\n"
          "  |\n");
}

TEST_CASE("the gutter grows with the line numbers") {
    std::string text;
    for (int i = 1; i < 100; ++i) text += "x\n";
    CHECK(frame(text + "«y»\n") ==
          "    |\n"
          "100 | y\n"
          "    | ^\n"
          "    |\n");
}

TEST_CASE("several labels share a frame: gaps are dots, a gap of one line is shown") {
    const text::Source source = source_of("TRIPS = 128\n\n\n\nfor i in range(TRIPS):\n    a(i)\n    b(i)\n");
    const FrameLabel labels[] = {
        {{53, 54}, "in the way", false}, {{15, 37}, "", true}, {{8, 11}, "written here", false}};
    CHECK(code_frame(source, labels, {}) ==
          "  |\n"
          "1 | TRIPS = 128\n"
          "  |         --- written here\n"
          "...\n"
          "5 | for i in range(TRIPS):\n"
          "  | ^^^^^^^^^^^^^^^^^^^^^^\n"
          "6 |     a(i)\n"
          "7 |     b(i)\n"
          "  |       - in the way\n"
          "  |\n");
}

TEST_CASE("a span over several lines is marked on its first line and says where it ends") {
    CHECK(frame("x = «f(  \n  1,\n  2)»\n", "here") ==
          "  |\n"
          "1 | x = f(  \n"
          "  |     ^^ here (to line 3)\n"
          "  |\n");
    CHECK(frame("«if x:\n  pass\n»y\n") ==
          "  |\n"
          "1 | if x:\n"
          "  | ^^^^^ (to line 2)\n"
          "  |\n");
}

TEST_CASE("an empty span gets one caret, also at the end of the file") {
    CHECK(frame("x = 1«»") ==
          "  |\n"
          "1 | x = 1\n"
          "  |      ^\n"
          "  |\n");
    CHECK(frame("«»") ==
          "  |\n"
          "1 |\n"
          "  | ^\n"
          "  |\n");
}

TEST_CASE("CRLF, lone CR and a byte order mark leave no trace in a frame") {
    CHECK(frame("\xEF\xBB\xBFx = «1»\r\ny\r\n") ==
          "  |\n"
          "1 | x = 1\n"
          "  |     ^\n"
          "  |\n");
    CHECK(frame("a\rx = «1»\rb") ==
          "  |\n"
          "2 | x = 1\n"
          "  |     ^\n"
          "  |\n");
}

TEST_CASE("a long line is cut around the label at whole characters") {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "中";
    const std::string cut = frame(text + "«x»" + text);
    CHECK(cut.size() < 1000);
    CHECK(cut.find("…中") != std::string::npos);
    CHECK(cut.find("中…") != std::string::npos);
    CHECK(cut.find("\xEF\xBF\xBD") == std::string::npos);
    const auto caret = cut.find('^');
    const auto line_start = cut.rfind('\n', caret) + 1;
    CHECK(caret - line_start == 4 + 1 + 2 * 20);  // gutter, the cut's sign, 60 bytes of wide characters
}

TEST_CASE("control characters and text direction marks cannot disturb the terminal") {
    const std::string shown = frame("x = '\x1b[31m\u202E' + «y»\n");
    CHECK(shown.find('\x1b') == std::string::npos);
    CHECK(shown.find("\u202E") == std::string::npos);
}
