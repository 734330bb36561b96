#include "syntax/missing_block.h"

namespace ptofix::syntax {

namespace {

bool is_statement(const Tree& tree, NodeId id) {
    const Kind kind = tree.kind(id);
    return tree[id].named && kind != Kind::comment && kind != Kind::line_continuation;
}

bool has_statement(const Tree& tree, NodeId block) {
    for (const NodeId child : tree.children(block)) {
        if (is_statement(tree, child)) return true;
    }
    return false;
}

}  // namespace

std::optional<text::Range> missing_block(const Tree& tree) {
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        // Where no line is indented the grammar puts a block of nothing.
        if (tree.kind(id) != Kind::block || has_statement(tree, id)) continue;
        const NodeId holder = tree[id].parent;
        const NodeId colon = holder == kNoNode ? kNoNode : tree.child_of_kind(holder, Kind::colon);
        if (colon != kNoNode) return text::Range{tree[holder].start, tree[colon].end};
    }
    return std::nullopt;
}

}  // namespace ptofix::syntax
