#include <dense_language.h>
#include <tree_sitter/api.h>
#include <tree_sitter_python.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

const TSLanguage* dense() {
    static const TSLanguage* const language = pto_dense_language(tree_sitter_python());
    return language;
}

std::vector<TSSymbol> lookaheads(const TSLanguage* language, TSStateId state) {
    std::vector<TSSymbol> symbols;
    TSLookaheadIterator* at = ts_lookahead_iterator_new(language, state);
    REQUIRE(at != nullptr);
    while (ts_lookahead_iterator_next(at)) symbols.push_back(ts_lookahead_iterator_current_symbol(at));
    ts_lookahead_iterator_delete(at);
    std::sort(symbols.begin(), symbols.end());
    return symbols;
}

std::string parsed(const TSLanguage* language, const std::string& text) {
    TSParser* parser = ts_parser_new();
    REQUIRE(ts_parser_set_language(parser, language));
    TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size()));
    const std::unique_ptr<char, decltype(&std::free)> words(ts_node_string(ts_tree_root_node(tree)), &std::free);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    return words.get();
}

}  // namespace

TEST_CASE("the dense language takes every symbol in every state to where the language does") {
    const TSLanguage* plain = tree_sitter_python();
    REQUIRE(dense() != plain);
    const auto states = static_cast<TSStateId>(ts_language_state_count(plain));
    REQUIRE(ts_language_state_count(dense()) == states);
    TSSymbol last = 0;  // those behind it are other names of symbols: no state knows them
    std::size_t different = 0;
    for (TSStateId state = 1; state < states; ++state) {
        const std::vector<TSSymbol> symbols = lookaheads(plain, state);
        if (!symbols.empty()) last = std::max(last, symbols.back());
        different += symbols != lookaheads(dense(), state);
    }
    std::size_t known = 0;
    for (TSStateId state = 1; state < states; ++state) {
        for (TSSymbol symbol = 0; symbol <= last; ++symbol) {
            const TSStateId next = ts_language_next_state(plain, state, symbol);
            known += next != 0;
            different += ts_language_next_state(dense(), state, symbol) != next;
        }
    }
    CHECK(different == 0);
    CHECK(known > states);
}

TEST_CASE("the dense language reads whole and broken texts as the language does") {
    std::mt19937 random(7);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("fixtures")) {
        if (entry.path().extension() != ".py" || ++files % 4 != 0) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        std::string text(std::istreambuf_iterator<char>(in), {});
        INFO(entry.path());
        CHECK(parsed(dense(), text) == parsed(tree_sitter_python(), text));
        if (text.empty()) continue;
        text.erase(random() % text.size(), 1 + random() % 9);
        CHECK(parsed(dense(), text) == parsed(tree_sitter_python(), text));
    }
    CHECK(files > 100);
}
