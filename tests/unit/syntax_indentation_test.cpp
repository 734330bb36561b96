#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "syntax/tree.h"

using namespace ptofix::syntax;

namespace {

std::string times(std::size_t count, const std::string& part) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += part;
    return out;
}

/// `levels` ifs in each other, `between` at the start of each body.
std::string nested(std::size_t levels, const std::string& between = "", const std::string& end = "\n") {
    std::string out;
    for (std::size_t i = 0; i < levels; ++i) {
        out += std::string(i, ' ') + "if x:" + end;
        if (!between.empty()) out += std::string(i + 1, ' ') + between;
    }
    return out + std::string(levels, ' ') + "pass" + end;
}

/// A statement over `lines` lines, each at a column of its own.
std::string staircase(std::size_t lines, const std::string& open, const std::string& line, const std::string& close) {
    std::string out = open;
    for (std::size_t i = 1; i <= lines; ++i) out += std::string(i, ' ') + line;
    return out + close;
}

}  // namespace

TEST_CASE("a hundred levels are parsed and one more is refused, as in Python") {
    CHECK_FALSE(too_deeply_indented(nested(kMaxIndentation)));
    CHECK(too_deeply_indented(nested(kMaxIndentation + 1)));
    CHECK(too_deeply_indented(nested(kMaxIndentation + 1, "", "\r\n")));
    CHECK(too_deeply_indented(nested(kMaxIndentation + 1, "", "\r")));
    CHECK(Parser().parse(nested(kMaxIndentation))->error_count() == 0);
}

TEST_CASE("lines that begin no statement open no level") {
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = [\n", "1,\n", "]\n")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = [\n", "')', # ]\n", "]\n")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = '''\n", "words \\''' \" (\n", "'''\n")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = 1 \\\n", "+ 1 \\\n", "\n")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = 'a\\\n", "a\\\n", "'\n")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = 1\n", "# note\n", "")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "x = 1\n", "\n", "")));
    CHECK_FALSE(too_deeply_indented(staircase(200, "", "if x: pass\n\n", "").insert(0, "\"\"\"\n") + "\"\"\"\n"));
}

TEST_CASE("statements between continued lines are still counted") {
    CHECK(too_deeply_indented(nested(kMaxIndentation + 1, "f(\n)\n")));
    CHECK(too_deeply_indented(nested(kMaxIndentation + 1, "'''\n'''\n")));
    CHECK(too_deeply_indented(nested(kMaxIndentation + 1, "x = \"it's\"  # it's (\n")));
    CHECK(too_deeply_indented("x = 'unterminated\n" + nested(kMaxIndentation + 1)));
}

TEST_CASE("no text makes the grammar's scanner keep more levels than it has room for") {
    // Tabs are eight columns for it, wherever they stand; for Python all these lines begin at few columns.
    std::string tabs;
    for (std::size_t i = 0; i < 600; ++i) tabs += std::string(i % 8, ' ') + std::string(i / 8, '\t') + "if x:\n";
    CHECK(too_deeply_indented(tabs));
    // What it has seen in brackets and strings, it may see again where a text is broken.
    CHECK(too_deeply_indented(staircase(600, "x = [\n", "1,\n", "")));
    // Columns in front of a backslash count together with those behind it.
    std::string joined;
    for (std::size_t i = 0; i < 600; ++i)
        joined += std::string(i / 2, ' ') + "\\\n" + std::string(i - i / 2, ' ') + "if x:\n";
    CHECK(too_deeply_indented(joined));
    // A lower line within brackets ends no level.
    CHECK(too_deeply_indented(nested(600, "f(\n)\n")));
    CHECK(too_deeply_indented("x = '''\n" + nested(600)));
    CHECK_FALSE(too_deeply_indented(""));
    CHECK_FALSE(too_deeply_indented(times(100'000, "x = 1\n")));
}

TEST_CASE("what a short look shows of the indentation is what a look at every line shows") {
    std::mt19937 random(11);
    int deep = 0;
    for (int round = 0; round < 400; ++round) {
        std::string text = "x\n";
        const std::size_t widest = 80 + random() % 50;
        const bool joins = random() % 2 == 0;
        for (std::size_t column = 0; column <= widest; ++column) {
            const std::size_t before = joins ? random() % (column + 1) : 0;
            if (before > 0) text += std::string(before, ' ') + (random() % 2 == 0 ? "\\\n" : "\\\r\n");
            text += std::string(column - before, ' ') + "if x:" + (random() % 9 == 0 ? "\r" : "\n");
        }
        const bool is_deep = too_deeply_indented(text);
        CHECK(too_deeply_indented(text + "x\t\n") == is_deep);  // a tab anywhere has every line looked at
        deep += is_deep;
    }
    CHECK(deep > 50);
    CHECK(deep < 350);
}
