#include "rewrites/head_group_size.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "hardware/dtype.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using trace::AxisUse;
using trace::Operation;
using trace::TensorId;

constexpr std::int64_t kHeadMultiple = 16;  // the seed's: groups of 16 heads where possible

/// Shapes as they are when `heads` of the heads are computed at a time.
class GroupedShapes {
  public:
    GroupedShapes(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence, std::span<const AxisUse> uses)
        : trace_(trace), all_(evidence.heads) {
        axes_[trace.operations[evidence.matmul].output] = evidence.head_axis;
        for (const AxisUse& use : uses) {
            axes_[use.tensor] = use.axis;
            const Operation& op = trace.operations[use.op];
            if (use.result_axis != trace::kAxisGone) axes_[op.output] = use.result_axis;
            for (const TensorId other : trace.inputs(op)) axes_.try_emplace(other, use.axis);
        }
    }

    trace::ShapeOf with(std::int64_t heads) const {
        return [this, heads](TensorId id) {
            auto shape = trace::known_shape(trace_, id);
            const auto axis = axes_.find(id);
            if (shape && axis != axes_.end() && static_cast<std::size_t>(axis->second) < shape->size()) {
                std::int64_t& extent = (*shape)[static_cast<std::size_t>(axis->second)];
                if (extent == all_) extent = heads;
            }
            return shape;
        };
    }

  private:
    const trace::Trace& trace_;
    std::int64_t all_;
    std::unordered_map<TensorId, int> axes_;
};

bool fits(const trace::Trace& trace, const AxisUse& use, std::span<const std::int64_t> tile,
          const trace::ShapeOf& shapes, std::int64_t limit) {
    const auto bytes = trace::vector_buffers(trace, trace.operations[use.op], tile, shapes);
    return !bytes || bytes->most <= limit;
}

}  // namespace

std::optional<std::int64_t> heads_per_group(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence,
                                            std::span<const AxisUse> uses) {
    const Operation& matmul = trace.operations[evidence.matmul];
    const std::int64_t element = hardware::size_of(trace.tensors[matmul.output].type.dtype);
    const std::int64_t head = evidence.rows * evidence.columns * element;
    if (head <= 0) return std::nullopt;
    const GroupedShapes shapes(trace, evidence, uses);
    const auto all_fit = [&](std::int64_t heads) {
        return std::ranges::all_of(uses, [&](const AxisUse& use) {
            const auto tile = trace::known_tile(trace, trace.operations[use.op].vec_tile);
            return !tile || fits(trace, use, *tile, shapes.with(heads), evidence.limit);
        });
    };
    const std::int64_t most = std::min(evidence.limit / head, evidence.heads - 1);
    const std::int64_t multiple = most - most % kHeadMultiple;
    for (std::int64_t heads = multiple; heads > 0; heads -= kHeadMultiple) {
        if (evidence.heads % heads == 0 && all_fit(heads)) return heads;
    }
    for (std::int64_t heads = multiple; heads > 0; heads -= kHeadMultiple) {
        if (all_fit(heads)) return heads;
    }
    for (std::int64_t heads = std::min(most, evidence.heads / 2); heads > 0; --heads) {
        if (evidence.heads % heads == 0 && all_fit(heads)) return heads;
    }
    return std::nullopt;
}

std::optional<std::int64_t> heads_per_tile(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence,
                                           std::span<const AxisUse> uses, trace::TileId tile, int axis) {
    const auto numbers = trace::known_tile(trace, tile);
    if (!numbers || static_cast<std::size_t>(axis) >= numbers->size()) return std::nullopt;
    const trace::ShapeOf shapes = [&](TensorId id) { return trace::known_shape(trace, id); };
    std::int64_t whole = (*numbers)[static_cast<std::size_t>(axis)];
    for (const AxisUse& use : uses) {
        const auto shape = trace::known_shape(trace, use.tensor);
        if (use.op == evidence.consumer && shape) whole = std::min(whole, (*shape)[static_cast<std::size_t>(use.axis)]);
    }
    std::int64_t heads = 1;
    while (heads * 2 < whole) heads *= 2;
    for (; heads > 0; heads /= 2) {
        std::vector<std::int64_t> smaller = *numbers;
        smaller[static_cast<std::size_t>(axis)] = heads;
        const bool all_fit = std::ranges::all_of(uses, [&](const AxisUse& use) {
            return trace.operations[use.op].vec_tile != tile || fits(trace, use, smaller, shapes, evidence.limit);
        });
        if (all_fit) return heads;
    }
    return std::nullopt;
}

}  // namespace ptofix::rewrites
