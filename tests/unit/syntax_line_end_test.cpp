#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "syntax/tree.h"

using namespace ptofix::syntax;

namespace {

std::string with_breaks(std::string text, const std::string& end) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + end.size())) {
        text.replace(at, 1, end);
    }
    return text;
}

std::vector<Kind> kinds(const Tree& tree) {
    std::vector<Kind> out;
    for (const Node& node : tree.nodes()) out.push_back(node.kind);
    return out;
}

const std::string kText =
    "# first\nfor i in range(4):  # second\n    x = i\n    if x:\n        y = \"a\"\n\nz = '''b\nc'''\ndef f():\n    "
    "pass\n";

}  // namespace

TEST_CASE("a lone carriage return ends a line as a line feed does") {
    Parser parser;
    const auto plain = parser.parse(kText);
    REQUIRE(plain);
    for (const std::string end : {"\r", "\r\n"}) {
        const auto other = parser.parse(with_breaks(kText, end));
        REQUIRE(other);
        CHECK(other->error_count() == 0);
        CHECK(kinds(*other) == kinds(*plain));
    }
    const auto returns = parser.parse(with_breaks(kText, "\r"));
    for (NodeId id = 0; id < plain->nodes().size(); ++id) CHECK(plain->range(id) == returns->range(id));
    CHECK(parser.parse("# a\rx = 1\r\ny = 2\rz = 3\n")->named_child_count(0) == 3);
}

TEST_CASE("a text with lone carriage returns is parsed again as if it were new") {
    Parser parser;
    const std::string before = "a = 1\rb = 2\rc = 3\r";
    const std::string after = "a = 1\rb = 2\rd = 4\rc = 3\r";
    const auto old = parser.parse(before, true);
    REQUIRE(old);
    const std::vector<TextChange> changes{{{12, 12}, 6}};
    const auto again = parser.reparse(*old, before, changes, after);
    const auto fresh = parser.parse(after);
    REQUIRE(again);
    CHECK(again->error_count() == 0);
    CHECK(kinds(*again) == kinds(*fresh));
}

TEST_CASE("indentation is counted on lines that end in carriage returns") {
    std::string text;
    for (int i = 0; i <= kMaxIndentation + 1; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "if x:\r";
    CHECK(Parser().parse(text).error() == ParseRefusal::too_deeply_indented);
}
