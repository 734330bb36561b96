// Whether the compiler takes the vec tiles inside a Python loop. Where it does not, the loop waits: with the right tile
// it may be rewritten in another way.
#include <algorithm>

#include "rewrites/loop_checks.h"
#include "trace/tile_checks.h"

namespace ptofix::rewrites {

using trace::kNone;
using trace::TileSetting;

std::optional<rules::Blocked> check_tiles_inside(const trace::Trace& trace, trace::LoopId loop) {
    const bool by_host = std::ranges::any_of(trace.tiles, [](const TileSetting& t) {
        return t.kernel == kNone && t.engine == TileSetting::Engine::vec && !t.is_joined();
    });
    for (trace::OpId id = trace.loops[loop].first_op; id < trace.loops[loop].end_op; ++id) {
        const trace::Operation& op = trace.operations[id];
        if (!trace::works_on_vec_tile(op)) continue;
        const auto asked = trace::checked_rank(trace, op);
        if (!asked) continue;
        if (op.vec_tile == kNone) {
            if (by_host || trace.kernels[op.kernel].is_helper) continue;
        } else {
            const std::size_t axes = trace.tiles[op.vec_tile].vec.size();
            if (axes == 0 || (asked->exactly ? axes == asked->axes : axes >= asked->axes)) continue;
        }
        return blocked_at(trace, "blocked.tile_first", op.site);
    }
    return std::nullopt;
}

}  // namespace ptofix::rewrites
