#include "rewrites/vec_trial.h"

#include <algorithm>

namespace ptofix::rewrites {

using trace::OpId;
using trace::TensorId;
using Number = std::int64_t;

bool VecTrial::fits(std::span<const Number> tile) const {
    return std::ranges::all_of(operations_, [&](OpId id) {
        const auto bytes =
            memory_.bytes(trace_.operations[id], tile, [&](TensorId t) { return std::optional(extents(t, tile)); });
        return !bytes || (bytes->most <= pools_.ub && bytes->largest <= largest_buffer_);
    });
}

Number VecTrial::bytes(OpId operation, std::span<const Number> tile) const {
    const auto bytes =
        memory_.bytes(trace_.operations[operation], tile, [&](TensorId t) { return std::optional(extents(t, tile)); });
    return bytes ? bytes->most : 0;
}

std::optional<Number> VecTrial::longest(std::size_t axis) const {
    Number most = 0;
    for (const OpId id : operations_) {
        for (const TensorId t : tensors_of(trace_, trace_.operations[id])) {
            const trace::TensorType& type = trace_.tensors[t].type;
            if (!type.rank_known) return std::nullopt;
            if (axis >= type.shape.size()) continue;
            if (!type.shape[axis].known()) return std::nullopt;
            most = std::max(most, type.shape[axis].value);
        }
    }
    return most;
}

bool VecTrial::is_typed() const {
    return std::ranges::all_of(operations_, [&](OpId id) {
        return std::ranges::all_of(tensors_of(trace_, trace_.operations[id]), [&](TensorId t) {
            return trace_.tensors[t].type.dtype != hardware::DType::unknown;
        });
    });
}

/// With the tile's own extents where the shape is not known.
std::vector<Number> VecTrial::extents(TensorId tensor, std::span<const Number> tile) const {
    const trace::TensorType& type = trace_.tensors[tensor].type;
    if (!type.rank_known) return {tile.begin(), tile.end()};
    std::vector<Number> shape;
    for (std::size_t i = 0; i < type.shape.size(); ++i) {
        shape.push_back(type.shape[i].known() ? type.shape[i].value : i < tile.size() ? tile[i] : 1);
    }
    return shape;
}

std::vector<TensorId> tensors_of(const trace::Trace& trace, const trace::Operation& op) {
    const auto inputs = trace.inputs(op);
    std::vector<TensorId> all(inputs.begin(), inputs.end());
    if (op.output != trace::kNoTensor) all.push_back(op.output);
    return all;
}

}  // namespace ptofix::rewrites
