#include "syntax/missing_block.h"

#include <catch2/catch.hpp>
#include <string>

using namespace ptofix::syntax;

namespace {

/// What stands in front of the block that is not there; "" where none is missing, "error" where the text does not
/// parse.
std::string header(const std::string& text) {
    Parser parser;
    const auto tree = parser.parse(text);
    REQUIRE(tree);
    if (tree->error_count() != 0) return "error";
    const auto range = missing_block(*tree);
    return range ? text.substr(range->start, range->size()) : "";
}

}  // namespace

TEST_CASE("a statement without the indented block that belongs to it is found") {
    // Each is an IndentationError of CPython, "expected an indented block after ...".
    CHECK(header("def f():\nx = 1\n") == "def f():");
    CHECK(header("def f(a: int = 3) -> dict[str, int]:\nx = 1\n") == "def f(a: int = 3) -> dict[str, int]:");
    CHECK(header("@d\ndef f():\nx\n") == "def f():");
    CHECK(header("class A:\nx = 1\n") == "class A:");
    CHECK(header("if a:\n    # a comment is no block\nx = 1\n") == "if a:");
    CHECK(header("if a:\n    pass\nelif b:\nx\n") == "elif b:");
    CHECK(header("if a:\n    pass\nelse:\nx\n") == "else:");
    CHECK(header("for i in x:\ny\n") == "for i in x:");
    CHECK(header("while x[1:2]:\n") == "while x[1:2]:");
    CHECK(header("with a as b:\n\n\ny = 1\n") == "with a as b:");
    CHECK(header("try:\n    x\nexcept A:\ny\n") == "except A:");
    CHECK(header("try:\n    x\nfinally:\ny\n") == "finally:");
    CHECK(header("match x:\ny\n") == "match x:");
    CHECK(header("def f():\n    if x:\n    y\n") == "if x:");
    CHECK(header("def f():  # why: not\nx\n") == "def f():");
    CHECK(header("def f():") == "def f():");
    CHECK(header("def f():\r\nx = 1\r\n") == "def f():");
    CHECK(header("def f():\n\"\"\"text\"\"\"\nx = 1\n") == "def f():");
}

TEST_CASE("what Python accepts is not taken for a missing block") {
    for (const std::string text : {
             "def f(): pass\n",
             "def f(): ...\n",
             "class A: x = 1; y = 2\n",
             "if a: pass\nelse: pass\n",
             "def f():\n    \"\"\"only a text\"\"\"\n",
             "def f():\n    # first\n\n    x = 1\n",
             "def f():\n# at the margin\n    x = 1\n",
             "def f(): \\\n    pass\n",
             "def f(\n    a,\n):\n  x\n",
             "if (a and\nb):\n    x\n",
             "if a and \\\nb:\n    x\n",
             "x = {\n'a':\n1}\n",
             "y = x[1:\n2]\n",
             "f = lambda:\\\n0\n",
             "s = \"\"\"\nif a:\nx\n\"\"\"\n",
             "@d\n\n# between\ndef f():\n\tx\n",
             "try:\n    x\nexcept A: y\nelse: z\nfinally: w\n",
             "match x:\n    case 1: y\n    case _:\n        z\n",
             "match: int\nmatch = 3\n",
             "def f():\r\n    x = 1\r\n",
             "async def f():\n    async with a: pass\n",
             "",
         }) {
        CAPTURE(text);
        CHECK(header(text).empty());
    }
}
