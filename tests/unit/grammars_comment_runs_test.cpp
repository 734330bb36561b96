#include <tree_sitter/api.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "comment_runs.h"
#include "syntax/tree.h"
#include "tree_sitter_python.h"

namespace {

using Parser = std::unique_ptr<TSParser, decltype(&ts_parser_delete)>;
using Tree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

/// As the grammar's own scanner reads it, or with what is remembered of runs of comments.
Tree parsed(TSParser* parser, std::string_view text, const TSTree* old, bool remembers) {
    if (remembers) pto_comment_runs_begin();
    Tree tree(ts_parser_parse_string(parser, old, text.data(), static_cast<std::uint32_t>(text.size())),
              ts_tree_delete);
    pto_comment_runs_end();
    return tree;
}

void append(TSNode node, std::string& out) {
    out += '(';
    out += ts_node_type(node);
    out += ' ' + std::to_string(ts_node_start_byte(node)) + ' ' + std::to_string(ts_node_end_byte(node));
    for (std::uint32_t i = 0; i < ts_node_child_count(node); ++i) append(ts_node_child(node, i), out);
    out += ')';
}

std::string all_of(const Tree& tree) {
    std::string out;
    append(ts_tree_root_node(tree.get()), out);
    return out;
}

TSPoint point_at(std::string_view text, std::size_t offset) {
    TSPoint point{0, 0};
    for (const char c : text.substr(0, offset))
        point = c == '\n' ? TSPoint{point.row + 1, 0} : TSPoint{point.row, point.column + 1};
    return point;
}

/// Runs of comments of all indentations between all that may stand between statements.
std::string some_text(std::mt19937& random) {
    const auto one_of = [&](std::initializer_list<const char*> list) {
        return std::string(list.begin()[random() % list.size()]);
    };
    std::string out;
    std::size_t indent = 0;
    for (std::size_t lines = 5 + random() % 40; lines > 0; --lines) {
        switch (random() % 8) {
            default:
                out += one_of({"", "  ", "    ", "\t", "        "}) + "#" + one_of({"", " c", " a # b", "! \xC3\xA9"}) +
                       one_of({"\n", "\n", "\n", "\r\n", "\n\n", "\n   \n", "\n\\\n", "\n\f"});
                break;
            case 0:
                out += std::string(indent, ' ') + "x = 1" + one_of({"", " # t"}) + "\n";
                break;
            case 1:
                out += std::string(indent, ' ') + "if x:\n";
                indent += 4;
                break;
            case 2:
                indent -= indent == 0 ? 0 : 4;
                break;
            case 3:
                out += std::string(indent, ' ') +
                       one_of({"s = '''a\n# b\n'''\n", "f(\n# a\n  # b\n)\n", "'x'\n", "\\\nx\n", "else:\n",
                               "try:\n  a\n# c\nexcept:\n  b\n", "@d\n# e\ndef f(): pass\n"});
                break;
        }
    }
    if (random() % 3 == 0) out.resize(out.size() - 1);
    return out;
}

}  // namespace

TEST_CASE("what is remembered of comments changes no tree, nor what a change of the text makes of one") {
    const Parser parser(ts_parser_new(), ts_parser_delete);
    REQUIRE(ts_parser_set_language(parser.get(), tree_sitter_python()));
    std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same texts each time
    for (int i = 0; i < 120; ++i) {
        const std::string text = some_text(random);
        INFO(text);
        const Tree plain = parsed(parser.get(), text, nullptr, false),
                   quick = parsed(parser.get(), text, nullptr, true);
        REQUIRE(all_of(plain) == all_of(quick));
        for (int change = 0; change < 20; ++change) {
            const std::size_t at = random() % (text.size() + 1),
                              gone = std::min<std::size_t>(random() % 6, text.size() - at);
            constexpr const char* kPut[] = {"",     " ", "    ", "\n",           "# c\n",
                                            "\\\n", "x", "#",    "# a\n  # b\n", "if x:\n"};
            const std::string put = kPut[random() % std::size(kPut)];
            std::string now = text;
            now.replace(at, gone, put);
            TSInputEdit edit{static_cast<std::uint32_t>(at),
                             static_cast<std::uint32_t>(at + gone),
                             static_cast<std::uint32_t>(at + put.size()),
                             point_at(text, at),
                             point_at(text, at + gone),
                             point_at(now, at + put.size())};
            const Tree old_plain(ts_tree_copy(plain.get()), ts_tree_delete),
                old_quick(ts_tree_copy(quick.get()), ts_tree_delete);
            ts_tree_edit(old_plain.get(), &edit);
            ts_tree_edit(old_quick.get(), &edit);
            INFO(now);
            REQUIRE(all_of(parsed(parser.get(), now, old_plain.get(), false)) ==
                    all_of(parsed(parser.get(), now, old_quick.get(), true)));
        }
    }
}

TEST_CASE("a run of comments costs no more than its length") {
    const auto seconds = [](std::size_t lines) {
        std::string text = "def f():\n    a\n";
        for (std::size_t i = 0; i < lines; ++i) text += "    # a comment of usual length, as they are\n";
        text += "    b\nc\n";
        ptofix::syntax::Parser parser;
        const auto start = std::chrono::steady_clock::now();
        CHECK(parser.parse(text));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    // Before, twenty thousand took more than a minute.
    CHECK(seconds(20000) < 5);
}
