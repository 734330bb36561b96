#include "syntax/tree.h"

#include <algorithm>

namespace ptofix::syntax {

namespace {

constexpr std::string_view kKindNames[] = {"other", "ERROR", "MISSING",
#define PTOFIX_NAME(name, id) name,
                                           PTOFIX_NAMED_KINDS(PTOFIX_NAME) PTOFIX_TOKENS(PTOFIX_NAME)
#undef PTOFIX_NAME
};

}  // namespace

std::string_view name_of(Kind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

NodeId Tree::child(NodeId id, Field field) const {
    for (NodeId c : children(id)) {
        if (nodes_[c].field == field) return c;
    }
    return kNoNode;
}

NodeId Tree::named_child(NodeId id, std::size_t n) const {
    for (NodeId c : children(id)) {
        if (!nodes_[c].named || nodes_[c].kind == Kind::comment || nodes_[c].kind == Kind::line_continuation) continue;
        if (n == 0) return c;
        --n;
    }
    return kNoNode;
}

std::size_t Tree::named_child_count(NodeId id) const {
    std::size_t n = 0;
    for (NodeId c : children(id)) {
        n += nodes_[c].named && nodes_[c].kind != Kind::comment && nodes_[c].kind != Kind::line_continuation;
    }
    return n;
}

NodeId Tree::child_of_kind(NodeId id, Kind kind) const {
    for (NodeId c : children(id)) {
        if (nodes_[c].kind == kind) return c;
    }
    return kNoNode;
}

NodeId Tree::node_at(text::Range range, bool named_only) const {
    if (nodes_.empty()) return kNoNode;
    if (!range.empty()) {
        // Starts ascend in reading order: the last node that starts early enough is in the one that is asked for.
        const auto after = std::ranges::partition_point(nodes_, [&](const Node& n) { return n.start <= range.start; });
        if (after == nodes_.begin()) return 0;
        auto id = static_cast<NodeId>(after - nodes_.begin() - 1);
        while (id != 0 && (nodes_[id].end < range.end || (named_only && !nodes_[id].named))) id = nodes_[id].parent;
        return id;
    }
    // Between two tokens an empty range is at the end of the first.
    NodeId at = 0;
    NodeId best = 0;
    for (bool deeper = true; deeper;) {
        deeper = false;
        for (NodeId c : children(at)) {
            const Node& node = nodes_[c];
            if (node.start > range.start) break;
            if (node.end < range.end || (node.end == range.start && range.end > range.start)) continue;
            at = c;
            if (node.named || !named_only) best = c;
            deeper = true;
            break;
        }
    }
    return best;
}

NodeId Tree::enclosing(NodeId id, Kind kind) const {
    for (; id != kNoNode; id = nodes_[id].parent) {
        if (nodes_[id].kind == kind) return id;
    }
    return kNoNode;
}

NodeId Tree::statement_of(NodeId id) const {
    while (id != kNoNode) {
        const NodeId up = nodes_[id].parent;
        if (up == kNoNode) return kNoNode;
        if (nodes_[up].kind == Kind::block || nodes_[up].kind == Kind::module_) return id;
        id = up;
    }
    return kNoNode;
}

}  // namespace ptofix::syntax
