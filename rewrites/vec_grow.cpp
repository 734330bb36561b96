#include "rewrites/vec_grow.h"

#include <algorithm>

#include "rewrites/vec_trial.h"
#include "trace/operations.h"
#include "trace/tile_checks.h"

namespace ptofix::rewrites {

namespace {

using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::Trace;
using Number = std::int64_t;

/// These add up along an axis: other tiles add in another order.
constexpr Op kSums[] = {Op::sum,      Op::prod,           Op::var,
                        Op::cumsum,   Op::cumprod,        Op::softmax,
                        Op::rms_norm, Op::online_softmax, Op::online_softmax_update};

bool sums_along(const Trace& trace, const Operation& op, std::size_t axis) {
    if (std::ranges::none_of(kSums, [&](Op o) { return trace::is(op, o); })) return false;
    if (trace::is(op, Op::rms_norm)) {
        return op.output == trace::kNoTensor || axis + 1 == trace.tensors[op.output].type.shape.size();
    }
    return op.axis == INT32_MAX || op.axis < 0 || static_cast<std::size_t>(op.axis) == axis;
}

class Growth {
  public:
    Growth(const Trace& trace, const trace::VectorMemory& memory, std::span<const Number> tile,
           std::span<const OpId> operations, const hardware::Pools& pools, Number largest_buffer = kLargestBuffer)
        : trace_(trace),
          tile_(tile.begin(), tile.end()),
          operations_(operations),
          trial_(trace, memory, operations, pools, largest_buffer) {}

    std::vector<Number> grow() {
        for (std::size_t axis = tile_.size(); axis-- > 0;) {
            if (!adds_up_along(trace_, operations_, axis)) grow(axis);
        }
        return tile_;
    }

    std::optional<std::vector<Number>> raise_first(Number rows) {
        if (tile_.empty() || adds_up_along(trace_, operations_, 0)) return std::nullopt;
        const Number before = tile_[0];
        for (Number part = rows; part > before; part /= 2) {
            tile_[0] = part;
            if (fits()) return tile_;
        }
        return std::nullopt;
    }

  private:
    void grow(std::size_t axis) {
        const Number most = trial_.longest(axis).value_or(0);
        while (tile_[axis] < most) {
            const Number before = tile_[axis];
            Number next = 1;
            while (next <= before) next *= 2;
            tile_[axis] = std::min(next, most);
            if (fits()) continue;
            tile_[axis] = before;
            return;
        }
    }

    bool fits() const { return trial_.is_typed() && trial_.fits(tile_); }

    const Trace& trace_;
    std::vector<Number> tile_;
    const std::span<const OpId> operations_;
    const VecTrial trial_;
};

}  // namespace

bool adds_up_along(const Trace& trace, std::span<const OpId> operations, std::size_t axis) {
    return std::ranges::any_of(operations, [&](OpId id) { return sums_along(trace, trace.operations[id], axis); });
}

std::vector<Number> grown_vec_tile(const Trace& trace, const trace::VectorMemory& memory, std::span<const Number> from,
                                   std::span<const OpId> operations, const hardware::Pools& pools) {
    return Growth(trace, memory, from, operations, pools).grow();
}

std::vector<Number> vec_tile_up_to_ub(const Trace& trace, const trace::VectorMemory& memory,
                                      std::span<const Number> from, std::span<const OpId> operations,
                                      const hardware::Pools& pools) {
    const bool reduces = std::ranges::any_of(operations, [&](OpId id) {
        const auto checked = trace::checked_rank(trace, trace.operations[id]);
        return checked && checked->reduces;
    });
    const Number largest = reduces ? kLargestBuffer : pools.ub;  // reductions are refused above
    return Growth(trace, memory, from, operations, pools, largest).grow();
}

std::optional<std::vector<Number>> with_rows(const Trace& trace, const trace::VectorMemory& memory,
                                             std::span<const Number> from, Number rows,
                                             std::span<const OpId> operations, const hardware::Pools& pools) {
    return Growth(trace, memory, from, operations, pools).raise_first(rows);
}

}  // namespace ptofix::rewrites
