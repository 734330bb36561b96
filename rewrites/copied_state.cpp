#include "rewrites/copied_state.h"

#include <algorithm>
#include <array>
#include <span>

#include "rewrites/liveness.h"
#include "rewrites/loop_checks.h"
#include "rewrites/variables.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Loop;
using trace::LoopId;
using trace::Operation;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

constexpr int kMostSteps = 8;  // names of names
constexpr auto kMakers = std::to_array<std::string_view>({"abs", "bool", "dict", "float", "int", "iter", "len", "list",
                                                          "max", "min", "range", "round", "set", "str", "tuple"});

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// What the names of a function stand for, as far as the text says so.
class PythonValues {
  public:
    PythonValues(const SourceFile& file, NodeId function) : file_(file), tree_(file.tree), function_(function) {}

    /// Is the name given a number, a text or a container before the loop?
    bool starts_as_one(std::string_view name, NodeId loop, int depth = 0) const {
        return std::ranges::any_of(variable_uses(file_, function_, name), [&](NodeId use) {
            return use < loop && binds(tree_, use) && is_one(value_given_to(use), depth);
        });
    }

  private:
    /// The expression that this target gets: `n` of `n, m = 0, 1` gets 0.
    NodeId value_given_to(NodeId target) const {
        const NodeId parent = tree_.parent(target);
        switch (tree_.kind(parent)) {
            case Kind::assignment:
                return tree_[target].field == Field::left ? tree_.child(parent, Field::right) : kNoNode;
            case Kind::named_expression:
                return tree_.child(parent, Field::value);
            case Kind::pattern_list:
            case Kind::tuple_pattern:
            case Kind::list_pattern: {
                const NodeId whole = value_given_to(parent);
                if (whole == kNoNode) return kNoNode;
                const Kind kind = tree_.kind(whole);
                const bool has_items = kind == Kind::expression_list || kind == Kind::tuple || kind == Kind::list;
                if (!has_items || tree_.named_child_count(whole) != tree_.named_child_count(parent)) return kNoNode;
                for (std::size_t i = 0; i < tree_.named_child_count(parent); ++i) {
                    if (tree_.named_child(parent, i) == target) return tree_.named_child(whole, i);
                }
                return kNoNode;
            }
            default:
                return kNoNode;
        }
    }

    bool is_one(NodeId node, int depth) const {
        if (node == kNoNode || depth > kMostSteps) return false;
        switch (tree_.kind(node)) {
            case Kind::integer:
            case Kind::float_:
            case Kind::string:
            case Kind::concatenated_string:
            case Kind::true_:
            case Kind::false_:
            case Kind::list:
            case Kind::tuple:
            case Kind::dictionary:
            case Kind::set:
            case Kind::list_comprehension:
            case Kind::dictionary_comprehension:
            case Kind::set_comprehension:
                return true;
            case Kind::assignment:  // n = m = 0
                return is_one(tree_.child(node, Field::right), depth + 1);
            case Kind::parenthesized_expression:
                return is_one(tree_.named_child(node, 0), depth + 1);
            case Kind::unary_operator:
                return is_one(tree_.child(node, Field::argument), depth + 1);
            case Kind::binary_operator:
                return is_one(tree_.child(node, Field::left), depth + 1) &&
                       is_one(tree_.child(node, Field::right), depth + 1);
            case Kind::call:
                return is_one_of(kMakers, file_.text(tree_.child(node, Field::function)));
            case Kind::identifier:
                return starts_as_one(file_.text(node), node, depth + 1) || is_constant(file_.text(node), depth + 1);
            default:
                return false;
        }
    }

    /// A name of the module.
    bool is_constant(std::string_view name, int depth) const {
        for (NodeId statement = tree_.root() + 1; statement < tree_.nodes().size();
             statement = tree_[statement].subtree_end) {
            if (tree_.kind(statement) != Kind::expression_statement) continue;
            const NodeId assignment = tree_.named_child(statement, 0);
            if (assignment == kNoNode || tree_.kind(assignment) != Kind::assignment) continue;
            const NodeId left = tree_.child(assignment, Field::left);
            if (tree_.kind(left) != Kind::identifier || file_.text(left) != name) continue;
            return is_one(tree_.child(assignment, Field::right), depth);
        }
        return false;
    }

    const SourceFile& file_;
    const syntax::Tree& tree_;
    const NodeId function_;
};

/// Changes of things older than the trip that calls of known effect do not show: an iterator is taken from, a number of
/// the module is set, an element of a container is replaced by what is made of it.
class Changes {
  public:
    Changes(const Trace& trace, const LoopRegion& region) : trace_(trace), region_(region) {}

    std::optional<Site> find() const {
        for (const Site part : region_.parts) {
            const syntax::Tree& tree = trace_.files[part.file]->tree;
            for (NodeId n = part.node; n < tree[part.node].subtree_end; ++n) {
                const NodeId changed = changed_by(part, n);
                if (changed != kNoNode) return Site{part.file, changed};
            }
        }
        return std::nullopt;
    }

  private:
    NodeId changed_by(Site part, NodeId node) const {
        const SourceFile& file = *trace_.files[part.file];
        const syntax::Tree& tree = file.tree;
        switch (tree.kind(node)) {
            case Kind::call: {
                const NodeId callee = tree.child(node, Field::function);
                NodeId taken = kNoNode;
                if (file.text(callee) == "next") {
                    taken = tree.named_child(tree.child(node, Field::arguments), 0);
                } else if (tree.kind(callee) == Kind::attribute) {
                    const std::string_view method = file.text(tree.child(callee, Field::attribute));
                    if (method == "__next__" || method == "send") taken = tree.child(callee, Field::object);
                }
                return taken != kNoNode && is_older(part, taken) ? taken : kNoNode;
            }
            case Kind::global_statement:
            case Kind::nonlocal_statement:
                for (const NodeId name : tree.children(node)) {
                    if (tree.kind(name) != Kind::identifier) continue;
                    const auto uses = variable_uses(file, part.node, file.text(name));
                    const bool reads = std::ranges::any_of(uses, [&](NodeId use) {
                        return !binds(tree, use) || tree.kind(tree.parent(use)) == Kind::augmented_assignment;
                    });
                    const bool sets =
                        std::ranges::any_of(uses, [&](NodeId use) { return use != name && binds(tree, use); });
                    if (reads && sets) return name;
                }
                return kNoNode;
            case Kind::assignment:
            case Kind::augmented_assignment: {
                const NodeId left = tree.child(node, Field::left);
                if (left == kNoNode || tree.kind(left) != Kind::subscript) return kNoNode;
                const bool is_operation = std::ranges::any_of(trace_.operations, [&](const Operation& op) {
                    return op.site == Site{part.file, node} || op.site == Site{part.file, left};
                });
                if (is_operation || !is_older(part, left)) return kNoNode;
                const bool reads = tree.kind(node) == Kind::augmented_assignment || is_read_besides(part, left);
                return reads ? left : kNoNode;
            }
            default:
                return kNoNode;
        }
    }

    static NodeId root_of(const syntax::Tree& tree, NodeId node) {
        while (true) {
            const Kind kind = tree.kind(node);
            if (kind == Kind::attribute) {
                node = tree.child(node, Field::object);
            } else if (kind == Kind::subscript) {
                node = tree.child(node, Field::value);
            } else {
                return node;
            }
        }
    }

    /// Not made in this part of the code: another name for something, or something that comes from outside.
    bool is_older(Site part, NodeId node) const {
        const SourceFile& file = *trace_.files[part.file];
        const NodeId root = root_of(file.tree, node);
        if (file.tree.kind(root) != Kind::identifier) return false;
        for (const NodeId use : variable_uses(file, part.node, file.text(root))) {
            if (!binds(file.tree, use)) continue;
            const NodeId right = file.tree.child(file.tree.parent(use), Field::right);
            const Kind kind = right == kNoNode ? Kind::identifier : file.tree.kind(right);
            if (kind != Kind::identifier && kind != Kind::attribute && kind != Kind::subscript) return false;
        }
        return true;
    }

    bool is_read_besides(Site part, NodeId target) const {
        const SourceFile& file = *trace_.files[part.file];
        const NodeId root = root_of(file.tree, target);
        return std::ranges::any_of(variable_uses(file, part.node, file.text(root)),
                                   [&](NodeId use) { return use != root && !binds(file.tree, use); });
    }

    const Trace& trace_;
    const LoopRegion& region_;
};

}  // namespace

std::optional<Blocked> copied_state(const Trace& trace, LoopId loop) {
    const Site site = trace.loops[loop].site;
    const SourceFile& file = *trace.files[site.file];
    const syntax::Tree& tree = file.tree;
    if (tree.kind(site.node) != Kind::for_statement) return std::nullopt;
    const auto because = [&](Site place, std::string name) {
        return blocked_at(trace, "blocked.copied_state", place, "name", std::move(name));
    };
    const LoopRegion region(trace, loop);
    if (auto change = check_calls(trace, region)) {
        if (change->reason.id == "PTO201.blocked.list_append") {
            change->reason.id = "blocked.copied_state";
            return change;
        }
    }
    if (const auto changed = Changes(trace, region).find()) return because(*changed, shown(trace, *changed));
    const NodeId body = tree.child(site.node, Field::body);
    const NodeId function = tree.enclosing(site.node, Kind::function_definition);
    if (body == kNoNode || function == kNoNode) return std::nullopt;
    const PythonValues values(file, function);
    for (const Binding& binding : bound_names(file, body)) {
        const NodeId read = read_before_binding(file, body, binding.name);
        if (read == kNoNode || !values.starts_as_one(binding.name, site.node)) continue;
        return because({site.file, read}, std::string(binding.name));
    }
    return std::nullopt;
}

void doubt_copies(rules::Rewrite& rewrite, const Trace& trace, std::span<const std::uint32_t> loops) {
    if (!rewrite.fix) return;
    for (const LoopId loop : loops) {
        rewrite.blocked = copied_state(trace, loop);
        if (!rewrite.blocked) continue;
        rewrite.fix->applicability = rules::Applicability::unsafe;
        for (rules::Fix& fix : rewrite.alternatives) fix.applicability = rules::Applicability::unsafe;
        return;
    }
}

}  // namespace ptofix::rewrites
