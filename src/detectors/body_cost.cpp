#include "detectors/body_cost.h"

#include <numeric>

#include "trace/tile_estimate.h"

namespace ptofix::detectors {

namespace {

using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::Trace;

std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}
std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

/// How often the loop's body is in the graph.
std::int64_t copies_of_body(const Loop& loop) {
    if (loop.per_item) return 1;  // the copies are operations of their own
    if (loop.kind == LoopKind::device_loop) {
        return loop.unroll.empty() ? 1 : std::reduce(loop.unroll.begin(), loop.unroll.end(), std::int64_t{0}, add);
    }
    if (loop.kind == LoopKind::device_unroll) return 1;
    return loop.trips.known() ? std::max<std::int64_t>(loop.trips.value, 1) : 1;
}

}  // namespace

std::optional<std::int64_t> body_tile_operations(const Trace& trace, LoopId loop) {
    const Loop& about = trace.loops[loop];
    std::optional<std::int64_t> total;
    std::int64_t unknown = 0;
    for (std::uint32_t i = about.first_op; i < about.end_op; ++i) {
        const trace::Operation& op = trace.operations[i];
        std::int64_t copies = 1;
        for (LoopId at = op.loop; at != trace::kNone && at != loop; at = trace.loops[at].parent) {
            copies = multiply(copies, copies_of_body(trace.loops[at]));
        }
        if (const auto each = trace::tile_operations(trace, op)) {
            total = add(total.value_or(0), multiply(*each, copies));
        } else {
            unknown = add(unknown, copies);
        }
    }
    if (total) total = add(*total, unknown);
    return total;
}

std::int64_t copies_around(const Trace& trace, LoopId loop) {
    std::int64_t copies = 1;
    for (LoopId at = trace.loops[loop].parent; at != trace::kNone; at = trace.loops[at].parent) {
        copies = multiply(copies, copies_of_body(trace.loops[at]));
    }
    return copies;
}

}  // namespace ptofix::detectors
