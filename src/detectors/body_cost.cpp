#include "detectors/body_cost.h"

#include <algorithm>
#include <span>

#include "hardware/tile.h"
#include "trace/compile_cost.h"
#include "trace/tile_estimate.h"

namespace ptofix::detectors {

using trace::Loop;
using trace::LoopId;
using trace::Trace;

std::optional<std::int64_t> body_tile_operations(const Trace& trace, LoopId loop) {
    const Loop& about = trace.loops[loop];
    const auto inside = std::span(trace.operations).subspan(about.first_op, about.end_op - about.first_op);
    const bool known = std::ranges::any_of(
        inside, [&](const trace::Operation& op) { return trace::tile_operations(trace, op).has_value(); });
    if (!known) return std::nullopt;
    return trace::body_cost(trace, trace::compile_cost(trace, trace.kernels[about.kernel]), loop);
}

std::int64_t copies_around(const Trace& trace, LoopId loop) {
    std::int64_t copies = 1;
    for (LoopId at = trace.loops[loop].parent; at != trace::kNone; at = trace.loops[at].parent) {
        copies = hardware::saturating_multiply(copies, trace::copies_of_body(trace, at));
    }
    return copies;
}

}  // namespace ptofix::detectors
