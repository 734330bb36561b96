#include "rewrites/loop_region.h"

#include <algorithm>

#include "trace/project.h"

namespace ptofix::rewrites {

using namespace trace;

LoopRegion::LoopRegion(const Trace& trace, LoopId id) {
    const Loop& loop = trace.loops[id];
    parts.push_back(loop.site);
    std::vector<FrameId> frames;
    for (FrameId f = 0; f < trace.frames.size(); ++f) {
        const Frame& frame = trace.frames[f];
        if (frame.call.known()) explained.insert(frame.call);
        const bool from_body = frame.parent == loop.frame && frame.call.file == loop.site.file &&
                               trace.files[loop.site.file]->tree.is_inside(frame.call.node, loop.site.node);
        const bool from_callee = std::ranges::find(frames, frame.parent) != frames.end();
        if (!from_body && !from_callee) continue;
        frames.push_back(f);
        if (frame.function == nullptr || frame.function->body == syntax::kNoNode) continue;
        const Site body{frame.function->site.file, frame.function->body};
        if (std::ranges::find(parts, body) == parts.end()) parts.push_back(body);
    }
    for (const Operation& op : trace.operations) explained.insert(op.site);
    for (const TileSetting& tile : trace.tiles) explained.insert(tile.call);
    for (const Loop& other : trace.loops) {
        if (other.spec != nullptr) explained.insert(other.spec->call);
    }
}

bool LoopRegion::contains(const Trace& trace, Site site) const {
    return std::ranges::any_of(parts, [&](Site part) {
        return part.file == site.file && trace.files[part.file]->tree.is_inside(site.node, part.node);
    });
}

}  // namespace ptofix::rewrites
