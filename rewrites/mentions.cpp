#include "rewrites/mentions.h"

#include <algorithm>

#include "rewrites/kept.h"

namespace ptofix::rewrites {

using syntax::Kind;
using syntax::NodeId;

namespace {

std::span<const NodeId> within(const std::vector<NodeId>& nodes, NodeId begin, NodeId end) {
    const auto first = std::ranges::lower_bound(nodes, begin);
    return {first, std::lower_bound(first, nodes.end(), end)};
}

}  // namespace

Mentions::Mentions(const trace::SourceFile& file) : tree_(file.tree) {
    thread_local Kept<Index> kept;
    index_ = kept.get(file.source, [&] { return read(file); });
}

Mentions::Index Mentions::read(const trace::SourceFile& file) {
    Index index;
    for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
        const Kind kind = file.tree.kind(id);
        if (kind == Kind::identifier) index.identifiers[file.text(id)].push_back(id);
        if (kind == Kind::break_statement || kind == Kind::continue_statement) index.jumps.push_back(id);
    }
    return index;
}

std::span<const NodeId> Mentions::between(NodeId begin, NodeId end, std::string_view name) const {
    const auto found = index_->identifiers.find(name);
    return found == index_->identifiers.end() ? std::span<const NodeId>() : within(found->second, begin, end);
}

bool Mentions::has_jump(NodeId begin, NodeId end) const {
    return !within(index_->jumps, begin, end).empty();
}

}  // namespace ptofix::rewrites
