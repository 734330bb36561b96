#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "syntax/tree.h"

using namespace ptofix::syntax;

namespace {

std::vector<std::string> comments_of(const std::string& text) {
    Parser parser;
    const auto tree = parser.parse(text);
    REQUIRE(tree);
    std::vector<std::string> found;
    for (NodeId id = 0; id < tree->nodes().size(); ++id) {
        if (tree->kind(id) != Kind::comment) continue;
        const ptofix::text::Range range = tree->range(id);
        found.push_back(text.substr(range.start, range.size()));
    }
    return found;
}

}  // namespace

TEST_CASE("a comment ends before the end of its line, whichever that is") {
    const std::vector<std::string> expected = {"# one", "#", "# two", "# last"};
    for (const std::string end : {"\n", "\r\n", "\r\r\n"}) {
        const std::string text = "# one" + end + "#" + end + "if a:  # two" + end + "    pass" + end + "# last";
        CHECK(comments_of(text) == expected);
        CHECK(comments_of(text + end) == expected);
    }
}
