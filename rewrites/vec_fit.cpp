#include "rewrites/vec_fit.h"

#include <algorithm>

#include "hardware/tile.h"
#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::TensorId;
using trace::Trace;
using Number = std::int64_t;

// The experience notes ask for tiles of 16 to 64 KB.
constexpr Number kLargestBuffer = 65536;
// A buffer whose last axis is known to be no wider needs no finer cut: a block of the narrowest type.
constexpr Number kShortestTail = 32;

/// Operations that must see an axis as a whole (their expanders check it, or read across it).
constexpr Op kWholeAxis[] = {Op::softmax, Op::topk,    Op::argsort,      Op::gather,  Op::scatter, Op::scatter_,
                             Op::cumsum,  Op::cumprod, Op::index_select, Op::one_hot, Op::argmax,  Op::argmin};

class Fitting {
  public:
    Fitting(const Trace& trace, const trace::VectorMemory& memory, std::vector<Number> tile,
            std::span<const OpId> operations, const hardware::Pools& pools)
        : trace_(trace), memory_(memory), tile_(std::move(tile)), operations_(operations), pools_(pools) {}

    std::optional<std::vector<Number>> run() {
        if (tile_.empty()) return std::nullopt;
        if (fits()) return tile_;
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
        return std::ranges::all_of(operations_, [&](OpId id) {
            const auto need = [&](std::span<const Number> tile) {
                const auto bytes = memory_.bytes(trace_.operations[id], tile, [&](TensorId t) { return extents(t); });
                return bytes ? bytes->most : 0;
            };
            return need(to) <= std::max(pools_.ub, need(tile_));
        });
    }

  private:
    /// A power of two, from the largest below what is there down to `least`.
    bool shrink(std::size_t axis, Number least) {
        const Number now = std::min(tile_[axis], longest(axis));
        Number part = 1;
        while (part * 2 < now) part *= 2;
        for (; part >= least && part < now; part /= 2) {
            tile_[axis] = part;
            if (fits()) return true;
        }
        return false;
    }

    /// The longest extent that an operand has along the axis; the tile's own where one is not known.
    Number longest(std::size_t axis) const {
        Number most = 0;
        for (const OpId id : operations_) {
            for (const TensorId t : tensors_of(trace_.operations[id])) {
                const trace::TensorType& type = trace_.tensors[t].type;
                if (!type.rank_known) return tile_[axis];
                if (axis >= type.shape.size()) continue;
                if (!type.shape[axis].known()) return tile_[axis];
                most = std::max(most, type.shape[axis].value);
            }
        }
        return most > 0 ? most : tile_[axis];
    }

    std::vector<TensorId> tensors_of(const Operation& op) const {
        const auto inputs = trace_.inputs(op);
        std::vector<TensorId> all(inputs.begin(), inputs.end());
        if (op.output != trace::kNoTensor) all.push_back(op.output);
        return all;
    }

    bool is_locked(std::size_t axis) const {
        return std::ranges::any_of(operations_, [&](OpId id) {
            const Operation& op = trace_.operations[id];
            if (std::ranges::none_of(kWholeAxis, [&](Op o) { return trace::is(op, o); })) return false;
            return op.axis == INT32_MAX || op.axis < 0 || static_cast<std::size_t>(op.axis) == axis;
        });
    }

    bool fits() const {
        return std::ranges::all_of(operations_, [&](OpId id) {
            const Operation& op = trace_.operations[id];
            const auto bytes = memory_.bytes(op, tile_, [&](TensorId t) { return extents(t); });
            return !bytes || (bytes->most <= pools_.ub && bytes->largest <= kLargestBuffer);
        });
    }

    /// With the tile's own extents where the shape is not known.
    std::optional<std::vector<Number>> extents(TensorId t) const {
        const trace::TensorType& type = trace_.tensors[t].type;
        if (!type.rank_known) return std::vector<Number>(tile_);
        std::vector<Number> shape;
        for (std::size_t i = 0; i < type.shape.size(); ++i) {
            shape.push_back(type.shape[i].known() ? type.shape[i].value : i < tile_.size() ? tile_[i] : 1);
        }
        return shape;
    }

    const Trace& trace_;
    const trace::VectorMemory& memory_;
    std::vector<Number> tile_;
    const std::span<const OpId> operations_;
    const hardware::Pools& pools_;
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
