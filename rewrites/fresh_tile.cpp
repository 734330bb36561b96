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
    tile = *fitted;
    round();
    if (tile != *fitted) return std::nullopt;
    return fitted;
}

}  // namespace ptofix::rewrites
