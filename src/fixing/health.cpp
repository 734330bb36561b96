#include "fixing/health.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include "fixing/line_structure.h"

namespace ptofix::fixing {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::Node;
using syntax::NodeId;

constexpr bool is_loop(Kind kind) {
    return kind == Kind::for_statement || kind == Kind::while_statement;
}
constexpr bool is_scope(Kind kind) {
    return kind == Kind::function_definition || kind == Kind::class_definition || kind == Kind::lambda;
}
constexpr bool is_suite(Kind kind) {
    return kind == Kind::block || kind == Kind::module_;
}

/// One walk in reading order with a stack of the nodes around that matter; linear in the size of the tree.
class Examination {
  public:
    Examination(std::string_view text, const syntax::Tree& tree) : text_(text), tree_(tree) {}

    Health run() {
        for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
            while (!open_.empty() && id >= tree_[open_.back().node].subtree_end) open_.pop_back();
            visit(id);
        }
        // Imbalance is no place but a sum.
        counts(Fault::unbalanced_brackets) =
            static_cast<std::uint32_t>(std::abs(round_) + std::abs(square_) + std::abs(curly_));
        counts(Fault::unbalanced_strings) = static_cast<std::uint32_t>(std::abs(strings_));
        // Some errors have no node to stand at.
        counts(Fault::syntax_error) = static_cast<std::uint32_t>(tree_.error_count());
        const LineFaults lines = find_line_faults(text_, tree_);
        for (const std::uint32_t at : lines.breaks) add_at(Fault::line_break, at);
        for (const std::uint32_t at : lines.separators) add_at(Fault::missing_separator, at);
        for (const std::uint32_t at : lines.strings) add_at(Fault::unbalanced_strings, at);
        const std::size_t last = text_.find_last_not_of("\r\n");
        if (last != std::string_view::npos && text_[last] == '\\') {
            add_at(Fault::dangling_backslash, static_cast<std::uint32_t>(last));
        }
        return health_;
    }

  private:
    struct Open {
        NodeId node;
        Kind kind;
        std::string_view indent;  // suites: what their lines start with
        bool indent_known = false;
        char quote = 0;  // interpolations: of the string they are in
        bool triple = false;
    };

    std::uint32_t& counts(Fault fault) { return health_.counts[static_cast<std::size_t>(fault)]; }

    void add(Fault fault, NodeId at) { add_at(fault, tree_[at].start); }
    void add_at(Fault fault, std::uint32_t offset) {
        if (counts(fault)++ == 0) health_.first[static_cast<std::size_t>(fault)] = offset;
    }

    void visit(NodeId id) {
        const Node& node = tree_[id];
        if (!open_.empty() && is_suite(open_.back().kind) && node.parent == open_.back().node) statement(id);
        switch (node.kind) {
            case Kind::error:
            case Kind::missing:
                add(Fault::syntax_error, id);
                break;
            case Kind::module_:
                open_.push_back({id, node.kind, {}, true});
                future_imports(id);
                break;
            case Kind::block:
                suite(id);
                break;
            case Kind::for_statement:
            case Kind::while_statement:
            case Kind::function_definition:
            case Kind::class_definition:
                open_.push_back({id, node.kind, {}});
                break;
            case Kind::lambda:
                // Its colon would start the format.
                if (!open_.empty() && open_.back().node == node.parent && open_.back().kind == Kind::interpolation) {
                    add(Fault::nested_quotes, id);
                }
                open_.push_back({id, node.kind, {}});
                break;
            case Kind::open_paren:
                ++round_;
                break;
            case Kind::close_paren:
                --round_;
                break;
            case Kind::open_bracket:
                ++square_;
                break;
            case Kind::close_bracket:
                --square_;
                break;
            case Kind::open_brace:
                ++curly_;
                break;
            case Kind::close_brace:
                --curly_;
                break;
            case Kind::string_start:
                ++strings_;
                quotes(id);
                break;
            case Kind::string_end:
                --strings_;
                break;
            case Kind::interpolation:
                interpolation(id);
                break;
            case Kind::argument_list:
                arguments(id);
                break;
            case Kind::parameters:
            case Kind::lambda_parameters:
                parameters(id);
                break;
            case Kind::assignment:
                assignment(id);
                break;
            case Kind::break_statement:
            case Kind::continue_statement:
                jump(id);
                break;
            case Kind::return_statement:
                leave(id);
                break;
            case Kind::list_splat:
            case Kind::dictionary_splat:
                star(id);
                break;
            case Kind::print_statement:
            case Kind::exec_statement:
                add(Fault::python2_statement, id);
                break;
            default:
                break;
        }
    }

    /// The blanks before a node when nothing else stands before it on its line. What an empty line with a backslash
    /// joins to the line counts from there.
    std::optional<std::string_view> indent_of(NodeId id) const {
        std::uint32_t start = tree_[id].start;
        while (true) {
            std::uint32_t at = start;
            while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t' || text_[at - 1] == '\f')) --at;
            if (at == 0 || (at == 3 && text_.starts_with("\xEF\xBB\xBF"))) return text_.substr(at, start - at);
            if (text_[at - 1] != '\n' && text_[at - 1] != '\r') return std::nullopt;
            std::uint32_t line_end = at - 1;
            if (text_[line_end] == '\n' && line_end > 0 && text_[line_end - 1] == '\r') --line_end;
            if (line_end == 0 || text_[line_end - 1] != '\\') return text_.substr(at, start - at);
            start = line_end - 1;
        }
    }

    void suite(NodeId id) {
        if (tree_.named_child_count(id) == 0) add(Fault::empty_block, id);
        open_.push_back({id, Kind::block, {}});
    }

    /// A direct child of the suite on top of the stack.
    void statement(NodeId id) {
        const Node& node = tree_[id];
        if (!node.named || node.kind == Kind::comment || node.kind == Kind::line_continuation ||
            node.kind == Kind::error) {
            return;
        }
        const auto indent = indent_of(id);
        if (!indent) return;
        Open& suite = open_.back();
        if (suite.indent_known) {
            if (*indent != suite.indent) add(Fault::indentation, id);
            return;
        }
        suite.indent = *indent;
        suite.indent_known = true;
        for (auto outer = open_.rbegin() + 1; outer != open_.rend(); ++outer) {
            if (!is_suite(outer->kind) || !outer->indent_known) continue;
            if (indent->size() <= outer->indent.size() || !indent->starts_with(outer->indent)) {
                add(Fault::indentation, id);
            }
            break;
        }
    }

    void future_imports(NodeId module) {
        bool late = false, first = true;
        for (const NodeId child : tree_.children(module)) {
            const Node& node = tree_[child];
            if (!node.named || node.kind == Kind::comment) continue;
            if (node.kind == Kind::future_import_statement) {
                if (late) add(Fault::late_future_import, child);
            } else {
                const NodeId inner = tree_.named_child(child, 0);
                const bool docstring = first && node.kind == Kind::expression_statement && inner != kNoNode &&
                                       tree_.kind(inner) == Kind::string;
                late = late || !docstring;
            }
            first = false;
        }
    }

    void quotes(NodeId start) {
        for (const auto& outer : open_ | std::views::reverse) {
            if (outer.kind != Kind::interpolation) continue;
            const auto [quote, triple] = quote_of(start);
            if (quote == outer.quote && (triple || !outer.triple)) add(Fault::nested_quotes, start);
            return;
        }
    }

    std::pair<char, bool> quote_of(NodeId string_start) const {
        const text::Range range = tree_.range(string_start);
        const std::string_view written = text_.substr(range.start, range.size());
        if (written.empty()) return {0, false};
        return {written.back(), written.size() >= 3 && written.ends_with(std::string(3, written.back()))};
    }

    void interpolation(NodeId id) {
        Open entry{id, Kind::interpolation, {}};
        const NodeId string = tree_[id].parent;
        const NodeId start = string == kNoNode ? kNoNode : tree_.child_of_kind(string, Kind::string_start);
        if (start != kNoNode) std::tie(entry.quote, entry.triple) = quote_of(start);
        const bool nested =
            std::any_of(open_.begin(), open_.end(), [](const Open& o) { return o.kind == Kind::interpolation; });
        const text::Range range = tree_.range(id);
        if (!nested && text_.substr(range.start, range.size()).find('\\') != std::string_view::npos) {
            add(Fault::nested_quotes, id);
        }
        open_.push_back(entry);
    }

    void arguments(NodeId id) {
        bool keyword_seen = false;
        std::vector<std::string_view> keywords;
        for (const NodeId child : tree_.children(id)) {
            const Node& node = tree_[child];
            if (!node.named || node.kind == Kind::comment || node.kind == Kind::line_continuation) continue;
            if (node.kind == Kind::keyword_argument) {
                keyword_seen = true;
                keywords.push_back(text_of(tree_.child(child, Field::name)));
            } else if (node.kind == Kind::dictionary_splat) {
                keyword_seen = true;
            } else if (keyword_seen && node.kind != Kind::list_splat && node.kind != Kind::error) {
                add(Fault::positional_after_keyword, child);
            }
        }
        count_repeated(keywords, Fault::repeated_keyword, id);
    }

    void parameters(NodeId id) {
        bool default_seen = false, keyword_only = false;
        std::vector<std::string_view> names;
        for (const NodeId child : tree_.children(id)) {
            NodeId name = kNoNode;
            switch (tree_.kind(child)) {
                case Kind::identifier:
                    name = child;
                    break;
                case Kind::typed_parameter:
                    name = tree_.named_child(child, 0);
                    if (name != kNoNode && tree_.kind(name) != Kind::identifier) {
                        keyword_only = keyword_only || tree_.kind(name) == Kind::list_splat_pattern;
                        names.push_back(text_of(tree_.named_child(name, 0)));
                        continue;
                    }
                    break;
                case Kind::default_parameter:
                case Kind::typed_default_parameter:
                    default_seen = true;
                    names.push_back(text_of(tree_.child(child, Field::name)));
                    continue;
                case Kind::keyword_separator:
                    keyword_only = true;
                    continue;
                case Kind::list_splat_pattern:
                    keyword_only = true;
                    names.push_back(text_of(tree_.named_child(child, 0)));
                    continue;
                case Kind::dictionary_splat_pattern:
                    names.push_back(text_of(tree_.named_child(child, 0)));
                    continue;
                default:
                    continue;
            }
            names.push_back(text_of(name));
            if (default_seen && !keyword_only) add(Fault::default_first, child);
        }
        count_repeated(names, Fault::repeated_parameter, id);
    }

    void assignment(NodeId id) {
        const NodeId left = tree_.child(id, Field::left);
        if (left != kNoNode && tree_.kind(left) == Kind::list_splat_pattern) add(Fault::misplaced_star, left);
        if (tree_[id].parent != kNoNode && tree_.kind(tree_[id].parent) == Kind::assignment &&
            tree_.child(id, Field::type) != kNoNode) {
            add(Fault::nested_annotation, id);
        }
    }

    std::string_view text_of(NodeId id) const {
        if (id == kNoNode) return {};
        return text_.substr(tree_[id].start, tree_.range(id).size());
    }

    void count_repeated(std::vector<std::string_view>& names, Fault fault, NodeId at) {
        std::sort(names.begin(), names.end());
        for (std::size_t i = 1; i < names.size(); ++i) {
            if (names[i] == names[i - 1] && !names[i].empty()) add(fault, at);
        }
    }

    void star(NodeId id) {
        const bool mapping = tree_.kind(id) == Kind::dictionary_splat;
        // The grammar reads [*f(x)] as a call of "*f".
        NodeId outer = id;
        NodeId holder = tree_[id].parent;
        while (outer == holder + 1 && (tree_.kind(holder) == Kind::call || tree_.kind(holder) == Kind::attribute ||
                                       tree_.kind(holder) == Kind::subscript)) {
            outer = holder;
            holder = tree_[outer].parent;
        }
        switch (tree_.kind(holder)) {
            case Kind::argument_list:
                return;
            case Kind::dictionary:
                if (mapping) return;
                break;
            case Kind::list:
            case Kind::tuple:
            case Kind::set:
            case Kind::expression_list:
            case Kind::subscript:
            case Kind::error:
                if (!mapping) return;
                break;
            default:
                break;
        }
        add(Fault::misplaced_star, id);
    }

    void jump(NodeId id) {
        for (const auto& outer : open_ | std::views::reverse) {
            if (is_loop(outer.kind)) return;
            if (is_scope(outer.kind)) break;
        }
        add(Fault::jump_outside, id);
    }

    void leave(NodeId id) {
        for (const auto& outer : open_ | std::views::reverse) {
            if (outer.kind == Kind::function_definition) return;
            if (outer.kind == Kind::class_definition) break;
        }
        add(Fault::jump_outside, id);
    }

    std::string_view text_;
    const syntax::Tree& tree_;
    std::vector<Open> open_;
    Health health_;
    int round_ = 0, square_ = 0, curly_ = 0, strings_ = 0;
};

}  // namespace

std::string_view name_of(Fault fault) {
    switch (fault) {
        case Fault::syntax_error:
            return "a syntax error";
        case Fault::empty_block:
            return "an empty block";
        case Fault::indentation:
            return "inconsistent indentation";
        case Fault::unbalanced_brackets:
            return "unbalanced brackets";
        case Fault::unbalanced_strings:
            return "an unterminated string";
        case Fault::positional_after_keyword:
            return "a positional argument after a keyword argument";
        case Fault::repeated_keyword:
            return "a repeated keyword argument";
        case Fault::repeated_parameter:
            return "a repeated parameter";
        case Fault::default_first:
            return "a parameter without a default after one with it";
        case Fault::nested_annotation:
            return "an annotation inside an assignment";
        case Fault::jump_outside:
            return "a break, continue or return outside of what it leaves";
        case Fault::late_future_import:
            return "a __future__ import that is not the first statement";
        case Fault::nested_quotes:
            return "an f-string that not every Python reads";
        case Fault::line_break:
            return "a line break inside a statement";
        case Fault::missing_separator:
            return "two statements on one line";
        case Fault::misplaced_star:
            return "a starred expression where none may be";
        case Fault::python2_statement:
            return "a statement of Python 2";
        case Fault::dangling_backslash:
            return "a backslash at the end of the file";
        case Fault::count_:
            break;
    }
    return {};
}

Health examine(std::string_view text, const syntax::Tree& tree) {
    return Examination(text, tree).run();
}

std::optional<Fault> worse(const Health& before, const Health& now) {
    for (std::size_t i = 0; i < before.counts.size(); ++i) {
        if (now.counts[i] > before.counts[i]) return static_cast<Fault>(i);
    }
    return std::nullopt;
}

}  // namespace ptofix::fixing
