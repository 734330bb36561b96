// A lexer that logs goes the core's own way at each character (grammars/fast_advance.h): what it makes of a text is
// what the other must make of it.
#include <tree_sitter/api.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tree_sitter_python.h"

namespace {

using Tree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

struct Way {
    bool logs = false;
    std::size_t chunk = SIZE_MAX;  // so many bytes are shown at once
    std::vector<TSRange> ranges = {};
};

struct Text {
    std::string_view text;
    std::size_t chunk;
};

const char* read_chunk(void* payload, std::uint32_t at, TSPoint, std::uint32_t* size) {
    const auto* input = static_cast<const Text*>(payload);
    const std::string_view rest = input->text.substr(std::min<std::size_t>(at, input->text.size()));
    *size = static_cast<std::uint32_t>(std::min(rest.size(), input->chunk));
    return rest.data();
}

std::size_t logged = 0;

void append(TSNode node, std::string& out) {
    const auto number = [&](std::uint32_t n) { out += ' ' + std::to_string(n); };
    out += '(';
    out += ts_node_type(node);
    for (const std::uint32_t n :
         {ts_node_start_byte(node), ts_node_end_byte(node), ts_node_start_point(node).row,
          ts_node_start_point(node).column, ts_node_end_point(node).row, ts_node_end_point(node).column}) {
        number(n);
    }
    for (std::uint32_t i = 0; i < ts_node_child_count(node); ++i) append(ts_node_child(node, i), out);
    out += ')';
}

std::string parsed(std::string_view text, const Way& way, const TSTree* old = nullptr, Tree* kept = nullptr) {
    const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
    REQUIRE(ts_parser_set_language(parser.get(), tree_sitter_python()));
    if (way.logs) ts_parser_set_logger(parser.get(), {nullptr, [](void*, TSLogType, const char*) { ++logged; }});
    if (!way.ranges.empty()) {
        REQUIRE(ts_parser_set_included_ranges(parser.get(), way.ranges.data(),
                                              static_cast<std::uint32_t>(way.ranges.size())));
    }
    Text input{text, way.chunk};
    Tree tree(ts_parser_parse(parser.get(), old, {&input, read_chunk, TSInputEncodingUTF8, nullptr}), ts_tree_delete);
    std::string out;
    append(ts_tree_root_node(tree.get()), out);
    if (kept != nullptr) *kept = std::move(tree);
    return out;
}

void check_same(std::string_view text, Way way = {}) {
    const std::string fast = parsed(text, way);
    way.logs = true;
    INFO(text);
    CHECK((fast == parsed(text, way)));
}

std::vector<std::string> texts() {
    std::vector<std::string> all = {"",
                                    "\n",
                                    "x",
                                    "\xEF\xBB\xBFx = 1\n",
                                    "a\r\nb\rc\n\td\n",
                                    "\xC3\xA9t\xC3\xA9 = 'na\xC3\xAFve \xF0\x9F\x98\x80'\n",
                                    "x\xCC\x81y = 1\nx\xC2\xB7z = 2\n",
                                    "f'{x!r:>{w}} {{ }} \\N{DASH}' rb'\\''\n",
                                    std::string("a\0b\n", 4),
                                    "a\xFF\xFE"
                                    "b \x80\n",
                                    "if x:\n\ty\n        z\n",
                                    "x = \\\n  1\n\\\n",
                                    "'''\n# no\n'''\n# yes"};
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("fixtures")) {
        if (entry.path().extension() != ".py" || ++files % 3 != 0) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return all;
}

}  // namespace

TEST_CASE("the fast way reads whole texts as the core does") {
    logged = 0;
    const std::vector<std::string> all = texts();
    REQUIRE(all.size() > 100);
    for (const std::string& text : all) check_same(text);
    CHECK(logged > 100'000);  // the other way was another way
}

TEST_CASE("the fast way reads broken texts as the core does") {
    std::mt19937 random(11);
    const std::string_view strange[] = {
        "\xC3", "\xE2\x82\xAC", "\r", "\f", "'''", "\\", "{", "f'", std::string_view("\0", 1), "#"};
    for (std::string text : texts()) {
        for (int i = 0; i < 3 && !text.empty(); ++i) {
            if (random() % 2 == 0) {
                text.erase(random() % text.size(), 1 + random() % 9);
            } else {
                text.insert(random() % text.size(), strange[random() % std::size(strange)]);
            }
        }
        check_same(text);
    }
}

TEST_CASE("the fast way reads a text that comes in pieces as the core does") {
    const std::vector<std::string> all = texts();
    for (std::size_t at = 0; at < all.size(); at += at < 14 ? 1 : 4) {
        const std::string& text = all[at];
        for (const std::size_t chunk : {1, 2, 3, 7, 64}) check_same(text, {.chunk = chunk});
    }
}

TEST_CASE("the fast way keeps to the ranges that it is given") {
    const std::string text = "x = 1  ///\ny = 2\n///z = (a,\n  b)\n/// w";
    const auto range = [&](std::uint32_t from, std::uint32_t to) {
        const auto point = [&](std::uint32_t at) {
            const auto row = static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + at, '\n'));
            const std::size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
            return TSPoint{row, line == std::string::npos ? at : at - static_cast<std::uint32_t>(line) - 1};
        };
        return TSRange{point(from), point(to), from, to};
    };
    const auto end = static_cast<std::uint32_t>(text.size());
    check_same(text, {.ranges = {range(0, 6), range(10, 17), range(20, 33), range(36, end)}});
    check_same(text, {.ranges = {range(4, 5)}});
    check_same(text, {.ranges = {range(0, 0), range(10, 12)}});
    for (std::uint32_t from = 0; from < end; from += 3) {
        for (std::uint32_t to = from; to <= end; to += 5) check_same(text, {.ranges = {range(from, to)}});
    }
}

TEST_CASE("the fast way reads a changed text as the core does") {
    std::mt19937 random(3);
    for (const std::string& text : texts()) {
        if (text.size() < 20) continue;
        Tree fast(nullptr, ts_tree_delete), slow(nullptr, ts_tree_delete);
        parsed(text, {}, nullptr, &fast);
        parsed(text, {.logs = true}, nullptr, &slow);
        const auto at = static_cast<std::uint32_t>(random() % (text.size() - 10));
        const std::string changed = text.substr(0, at) + "q\n" + text.substr(at + 5);
        const auto point = [&](const std::string& of, std::uint32_t to) {
            const auto row = static_cast<std::uint32_t>(std::count(of.begin(), of.begin() + to, '\n'));
            const std::size_t line = to == 0 ? std::string::npos : of.rfind('\n', to - 1);
            return TSPoint{row, line == std::string::npos ? to : to - static_cast<std::uint32_t>(line) - 1};
        };
        const TSInputEdit edit{at, at + 5, at + 2, point(text, at), point(text, at + 5), point(changed, at + 2)};
        ts_tree_edit(fast.get(), &edit);
        ts_tree_edit(slow.get(), &edit);
        CHECK((parsed(changed, {}, fast.get()) == parsed(changed, {.logs = true}, slow.get())));
    }
}

TEST_CASE("a name holds the letters, digits and low lines of ASCII, and begins with no digit") {
    const auto is_name = [](const std::string& text) {
        return parsed(text, {}).find("(identifier 0 " + std::to_string(text.size()) + " ") != std::string::npos;
    };
    for (char c = 1; c > 0 && c < 127; ++c) {
        const bool letter = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
        const bool digit = '0' <= c && c <= '9';
        INFO(static_cast<int>(c));
        CHECK(is_name(std::string("q") + c + "q") == (letter || digit));
        CHECK(is_name(std::string(1, c) + "qq") == letter);
    }
}
