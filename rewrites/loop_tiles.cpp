// Whether the compiler takes the vec tiles inside a Python loop. Where it does not, the loop waits: with the right tile
// it may be rewritten in another way.
#include "rewrites/loop_checks.h"
#include "trace/tile_checks.h"

namespace ptofix::rewrites {

std::optional<rules::Blocked> check_tiles_inside(const trace::Trace& trace, trace::LoopId loop) {
    const bool by_host = trace::is_vec_tile_set_by_host(trace);
    for (trace::OpId id = trace.loops[loop].first_op; id < trace.loops[loop].end_op; ++id) {
        const trace::Operation& op = trace.operations[id];
        if (trace::refused_rank(trace, op, by_host)) return blocked_at(trace, "blocked.tile_first", op.site);
    }
    return std::nullopt;
}

}  // namespace ptofix::rewrites
