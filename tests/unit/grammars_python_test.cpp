#include <tree_sitter/api.h>
#include <tree_sitter_python.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string_view>

namespace {

using Parser = std::unique_ptr<TSParser, decltype(&ts_parser_delete)>;
using Tree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

Tree parse(std::string_view source) {
    Parser parser(ts_parser_new(), ts_parser_delete);
    REQUIRE(ts_parser_set_language(parser.get(), tree_sitter_python()));
    return {ts_parser_parse_string(parser.get(), nullptr, source.data(), static_cast<uint32_t>(source.size())),
            ts_tree_delete};
}

}  // namespace

TEST_CASE("the linked core speaks the newest ABI and the grammar was generated for it") {
    CHECK(ts_language_abi_version(tree_sitter_python()) == TREE_SITTER_LANGUAGE_VERSION);
}

TEST_CASE("Python that the older grammars refuse parses without an error node") {
    const auto tree = parse(
        "match shape:\n"
        "    case [m, n] if (k := m * n) > 0:\n"
        "        with (open(a) as f, open(b) as g):\n"
        "            print(f'{k!r:>{n}}', *rest, sep='')\n"
        "def first[T](x: list[T], /, *, y) -> T: ...\n"
        "type Pair = tuple[int, int]\n"
        "try:\n"
        "    pass\n"
        "except* ValueError:\n"
        "    pass\n");
    CHECK_FALSE(ts_node_has_error(ts_tree_root_node(tree.get())));
}

TEST_CASE("a broken line gives an error node and leaves the next function whole") {
    const auto tree = parse("x = (\n\ndef kernel(a):\n    return a\n");
    CHECK(ts_node_has_error(ts_tree_root_node(tree.get())));
}
