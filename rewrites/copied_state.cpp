#include "rewrites/copied_state.h"

#include <algorithm>

#include "rewrites/liveness.h"
#include "rewrites/loop_checks.h"
#include "rewrites/variables.h"

namespace ptofix::rewrites {

namespace {

using namespace trace;
using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

/// A number, a text or a container as it is written.
bool is_literal(const syntax::Tree& tree, NodeId node) {
    switch (tree.kind(node)) {
        case Kind::integer:
        case Kind::float_:
        case Kind::string:
        case Kind::true_:
        case Kind::false_:
        case Kind::unary_operator:
            return true;
        default:
            return false;
    }
}

/// Is the name given a literal before the loop, and nothing but literals and results of arithmetic anywhere?
bool starts_as_literal(const SourceFile& file, NodeId around, NodeId loop, std::string_view name) {
    const syntax::Tree& tree = file.tree;
    return std::ranges::any_of(variable_uses(file, around, name), [&](NodeId use) {
        if (use >= loop || !binds(tree, use)) return false;
        const NodeId assignment = tree.parent(use);
        if (tree.kind(assignment) != Kind::assignment || tree[use].field != Field::left) return false;
        const NodeId right = tree.child(assignment, Field::right);
        return right != kNoNode && is_literal(tree, right);
    });
}

}  // namespace

std::optional<Blocked> copied_state(const Trace& trace, LoopId id) {
    const Loop& loop = trace.loops[id];
    const SourceFile& file = *trace.files[loop.site.file];
    const syntax::Tree& tree = file.tree;
    if (tree.kind(loop.site.node) != Kind::for_statement) return std::nullopt;
    const auto because = [&](Site site, std::string name) {
        return blocked_at(trace, "blocked.copied_state", site, "name", std::move(name));
    };
    if (auto change = check_calls(trace, LoopRegion(trace, id))) {
        if (change->reason.id == "PTO201.blocked.list_append") {
            change->reason.id = "blocked.copied_state";
            return change;
        }
    }
    const NodeId body = tree.child(loop.site.node, Field::body);
    const NodeId function = tree.enclosing(loop.site.node, Kind::function_definition);
    if (body == kNoNode || function == kNoNode) return std::nullopt;
    for (const Binding& binding : bound_names(file, body)) {
        const NodeId read = read_before_binding(file, body, binding.name);
        if (read == kNoNode || !starts_as_literal(file, function, loop.site.node, binding.name)) continue;
        return because({loop.site.file, read}, std::string(binding.name));
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
