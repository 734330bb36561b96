#include "rewrites/loop_region.h"

#include <algorithm>

#include "rewrites/kept.h"
#include "trace/project.h"

namespace ptofix::rewrites {

using trace::FileId;
using trace::Frame;
using trace::FrameId;
using trace::KernelTrace;
using trace::Loop;
using trace::LoopId;
using trace::Operation;
using trace::Site;
using trace::TileSetting;
using trace::Trace;

/// The functions of the frames that are called from here, and what they call.
template <typename FromHere>
void LoopRegion::add_callees(const Trace& trace, FromHere&& is_from_here) {
    std::vector<FrameId> frames;
    for (FrameId f = 0; f < trace.frames.size(); ++f) {
        const Frame& frame = trace.frames[f];
        if (!is_from_here(frame) && std::ranges::find(frames, frame.parent) == frames.end()) continue;
        frames.push_back(f);
        if (frame.function == nullptr || frame.function->body == syntax::kNoNode) continue;
        const Site body{frame.function->site.file, frame.function->body};
        if (std::ranges::find(parts, body) == parts.end()) parts.push_back(body);
    }
}

namespace {

std::set<Site> read_explained(const Trace& trace) {
    std::set<Site> explained;
    for (const Frame& frame : trace.frames) {
        if (frame.call.known()) explained.insert(frame.call);
    }
    for (const Operation& op : trace.operations) explained.insert(op.site);
    for (const TileSetting& tile : trace.tiles) explained.insert(tile.call);
    for (const Loop& other : trace.loops) {
        if (other.spec != nullptr) explained.insert(other.spec->call);
    }
    return explained;
}

std::shared_ptr<const std::set<Site>> explained_sites(const Trace& trace) {
    thread_local Kept<std::set<Site>> kept;
    return kept.get(trace.heap, [&] { return read_explained(trace); });
}

}  // namespace

LoopRegion::LoopRegion(const Trace& trace, LoopId id) {
    const Loop& loop = trace.loops[id];
    parts.push_back(loop.site);
    add_callees(trace, [&](const Frame& frame) {
        return frame.parent == loop.frame && frame.call.file == loop.site.file &&
               trace.files[loop.site.file]->tree.is_inside(frame.call.node, loop.site.node);
    });
    explained = explained_sites(trace);
}

LoopRegion::LoopRegion(const Trace& trace, const KernelTrace& kernel, syntax::NodeId first, syntax::NodeId last) {
    const FileId file = kernel.site.file;
    const syntax::Tree& tree = trace.files[file]->tree;
    for (syntax::NodeId at = first;; at = tree[at].subtree_end) {
        parts.push_back({file, at});
        if (at == last) break;
    }
    own = parts.size();
    by_statement = true;
    add_callees(trace, [&](const Frame& frame) {
        return frame.call.file == file && frame.call.node >= first && frame.call.node < tree[last].subtree_end;
    });
    explained = explained_sites(trace);
}

bool LoopRegion::contains(const Trace& trace, Site site) const {
    return std::ranges::any_of(parts, [&](Site part) {
        return part.file == site.file && trace.files[part.file]->tree.is_inside(site.node, part.node);
    });
}

}  // namespace ptofix::rewrites
