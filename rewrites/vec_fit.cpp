#include "rewrites/vec_fit.h"

#include <algorithm>

#include "hardware/tile.h"
#include "rewrites/vec_trial.h"
#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::Trace;
using Number = std::int64_t;

// A buffer whose last axis is known to be no wider needs no finer cut: a block of the narrowest type.
constexpr Number kShortestTail = 32;

/// Operations that must see an axis as a whole (their expanders check it, or read across it).
constexpr Op kWholeAxis[] = {Op::softmax, Op::topk,    Op::argsort,      Op::gather,  Op::scatter, Op::scatter_,
                             Op::cumsum,  Op::cumprod, Op::index_select, Op::one_hot, Op::argmax,  Op::argmin};

class Fitting {
  public:
    Fitting(const Trace& trace, const trace::VectorMemory& memory, std::vector<Number> tile,
            std::span<const OpId> operations, const hardware::Pools& pools)
        : trace_(trace),
          tile_(std::move(tile)),
          operations_(operations),
          pools_(pools),
          trial_(trace, memory, operations, pools) {}

    std::optional<std::vector<Number>> run() {
        if (tile_.empty()) return std::nullopt;
        if (trial_.fits(tile_)) return tile_;
        for (std::size_t axis = 0; axis + 1 < tile_.size(); ++axis) {
            if (!is_locked(axis) && shrink(axis, 1)) return tile_;
        }
        const std::size_t tail = tile_.size() - 1;
        if (!is_locked(tail) && shrink(tail, kShortestTail)) return tile_;
        return std::nullopt;
    }

    bool may_become(std::span<const Number> to) {
        for (std::size_t axis = 0; axis < to.size(); ++axis) {
            if (to[axis] != tile_[axis] && is_locked(axis)) return false;
        }
        return std::ranges::all_of(
            operations_, [&](OpId id) { return trial_.bytes(id, to) <= std::max(pools_.ub, trial_.bytes(id, tile_)); });
    }

  private:
    /// A power of two, from the largest below what is there down to `least`.
    bool shrink(std::size_t axis, Number least) {
        const Number now = std::min(tile_[axis], longest(axis));
        Number part = 1;
        while (part * 2 < now) part *= 2;
        for (; part >= least && part < now; part /= 2) {
            tile_[axis] = part;
            if (trial_.fits(tile_)) return true;
        }
        return false;
    }

    /// The tile's own number where an extent is not known.
    Number longest(std::size_t axis) const {
        const Number most = trial_.longest(axis).value_or(0);
        return most > 0 ? most : tile_[axis];
    }

    bool is_locked(std::size_t axis) const {
        return std::ranges::any_of(operations_, [&](OpId id) {
            const Operation& op = trace_.operations[id];
            if (std::ranges::none_of(kWholeAxis, [&](Op o) { return trace::is(op, o); })) return false;
            return op.axis == INT32_MAX || op.axis < 0 || static_cast<std::size_t>(op.axis) == axis;
        });
    }

    const Trace& trace_;
    std::vector<Number> tile_;
    const std::span<const OpId> operations_;
    const hardware::Pools& pools_;
    const VecTrial trial_;
};

}  // namespace

std::optional<std::vector<Number>> fitting_vec_tile(const Trace& trace, const trace::VectorMemory& memory,
                                                    std::span<const Number> from, std::span<const OpId> operations,
                                                    const hardware::Pools& pools) {
    return Fitting(trace, memory, {from.begin(), from.end()}, operations, pools).run();
}

bool may_become(const Trace& trace, const trace::VectorMemory& memory, std::span<const Number> from,
                std::span<const Number> to, std::span<const OpId> operations, const hardware::Pools& pools) {
    return Fitting(trace, memory, {from.begin(), from.end()}, operations, pools).may_become(to);
}

}  // namespace ptofix::rewrites
