#include "rewrites/liveness.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "rewrites/mentions.h"
#include "rewrites/variables.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;

bool is_comprehension(Kind kind) {
    return kind == Kind::list_comprehension || kind == Kind::set_comprehension ||
           kind == Kind::dictionary_comprehension || kind == Kind::generator_expression;
}

bool is_pattern(Kind kind) {
    switch (kind) {
        case Kind::pattern_list:
        case Kind::tuple_pattern:
        case Kind::list_pattern:
        case Kind::list_splat_pattern:
        case Kind::tuple:
        case Kind::list:
        case Kind::expression_list:
        case Kind::parenthesized_expression:
            return true;
        default:
            return false;
    }
}

enum class Role : std::uint8_t { read, bound, neither };

/// What an identifier node does where it stands. The left side of `x += 1` is both and counts as a read.
Role role_of(const Tree& tree, NodeId identifier) {
    NodeId at = identifier;
    NodeId parent = tree.parent(at);
    while (parent != kNoNode && is_pattern(tree.kind(parent))) {
        at = parent;
        parent = tree.parent(at);
    }
    if (parent == kNoNode) return Role::read;
    const Field field = tree[at].field;
    switch (tree.kind(parent)) {
        case Kind::assignment:
            if (field != Field::left) return Role::read;
            return tree.child(parent, Field::right) == kNoNode ? Role::neither : Role::bound;
        case Kind::for_statement:
        case Kind::for_in_clause:
            return field == Field::left ? Role::bound : Role::read;
        case Kind::named_expression:
            return field == Field::name ? Role::bound : Role::read;
        case Kind::as_pattern_target:
            return Role::bound;
        case Kind::function_definition:
        case Kind::class_definition:
            return field == Field::name ? Role::bound : Role::read;
        case Kind::attribute:
            return field == Field::attribute ? Role::neither : Role::read;
        case Kind::keyword_argument:
            return field == Field::name ? Role::neither : Role::read;
        case Kind::parameters:
        case Kind::lambda_parameters:
            return Role::neither;
        case Kind::default_parameter:
        case Kind::typed_default_parameter:
            return field == Field::name ? Role::neither : Role::read;
        case Kind::typed_parameter:
            return Role::neither;
        case Kind::dictionary_splat_pattern:
            return Role::neither;
        case Kind::dotted_name: {
            if (is_name_of_pattern(tree, parent)) {
                if (tree[identifier].start != tree[parent].start) return Role::neither;
                return binds(tree, identifier) ? Role::bound : Role::read;
            }
            const NodeId statement = tree.parent(parent);
            const Kind kind = statement == kNoNode ? Kind::other : tree.kind(statement);
            if (kind == Kind::import_statement) return Role::bound;
            if (kind == Kind::import_from_statement) {
                return tree[parent].field == Field::module_name ? Role::neither : Role::bound;
            }
            return Role::neither;
        }
        case Kind::as_pattern:
            return is_name_of_whole_pattern(tree, identifier) ? Role::bound : Role::read;
        case Kind::keyword_pattern:  // the "name" of `case C(name=1)`
            return Role::neither;
        case Kind::aliased_import:
            return field == Field::alias ? Role::bound : Role::neither;
        case Kind::case_pattern:
        case Kind::splat_pattern:
            return Role::bound;
        case Kind::delete_statement:
            return Role::read;
        case Kind::global_statement:
        case Kind::nonlocal_statement:
            return Role::read;  // the name means something outside of the function
        default:
            return Role::read;
    }
}

bool is_scope(Kind kind) {
    return is_comprehension(kind) || kind == Kind::lambda || kind == Kind::function_definition ||
           kind == Kind::class_definition;
}

/// Does the path from a scope down to a node leave it again? Defaults of parameters, bases and what a comprehension
/// runs over first belong to the scope around it.
bool evaluated_outside(const Tree& tree, NodeId node, NodeId scope) {
    NodeId below = node;
    for (NodeId at = node; at != scope; at = tree.parent(at)) {
        const NodeId parent = tree.parent(at);
        const Kind kind = tree.kind(parent);
        if ((kind == Kind::default_parameter || kind == Kind::typed_default_parameter) &&
            tree[at].field == Field::value) {
            return true;
        }
        if (kind == Kind::for_in_clause && tree[at].field == Field::right && tree.parent(parent) == scope) {
            return tree.child_of_kind(scope, Kind::for_in_clause) == parent;
        }
        below = at;
    }
    const Field field = tree[below].field;
    const bool is_definition =
        tree.kind(scope) == Kind::function_definition || tree.kind(scope) == Kind::class_definition;
    return is_definition && field != Field::body && field != Field::parameters;
}

/// Does this inner scope bind the name itself (a parameter, a target, a local)?
bool scope_binds(const trace::SourceFile& file, NodeId scope, std::string_view name) {
    const Tree& tree = file.tree;
    const Mentions mentions(file);
    for (const NodeId n : mentions.between(scope + 1, tree[scope].subtree_end, name)) {
        const NodeId parent = tree.parent(n);
        const Kind kind = tree.kind(parent);
        if (kind == Kind::parameters || kind == Kind::lambda_parameters || kind == Kind::typed_parameter) return true;
        if ((kind == Kind::default_parameter || kind == Kind::typed_default_parameter) &&
            tree[n].field == Field::name) {
            return true;
        }
        const bool own_name = parent == scope && tree[n].field == Field::name;
        if (!own_name && role_of(tree, n) == Role::bound) return true;
    }
    return false;
}

bool shadowed(const trace::SourceFile& file, NodeId identifier, NodeId outermost, std::string_view name) {
    const Tree& tree = file.tree;
    for (NodeId at = identifier;; at = tree.parent(at)) {
        if (is_scope(tree.kind(at)) && !evaluated_outside(tree, identifier, at) && scope_binds(file, at, name))
            return true;
        if (at == outermost || tree.parent(at) == kNoNode) return false;
    }
}

class Liveness {
  public:
    Liveness(const trace::SourceFile& file, std::string_view name)
        : file_(file), tree_(file.tree), mentions_(file), name_(name) {}

    /// The value the name has at the end of the block's statement list goes on to `live`.
    NodeId at_start_of(NodeId block, NodeId live) const {
        std::vector<NodeId> statements;
        for (NodeId child : tree_.children(block)) {
            if (tree_[child].named && tree_.kind(child) != Kind::comment) statements.push_back(child);
        }
        for (const NodeId statement : statements | std::views::reverse) live = before(statement, live);
        return live;
    }

    NodeId after(NodeId statement) const {
        const NodeId block = tree_.parent(statement);
        if (block == kNoNode) return kNoNode;
        NodeId live = at_end_of(block);
        const NodeId begin = tree_[statement].subtree_end, end = tree_[block].subtree_end;
        if (live == kNoNode && mentions_.between(begin, end, name_).empty() && !mentions_.has_jump(begin, end)) {
            return kNoNode;
        }
        std::vector<NodeId> later;
        for (NodeId at = begin; at < end; at = tree_[at].subtree_end) {
            if (tree_[at].named && tree_.kind(at) != Kind::comment) later.push_back(at);
        }
        for (const NodeId next : later | std::views::reverse) live = before(next, live);
        return live;
    }

  private:
    NodeId read(NodeId node) const { return node == kNoNode ? kNoNode : find_read(file_, node, name_); }
    bool binds(NodeId node) const {
        if (node == kNoNode || mentions_.below(node, name_).empty()) return false;
        const auto names = bound_names(file_, node);
        return std::ranges::any_of(names, [&](const Binding& b) { return b.name == name_; });
    }

    /// Where control goes at the end of a block.
    NodeId at_end_of(NodeId block) const {
        const NodeId owner = tree_.parent(block);
        if (owner == kNoNode) return kNoNode;
        switch (tree_.kind(owner)) {
            case Kind::function_definition:
            case Kind::class_definition:
                return declared_outside(owner);
            case Kind::for_statement:
            case Kind::while_statement: {
                const NodeId behind = after(owner);
                if (tree_[block].field != Field::body) return behind;
                return loop_header(owner, behind);
            }
            case Kind::if_statement:
            case Kind::with_statement:
                return after(owner);
            case Kind::elif_clause:
            case Kind::else_clause: {
                const NodeId whole = tree_.parent(owner);
                if (tree_.kind(whole) == Kind::try_statement) return first(read(whole), after(whole));
                return after(whole);
            }
            default: {
                // try, match: any of their other parts may follow.
                NodeId statement = owner;
                while (statement != kNoNode && tree_.kind(statement) != Kind::try_statement &&
                       tree_.kind(statement) != Kind::match_statement) {
                    statement = tree_.parent(statement);
                }
                return statement == kNoNode ? read(owner) : first(read(statement), after(statement));
            }
        }
    }

    /// `if True:`, `if 1:`
    bool is_always_true(NodeId condition) const {
        if (condition == kNoNode) return false;
        const Kind kind = tree_.kind(condition);
        return kind == Kind::true_ || (kind == Kind::integer && file_.text(condition) == "1");
    }

    static NodeId first(NodeId a, NodeId b) { return a != kNoNode ? a : b; }

    /// A global or nonlocal name outlives the function.
    NodeId declared_outside(NodeId function) const {
        for (const NodeId n : mentions_.below(function, name_)) {
            const Kind kind = tree_.kind(tree_.parent(n));
            if (kind == Kind::global_statement || kind == Kind::nonlocal_statement) return n;
        }
        return kNoNode;
    }

    NodeId loop_header(NodeId loop, NodeId behind) const {
        const NodeId body = tree_.child(loop, Field::body);
        if (tree_.kind(loop) == Kind::while_statement) {
            if (const NodeId r = read(tree_.child(loop, Field::condition)); r != kNoNode) return r;
        }
        const bool rebound = binds(tree_.child(loop, Field::left));
        const NodeId inside = rebound || body == kNoNode ? kNoNode : at_start_of(body, behind);
        return first(inside, behind);
    }

    NodeId before(NodeId statement, NodeId live) const {
        switch (tree_.kind(statement)) {
            case Kind::if_statement: {
                const NodeId condition = tree_.child(statement, Field::condition);
                if (const NodeId r = read(condition); r != kNoNode) return r;
                NodeId result = at_start_of(tree_.child(statement, Field::consequence), live);
                if (is_always_true(condition)) return result;
                bool has_else = false;
                for (NodeId c : tree_.children(statement)) {
                    if (tree_.kind(c) == Kind::elif_clause) {
                        result = first(result, read(tree_.child(c, Field::condition)));
                        result = first(result, at_start_of(tree_.child(c, Field::consequence), live));
                    } else if (tree_.kind(c) == Kind::else_clause) {
                        has_else = true;
                        result = first(result, at_start_of(tree_.child(c, Field::body), live));
                    }
                }
                return has_else ? result : first(result, live);
            }
            case Kind::for_statement:
            case Kind::while_statement: {
                if (const NodeId r = read(tree_.child(statement, Field::right)); r != kNoNode) return r;
                const NodeId alternative = tree_.child_of_kind(statement, Kind::else_clause);
                if (alternative != kNoNode) live = first(read(alternative), live);
                return loop_header(statement, live);
            }
            case Kind::with_statement: {
                const NodeId items = tree_.child_of_kind(statement, Kind::with_clause);
                if (const NodeId r = read(items); r != kNoNode) return r;
                if (binds(items)) return kNoNode;
                return at_start_of(tree_.child(statement, Field::body), live);
            }
            case Kind::try_statement:
            case Kind::match_statement:
            case Kind::function_definition:
            case Kind::class_definition:
            case Kind::decorated_definition:
                return first(read(statement), live);
            case Kind::return_statement:
            case Kind::raise_statement:
                return read(statement);
            case Kind::break_statement:
            case Kind::continue_statement:
                return statement;  // where it goes is not followed
            default:
                if (const NodeId r = read(statement); r != kNoNode) return r;
                return binds(statement) ? kNoNode : live;
        }
    }

    const trace::SourceFile& file_;
    const Tree& tree_;
    Mentions mentions_;
    std::string_view name_;
};

}  // namespace

std::vector<Binding> bound_names(const trace::SourceFile& file, NodeId node) {
    std::vector<Binding> found;
    const Tree& tree = file.tree;
    for (NodeId n = node; n < tree[node].subtree_end;) {
        const Kind kind = tree.kind(n);
        if (n != node && (is_comprehension(kind) || kind == Kind::lambda)) {
            n = tree[n].subtree_end;
            continue;
        }
        if (n != node && (kind == Kind::function_definition || kind == Kind::class_definition)) {
            const NodeId name = tree.child(n, Field::name);
            if (name != kNoNode) found.push_back({file.text(name), name});
            n = tree[n].subtree_end;
            continue;
        }
        if (kind == Kind::identifier) {
            const NodeId parent = tree.parent(n);
            const bool updated =
                parent != kNoNode && tree.kind(parent) == Kind::augmented_assignment && tree[n].field == Field::left;
            if (updated || role_of(tree, n) == Role::bound) found.push_back({file.text(n), n});
        }
        ++n;
    }
    std::vector<Binding> unique;
    std::unordered_set<std::string_view> seen;
    for (const Binding& b : found) {
        if (seen.insert(b.name).second) unique.push_back(b);
    }
    return unique;
}

NodeId find_read(const trace::SourceFile& file, NodeId node, std::string_view name) {
    const Mentions mentions(file);
    for (const NodeId n : mentions.below(node, name)) {
        if (role_of(file.tree, n) == Role::read && !shadowed(file, n, node, name)) return n;
    }
    return kNoNode;
}

NodeId read_after(const trace::SourceFile& file, NodeId statement, std::string_view name) {
    return Liveness(file, name).after(statement);
}

NodeId read_before_binding(const trace::SourceFile& file, NodeId block, std::string_view name) {
    return Liveness(file, name).at_start_of(block, kNoNode);
}

}  // namespace ptofix::rewrites
