#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "syntax/top_level.h"
#include "syntax/tree.h"

using namespace ptofix;
using namespace ptofix::syntax;

namespace {

std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> out;
    for (const Piece& piece : top_level_pieces(text)) {
        out.push_back(text.substr(piece.range.start, piece.range.size()));
    }
    return out;
}

/// Names of the functions at the module's level that parse, decorated or not.
std::vector<std::string> readable_functions(const std::string& text) {
    Parser parser;
    const auto tree = parser.parse(text);
    REQUIRE(tree);
    CHECK(tree->error_count() != 0);
    CHECK(tree->kind(tree->root()) == Kind::module_);
    CHECK(tree->broken(tree->root()));
    std::vector<std::string> out;
    for (const NodeId child : tree->children(tree->root())) {
        NodeId function = child;
        if (tree->kind(child) == Kind::decorated_definition) function = tree->child(child, Field::definition);
        if (tree->kind(function) != Kind::function_definition || tree->broken(child)) continue;
        const NodeId name = tree->child(function, Field::name);
        out.push_back(text.substr((*tree)[name].start, tree->range(name).size()));
    }
    return out;
}

const std::string kKernel = "@jit\ndef kernel(x):\n    for i in range(4):\n        x = x + i\n    return x\n";

}  // namespace

TEST_CASE("the pieces of a module are its statements, and together all of it") {
    const std::vector<std::string> parts{"# head\n\nimport a\n",
                                         "x = (1,\n2,\n)\n",
                                         "if x:\n    y = 1\nelse:\n    y = 2\n",
                                         "try:\n    f()\nexcept E:\n    pass\nfinally:\n    g()\n\n# about k\n",
                                         "@a\n@b(1)\nasync def k():\n    pass\n",
                                         "s = '''\ndef no(): pass\n''' + \"\\\"\\\\\"\n",
                                         "t = 1 + \\\n2\n",
                                         "async for q in r:\n    pass\nelse:\n    pass\n",
                                         "z = [\n# (\nc for c in d\n]\n",
                                         "class C:\n    pass"};
    std::string text;
    for (const std::string& part : parts) text += part;
    CHECK(pieces(text) == parts);
    CHECK(pieces("") == std::vector<std::string>{""});
    CHECK(pieces("    x\n") == std::vector<std::string>{"    x\n"});
}

TEST_CASE("a bracket or string that is never closed ends where Python cannot go on with it") {
    CHECK(pieces("f(1,\ndef g():\n    pass\n") == std::vector<std::string>{"f(1,\n", "def g():\n    pass\n"});
    CHECK(pieces("a = [\nimport b\n") == std::vector<std::string>{"a = [\n", "import b\n"});
    CHECK(pieces("a = [x\nasync for x in y]\nb\n") == std::vector<std::string>{"a = [x\nasync for x in y]\n", "b\n"});
    CHECK(pieces("a = 'b\nc\n") == std::vector<std::string>{"a = 'b\n", "c\n"});
    CHECK(pieces("a = '''b\nc\n") == std::vector<std::string>{"a = '''b\nc\n"});
    CHECK(pieces("else:\n    x\ny\n") == std::vector<std::string>{"else:\n    x\n", "y\n"});
    CHECK(pieces("@a\nx\n") == std::vector<std::string>{"@a\n", "x\n"});
}

TEST_CASE("what does not parse leaves the other statements of the module as they are") {
    const std::vector<std::string> broken{
        "else:\n    pass\n",
        "def outer():\n    def inner()\n        pass\n    return inner\n",
        "def broken(:\n    return (\n",
        "f(1, 2\n",
        "x = {'a': [1, 2}\n",
        "class C\n    pass\n",
        "if x\n    y\n",
        "x = = 2\n",
        "for i in range(3:\n    pass\n",
        "def f():\n    x = 'abc\n    return x\n",
        "with a as b c:\n    pass\n",
        "))]\n",
        "@decorator\n",
        "def f(a, b\n",
    };
    for (const std::string& wrong : broken) {
        CAPTURE(wrong);
        CHECK(readable_functions(kKernel + "\n" + wrong) == std::vector<std::string>{"kernel"});
        if (wrong.front() != '@') {
            CHECK(readable_functions(wrong + "\n" + kKernel) == std::vector<std::string>{"kernel"});
        }
        const std::string last = "def last():\n    pass\n";
        if (wrong.front() != '@') {
            CHECK(readable_functions(kKernel + wrong + last) == std::vector<std::string>{"kernel", "last"});
        }
    }
    // Nothing can be told of what stands behind a string that is never closed, all can of what stands in front.
    CHECK(readable_functions(kKernel + "s = \"\"\"abc\n" + "def f():\n    pass\n") ==
          std::vector<std::string>{"kernel"});
}

TEST_CASE("a tree put together from pieces is one tree") {
    Parser parser;
    for (const std::string& text : {kKernel + "else:\n    x = (\n" + kKernel, "def f(:\n    return (\n\n" + kKernel,
                                    kKernel + "x y\n", std::string("(\n"), "\xEF\xBB\xBFx = (\n" + kKernel + "z ="}) {
        CAPTURE(text);
        const auto tree = parser.parse(text, true);
        REQUIRE(tree);
        const auto nodes = tree->nodes();
        CHECK(nodes[0].subtree_end == nodes.size());
        for (NodeId id = 1; id < nodes.size(); ++id) {
            const Node& node = nodes[id];
            REQUIRE(node.parent < id);
            REQUIRE(node.subtree_end > id);
            const Node& parent = nodes[node.parent];
            REQUIRE(node.subtree_end <= parent.subtree_end);
            REQUIRE(node.start >= nodes[id - 1].start);
            REQUIRE(node.end <= text.size());
            if (node.broken) REQUIRE(parent.broken);
        }
        const auto again = parser.reparse(*tree, text, {}, text);
        REQUIRE(again);
        CHECK(again->nodes().size() == nodes.size());
        CHECK(again->error_count() == tree->error_count());
    }
}

namespace {

void check_same(const Tree& tree, const Tree& whole, const std::string& text) {
    CAPTURE(text);
    CHECK(tree.error_count() == whole.error_count());
    REQUIRE(tree.nodes().size() == whole.nodes().size());
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        const Node& a = tree[id];
        const Node& b = whole[id];
        REQUIRE(a.kind == b.kind);
        REQUIRE(a.field == b.field);
        REQUIRE(a.named == b.named);
        REQUIRE(a.broken == b.broken);
        REQUIRE(a.parent == b.parent);
        REQUIRE(a.subtree_end == b.subtree_end);
        if (id == 0) continue;  // where the module begins, before or behind blank lines, matters to nobody
        REQUIRE(a.start == b.start);
        REQUIRE(a.end == b.end);
    }
}

}  // namespace

TEST_CASE("statement by statement gives the tree of the whole, for every fixture and while it is typed in") {
    // What leaves a file valid, mostly, and what breaks it, mostly.
    const std::vector<std::string> lines{"# comment\n", "\n",   "    # indented\n", "x = 1\n", "\f\n",
                                         "  \n",        "\\\n", "\t# tab\n"};
    const std::vector<std::string> pieces{"(", "x", "\n", "'", "#", "  ", ":", "\"\"\"", "\nelse:\n", "\r", "\\\n"};
    Parser parser, other;
    std::mt19937 random;
    const auto one_of = [&](const auto& all) {
        return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
    };
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("fixtures")) {
        if (entry.path().extension() == ".py") paths.push_back(entry.path());
    }
    std::ranges::sort(paths);  // or the random edits would be others on another disk
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        // Of each file the same edits, whatever other files there are.
        random.seed(static_cast<unsigned>(std::hash<std::string>{}(path.string())) + 7);
        for (int edit = 0; edit < 6; ++edit) {
            const auto whole = other.parse(text);
            const auto tree = parser.parse_statements(text);
            REQUIRE(whole.has_value() == tree.has_value());
            if (whole) check_same(*tree, *whole, text);
            std::size_t at = std::uniform_int_distribution<std::size_t>(0, text.size())(random);
            if (edit < 3) {
                // A lone `else` behind a backslash is taken for good by the parser where nothing is in front of it.
                if (path.filename().string().find("stray_else") != std::string::npos) break;
                at = text.rfind('\n', at == text.size() ? at - 1 : at);
                text.insert(at == std::string::npos ? 0 : at + 1, one_of(lines));
            } else {
                if (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) continue;
                text.insert(at, one_of(pieces));
            }
        }
    }
    CHECK(paths.size() > 500);
}

TEST_CASE("lines that hold a backslash alone belong to the statement behind them") {
    Parser parser, other;
    for (const std::string text :
         {"import a\n\\\n@b\ndef c():\n    pass\n", "@b\n\\\ndef c():\n    pass\n", "if a:\n    b\n\\\n    c\nd\n",
          "a\n\\\r\n\\\r\nb = (\n\\\nc)\n", "def a():\n    b\n\\\n\nc\n", "\\\n", "\\",
          "if a:\n    b\n\\\nelse:\n    c\n", "a = 1\n    for b in c:\n        d\nelse:\n    e\n",
          "def f()\n:\n    a\n", "a, \nb, c = d\n", "a = \"\n(\"\nb\n", "a = 1\nelse:\n    b\nc\n"}) {
        check_same(*parser.parse_statements(text), *other.parse(text), text);
    }
}
