#include "fixing/broken_code.h"

#include <algorithm>

namespace ptofix::fixing {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

BrokenCode::BrokenCode(const syntax::Tree& tree, std::string_view text) {
    if (tree.error_count() == 0) return;
    for (NodeId id = 0; id < tree.nodes().size();) {
        const syntax::Node& node = tree[id];
        if (!node.broken) {
            id = node.subtree_end;
            continue;
        }
        const bool shown = node.kind == Kind::error || node.kind == Kind::missing;
        const bool is_suite = node.kind == Kind::block || node.kind == Kind::module_;
        bool explained = shown;
        for (const NodeId child : tree.children(id)) explained = explained || tree.broken(child);
        if (shown || (!explained && !is_suite)) {
            text::Range range = tree.range(id);
            const NodeId statement = tree.statement_of(id);
            // A compound statement's own header may be what is broken: then all of it is.
            if (statement != kNoNode) {
                const text::Range whole = tree.range(statement);
                range = {std::min(range.start, whole.start), std::max(range.end, whole.end)};
            }
            ranges_.push_back(range);
        }
        if (is_suite) add_unseparated(tree, text, id);
        ++id;
    }
    std::sort(ranges_.begin(), ranges_.end());
    std::vector<text::Range> joined;
    for (const text::Range& range : ranges_) {
        if (!joined.empty() && range.start <= joined.back().end) {
            joined.back().end = std::max(joined.back().end, range.end);
        } else {
            joined.push_back(range);
        }
    }
    ranges_ = std::move(joined);
}

/// A line end is missing between two statements of this block: no node shows it, or an error stands between them, and
/// what stands beside an error on its line is no more to be trusted than the error.
void BrokenCode::add_unseparated(const syntax::Tree& tree, std::string_view text, NodeId suite) {
    NodeId before = kNoNode;
    for (const NodeId child : tree.children(suite)) {
        if (before != kNoNode && tree[child].named && tree[before].named) {
            const text::Range gap{tree[before].end, tree[child].start};
            const bool separated = text.substr(gap.start, gap.size()).find_first_of("\r\n") != std::string_view::npos;
            const bool is_extra = tree.kind(child) == Kind::comment || tree.kind(child) == Kind::line_continuation;
            if (!separated && !is_extra) ranges_.push_back({tree[before].start, tree[child].end});
        }
        before = child;
    }
}

const text::Range* BrokenCode::touching(text::Range range) const {
    auto at =
        std::partition_point(ranges_.begin(), ranges_.end(), [&](const text::Range& r) { return r.end < range.start; });
    for (; at != ranges_.end() && at->start <= range.end; ++at) {
        const bool falls_into = range.empty() && at->start < range.start && range.start < at->end;
        const bool holds_point = at->empty() && range.start <= at->start && at->start <= range.end;
        if (falls_into || holds_point || at->overlaps(range)) return &*at;
    }
    return nullptr;
}

bool is_unreliable(const syntax::Tree& tree, const BrokenCode& broken, text::Range place) {
    if (broken.empty()) return false;
    const NodeId node = tree.node_at({place.start, std::min(place.end, place.start + 1)});
    const NodeId statement = node == kNoNode ? kNoNode : tree.statement_of(node);
    if (statement == kNoNode) return broken.touching(place) != nullptr;
    const Kind kind = tree.kind(statement);
    if (kind == Kind::function_definition || kind == Kind::class_definition || kind == Kind::decorated_definition) {
        // A finding about a definition as a whole spans it; only its header has to be sound.
        for (const NodeId child : tree.children(statement)) {
            if (tree.kind(child) == Kind::block) {
                return broken.touching({place.start, std::min(place.end, tree[child].start)}) != nullptr;
            }
        }
        return broken.touching(place) != nullptr;
    }
    return tree.broken(statement) || broken.touching(place) != nullptr;
}

}  // namespace ptofix::fixing
