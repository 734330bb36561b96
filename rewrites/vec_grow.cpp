#include "rewrites/vec_grow.h"

#include <algorithm>

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

/// These add up along an axis: other tiles add in another order.
constexpr Op kSums[] = {Op::sum,     Op::prod,    Op::var,      Op::cumsum,        Op::cumprod,
                        Op::softmax, Op::rms_norm, Op::online_softmax, Op::online_softmax_update};

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
           std::span<const OpId> operations, const hardware::Pools& pools)
        : trace_(trace), memory_(memory), tile_(tile.begin(), tile.end()), operations_(operations), pools_(pools) {}

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
        const Number most = longest(axis);
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

    /// The longest extent that a tensor under the tile has along the axis; 0 where one is not known.
    Number longest(std::size_t axis) const {
        Number most = 0;
        for (const OpId id : operations_) {
            for (const TensorId t : tensors_of(trace_.operations[id])) {
                const trace::TensorType& type = trace_.tensors[t].type;
                if (!type.rank_known) return 0;
                if (axis >= type.shape.size()) continue;
                if (!type.shape[axis].known()) return 0;
                most = std::max(most, type.shape[axis].value);
            }
        }
        return most;
    }

    std::vector<TensorId> tensors_of(const Operation& op) const {
        const auto inputs = trace_.inputs(op);
        std::vector<TensorId> all(inputs.begin(), inputs.end());
        if (op.output != trace::kNoTensor) all.push_back(op.output);
        return all;
    }

    bool fits() const {
        return std::ranges::all_of(operations_, [&](OpId id) {
            const Operation& op = trace_.operations[id];
            const bool typed = std::ranges::all_of(tensors_of(op), [&](TensorId t) {
                return trace_.tensors[t].type.dtype != hardware::DType::unknown;
            });
            if (!typed) return false;
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

bool adds_up_along(const Trace& trace, std::span<const OpId> operations, std::size_t axis) {
    return std::ranges::any_of(operations, [&](OpId id) { return sums_along(trace, trace.operations[id], axis); });
}

std::vector<Number> grown_vec_tile(const Trace& trace, const trace::VectorMemory& memory, std::span<const Number> from,
                                   std::span<const OpId> operations, const hardware::Pools& pools) {
    return Growth(trace, memory, from, operations, pools).grow();
}

std::optional<std::vector<Number>> with_rows(const Trace& trace, const trace::VectorMemory& memory,
                                             std::span<const Number> from, Number rows,
                                             std::span<const OpId> operations, const hardware::Pools& pools) {
    return Growth(trace, memory, from, operations, pools).raise_first(rows);
}

}  // namespace ptofix::rewrites
