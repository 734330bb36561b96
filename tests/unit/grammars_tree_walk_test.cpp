#include <tree_sitter/api.h>
#include <tree_sitter_python.h>
#include <tree_walk.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

/// symbol, field, named, missing, has_error, start, end, depth
using Seen = std::tuple<TSSymbol, TSFieldId, bool, bool, bool, uint32_t, uint32_t, int>;

struct Walked {
    std::vector<Seen> nodes;
    int depth = 0;
};

std::vector<Seen> walked(const TSTree* tree) {
    Walked walked;
    const PtoTreeVisitor visitor{&walked,
                                 [](void* payload, const PtoTreeNode* n) {
                                     auto* w = static_cast<Walked*>(payload);
                                     w->nodes.emplace_back(n->symbol, n->field, n->named, n->missing, n->has_error,
                                                           n->start_byte, n->end_byte, w->depth++);
                                 },
                                 [](void* payload) { --static_cast<Walked*>(payload)->depth; }};
    REQUIRE(pto_tree_walk(tree, &visitor));
    CHECK(walked.depth == 0);
    return walked.nodes;
}

std::vector<Seen> by_cursor(const TSTree* tree) {
    std::vector<Seen> nodes;
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    int depth = 0;
    for (bool going = true; going;) {
        const TSNode n = ts_tree_cursor_current_node(&cursor);
        nodes.emplace_back(ts_node_symbol(n), ts_tree_cursor_current_field_id(&cursor), ts_node_is_named(n),
                           ts_node_is_missing(n), ts_node_has_error(n), ts_node_start_byte(n), ts_node_end_byte(n),
                           depth);
        if (ts_tree_cursor_goto_first_child(&cursor)) {
            ++depth;
            continue;
        }
        while (going && !ts_tree_cursor_goto_next_sibling(&cursor)) {
            going = ts_tree_cursor_goto_parent(&cursor);
            --depth;
        }
    }
    ts_tree_cursor_delete(&cursor);
    return nodes;
}

void compare(TSParser* parser, const std::string& text) {
    TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<uint32_t>(text.size()));
    REQUIRE(tree != nullptr);
    const bool equal = walked(tree) == by_cursor(tree);
    ts_tree_delete(tree);
    if (!equal) FAIL("the walk and the cursor differ on:\n" << text);
}

}  // namespace

TEST_CASE("the walk gives what the cursor gives: every fixture, whole, cut short and with pieces taken out") {
    const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
    REQUIRE(ts_parser_set_language(parser.get(), tree_sitter_python()));
    std::mt19937 random(1);
    const auto below = [&](std::size_t n) { return random() % (n + 1); };
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("fixtures")) {
        if (entry.path().extension() != ".py") continue;
        ++files;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        compare(parser.get(), text);
        compare(parser.get(), text.substr(0, below(text.size())));
        std::string holes = text;
        for (int i = 0; i < 3 && !holes.empty(); ++i) holes.erase(below(holes.size() - 1), 1 + below(8));
        compare(parser.get(), holes);
    }
    CHECK(files > 100);
    for (const std::string text : {"", " ", "\n", "#", "x", "(", "f(", "if x:", "\\\n", "\xef\xbb\xbfx = 1\n"}) {
        compare(parser.get(), text);
    }
}
