#include "rewrites/variables.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

bool is_match_pattern(Kind kind) {
    switch (kind) {
        case Kind::case_pattern:
        case Kind::class_pattern:
        case Kind::dict_pattern:
        case Kind::keyword_pattern:
        case Kind::list_pattern:
        case Kind::tuple_pattern:
        case Kind::union_pattern:
        case Kind::as_pattern:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool is_name_of_pattern(const syntax::Tree& tree, NodeId dotted) {
    const NodeId parent = tree.parent(dotted);
    return parent != kNoNode && is_match_pattern(tree.kind(parent));
}

bool is_name_of_whole_pattern(const syntax::Tree& tree, NodeId identifier) {
    const NodeId parent = tree.parent(identifier);
    return parent != kNoNode && tree.kind(parent) == Kind::as_pattern && tree.kind(identifier) == Kind::identifier &&
           tree[parent].subtree_end == identifier + 1;
}

namespace {

bool is_variable(const syntax::Tree& tree, NodeId id) {
    const NodeId parent = tree.parent(id);
    if (parent == kNoNode) return false;
    switch (tree.kind(parent)) {
        case Kind::attribute:
            return tree[id].field != Field::attribute;
        case Kind::keyword_argument:
            return tree[id].field != Field::name;
        case Kind::keyword_pattern:  // C(name=...)
        case Kind::aliased_import:
            return false;
        case Kind::dotted_name:
            return is_name_of_pattern(tree, parent) && tree[id].start == tree[parent].start;
        default:
            return true;
    }
}

/// Does the target list of an assignment, loop or `with` bind this identifier itself, not something reached through it?
bool is_in_target(const syntax::Tree& tree, NodeId id) {
    NodeId below = id;
    for (NodeId at = tree.parent(id); at != kNoNode; below = at, at = tree.parent(at)) {
        switch (tree.kind(at)) {
            case Kind::pattern_list:
            case Kind::tuple_pattern:
            case Kind::list_pattern:
            case Kind::list_splat_pattern:
            case Kind::dictionary_splat_pattern:
            case Kind::expression_list:
            case Kind::tuple:
            case Kind::list:
            case Kind::parenthesized_expression:
                continue;
            case Kind::assignment:
            case Kind::augmented_assignment:
            case Kind::for_statement:
            case Kind::for_in_clause:
                return tree[below].field == Field::left;
            case Kind::as_pattern_target:
            case Kind::delete_statement:
            case Kind::global_statement:
            case Kind::nonlocal_statement:
            case Kind::lambda_parameters:
            case Kind::parameters:
            case Kind::typed_parameter:
            case Kind::case_pattern:
            case Kind::splat_pattern:
                return true;
            case Kind::dotted_name:
                // A name captures, "a.b" is a value, and the name before parentheses is a class.
                return is_name_of_pattern(tree, at) && tree[id].end == tree[at].end &&
                       tree.kind(tree.parent(at)) != Kind::class_pattern;
            case Kind::as_pattern:
                return is_name_of_whole_pattern(tree, id);
            case Kind::named_expression:
            case Kind::default_parameter:
            case Kind::typed_default_parameter:
            case Kind::function_definition:
            case Kind::class_definition:
                return tree[below].field == Field::name;
            default:
                return false;
        }
    }
    return false;
}

}  // namespace

std::vector<NodeId> variable_uses(const trace::SourceFile& file, NodeId scope, std::string_view name) {
    std::vector<NodeId> found;
    const auto nodes = file.tree.nodes();
    for (NodeId id = scope; id < nodes[scope].subtree_end; ++id) {
        if (nodes[id].kind != Kind::identifier || nodes[id].end - nodes[id].start != name.size()) continue;
        if (file.text(id) == name && is_variable(file.tree, id)) found.push_back(id);
    }
    return found;
}

bool binds(const syntax::Tree& tree, NodeId identifier) {
    return is_in_target(tree, identifier);
}

bool is_mentioned(const trace::SourceFile& file, std::string_view name) {
    const auto nodes = file.tree.nodes();
    return std::ranges::any_of(nodes, [&](const syntax::Node& n) {
        return n.kind == Kind::identifier && file.text().substr(n.start, n.end - n.start) == name;
    });
}

std::string free_name(const trace::SourceFile& file, const std::vector<std::string>& candidates) {
    for (const std::string& name : candidates) {
        if (!is_mentioned(file, name)) return name;
    }
    const char last = candidates.back().back();
    const std::string_view gap = last >= '0' && last <= '9' ? "_" : "";
    for (int n = 2;; ++n) {
        std::string name = fmt::format("{}{}{}", candidates.back(), gap, n);
        if (!is_mentioned(file, name)) return name;
    }
}

}  // namespace ptofix::rewrites
