#include "rewrites/fresh_tile.h"

#include <algorithm>

#include "hardware/tile.h"
#include "rewrites/vec_fit.h"
#include "rewrites/vec_trial.h"
#include "trace/tile_checks.h"
#include "trace/tile_estimate.h"

namespace ptofix::rewrites {

namespace {

using trace::OpId;
using trace::Trace;
using Number = std::int64_t;

// Of an axis whose length is not known: the experience notes start with tiles of 16 to 64 rows and columns.
constexpr Number kUsual = 64;

// Of a buffer of which only the number of elements is known.
constexpr Number kWidestElement = 8;

/// Where the bytes of an operation cannot be counted (a type that is not known, a result that is left out), the tile is
/// cut from the front until a buffer of the widest type is no longer than those that can.
void bound_uncounted(const Trace& trace, const trace::VectorMemory& memory, std::span<const OpId> operations,
                     const hardware::Pools& pools, std::vector<Number>& tile) {
    const VecTrial trial(trace, memory, operations, pools);
    const bool counted = std::ranges::all_of(operations, [&](OpId id) {
        return trace.operations[id].engine != trace::Engine::vector || trial.bytes(id, tile) > 0;
    });
    if (counted) return;
    const auto elements = [&] {
        Number product = 1;
        for (const Number n : tile) product = hardware::saturating_multiply(product, n);
        return product;
    };
    for (std::size_t axis = 0; axis + 1 < tile.size(); ++axis) {
        while (tile[axis] > 1 && elements() > kLargestBuffer / kWidestElement) tile[axis] = (tile[axis] + 1) / 2;
    }
    tile.back() = std::min(tile.back(), kLargestBuffer / kWidestElement);
}

}  // namespace

std::size_t wanted_axes(const Trace& trace, const trace::Operation& op) {
    if (const auto checked = trace::checked_rank(trace, op)) return checked->axes;
    if (op.output == trace::kNoTensor) return 0;
    const trace::TensorType& type = trace.tensors[trace::cut_tensor(trace, op)].type;
    return type.rank_known ? type.shape.size() : 0;
}

std::optional<std::vector<Number>> fresh_vec_tile(const Trace& trace, const trace::VectorMemory& memory,
                                                  std::size_t axes, std::span<const Number> tail,
                                                  std::span<const OpId> operations, const hardware::Pools& pools) {
    std::vector<Number> tile(axes, 0);
    std::vector<bool> is_open(axes, false);
    for (const OpId id : operations) {
        for (const trace::TensorId t : tensors_of(trace, trace.operations[id])) {
            const trace::TensorType& type = trace.tensors[t].type;
            if (!type.rank_known || type.shape.size() != axes) continue;
            for (std::size_t i = 0; i < axes; ++i) {
                if (type.shape[i].known()) {
                    tile[i] = std::max(tile[i], type.shape[i].value);
                } else {
                    is_open[i] = true;
                }
            }
        }
    }
    for (std::size_t i = 0; i < axes; ++i) {
        if (is_open[i] || tile[i] <= 0) tile[i] = std::max(tile[i], kUsual);
    }
    if (tail.size() > axes) return std::nullopt;
    std::ranges::copy(tail, tile.end() - static_cast<std::ptrdiff_t>(tail.size()));
    const auto round = [&] {
        for (const OpId id : operations) {
            const auto checked = trace::checked_multiple(trace, trace.operations[id], axes);
            if (checked) tile[checked->axis] = hardware::round_up(tile[checked->axis], checked->multiple);
        }
    };
    round();
    auto fitted = fitting_vec_tile(trace, memory, tile, operations, pools);
    if (!fitted) return std::nullopt;
    bound_uncounted(trace, memory, operations, pools, *fitted);
    tile = *fitted;
    round();
    if (tile != *fitted) return std::nullopt;
    return fitted;
}

}  // namespace ptofix::rewrites
