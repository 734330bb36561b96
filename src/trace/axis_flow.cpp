#include "trace/axis_flow.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "trace/operations.h"

namespace ptofix::trace {

namespace {

const Value* argument(const Operation& op, std::string_view name) {
    for (const auto& [n, v] : op.arguments) {
        if (n == name) return &v;
    }
    return nullptr;
}

std::optional<int> axis_argument(const Operation& op, std::string_view name, std::size_t rank) {
    const Value* v = argument(op, name);
    if (v == nullptr || v->tag != Tag::integer) return std::nullopt;
    const std::int64_t axis = v->as.i < 0 ? v->as.i + static_cast<std::int64_t>(rank) : v->as.i;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    return static_cast<int>(axis);
}

/// The axis of the result that has the same extent and the same number of elements in front of it. An axis of one
/// element could be any.
int through_reshape(const TensorType& from, const TensorType& to, int axis) {
    if (!from.shape_known() || !to.shape_known()) return kAxisGone;
    std::int64_t before = 1;
    for (int i = 0; i < axis; ++i) before *= std::max<std::int64_t>(from.shape[static_cast<std::size_t>(i)].value, 1);
    const SymInt extent = from.shape[static_cast<std::size_t>(axis)];
    std::int64_t product = 1;
    for (std::size_t i = 0; i < to.shape.size() && product <= before; ++i) {
        if (product == before && to.shape[i] == extent) return static_cast<int>(i);
        product *= std::max<std::int64_t>(to.shape[i].value, 1);
    }
    return kAxisGone;
}

int through_permute(const Operation& op, int axis) {
    const Value* dims = argument(op, "dims");
    if (dims == nullptr || !dims->is_sequence() || dims->as.list->open) return kAxisGone;
    const auto& items = dims->as.list->items;
    const auto rank = static_cast<std::int64_t>(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].tag != Tag::integer) return kAxisGone;
        if ((items[i].as.i + rank) % std::max<std::int64_t>(rank, 1) == axis) return static_cast<int>(i);
    }
    return kAxisGone;
}

int through_transpose(const Operation& op, std::size_t rank, int axis) {
    const auto a = axis_argument(op, "dim0", rank);
    const auto b = axis_argument(op, "dim1", rank);
    if (!a || !b) return kAxisGone;
    return axis == *a ? *b : axis == *b ? *a : axis;
}

int through_reduction(const Operation& op, int axis) {
    if (op.axis == INT32_MAX || op.axis == axis) return kAxisGone;
    return op.keepdim || op.axis > axis ? axis : axis - 1;
}

/// Elementwise operations that read and write at the same place.
bool is_pointwise(const Operation& op) {
    const OperationInfo& about = info(op.code);
    if (op.engine != Engine::vector) return is(op, Op::clone);
    if (about.shape != ShapeRule::same_as_first && about.shape != ShapeRule::broadcast) return false;
    // Along an axis of their own:
    static constexpr Op kAlongAxis[] = {Op::cumsum,     Op::cumprod,      Op::softmax,      Op::rms_norm,   Op::argsort,
                                        Op::mrgsort,    Op::tril,         Op::triu,         Op::tril_,      Op::triu_,
                                        Op::scatter,    Op::scatter_,     Op::quantize,     Op::dequantize, Op::fillpad,
                                        Op::interleave, Op::index_add_ub, Op::index_add__ub};
    return std::ranges::none_of(kAlongAxis, [&](Op o) { return is(op, o); });
}

/// Softmax and normalisation work along one axis and leave the others alone.
bool leaves_axis_alone(const Operation& op, const TensorType& type, int axis) {
    const int last = static_cast<int>(type.shape.size()) - 1;
    if (is(op, Op::rms_norm)) return axis != last;
    return is(op, Op::softmax) && op.axis != INT32_MAX && op.axis != axis;
}

int result_axis(const Trace& trace, const Operation& op, const AxisUse& use) {
    const TensorType& in = trace.tensors[use.tensor].type;
    if (op.output == kNoTensor) return kAxisGone;
    const TensorType& out = trace.tensors[op.output].type;
    if (is(op, Op::transpose)) return through_transpose(op, in.shape.size(), use.axis);
    if (is(op, Op::permute)) return through_permute(op, use.axis);
    if (is(op, Op::reshape) || is(op, Op::squeeze) || is(op, Op::unsqueeze)) return through_reshape(in, out, use.axis);
    const auto at = static_cast<std::size_t>(use.axis);
    if (is(op, Op::view)) {
        return out.rank_known && in.shape.size() == out.shape.size() && in.shape[at].known() &&
                       in.shape[at] == out.shape[at]
                   ? use.axis
                   : kAxisGone;
    }
    if (info(op.code).shape == ShapeRule::reduce) return through_reduction(op, use.axis);
    const bool same_rank = out.rank_known && in.shape.size() == out.shape.size();
    if (is_pointwise(op) || leaves_axis_alone(op, in, use.axis)) return same_rank ? use.axis : kAxisGone;
    return kAxisGone;
}

}  // namespace

std::vector<AxisUse> follow_axis(const Trace& trace, OpId producer, int axis) {
    std::vector<AxisUse> uses;
    const Operation& first = trace.operations[producer];
    if (first.output == kNoTensor) return uses;
    std::unordered_map<TensorId, int> carried{{first.output, axis}};
    const OpId end = first.kernel == kNone ? producer + 1 : trace.kernels[first.kernel].end_op;
    for (OpId id = producer + 1; id < end; ++id) {
        const Operation& op = trace.operations[id];
        for (const TensorId input : trace.inputs(op)) {
            const auto at = carried.find(input);
            if (at == carried.end()) continue;
            AxisUse use{id, input, at->second, kAxisGone, false};
            const bool stores = is(op, Op::assemble) || is(op, Op::move);
            const auto rank = trace.tensors[input].type.shape.size();
            if (op.output == kNoTensor) {
                // Written to something unknown, or no tensor comes out: it ends here.
            } else if (stores) {
                const Tensor& to = trace.tensors[op.output];
                use.is_store = to.type.rank_known && to.type.shape.size() == rank;
                // What is written to a buffer of the kernel goes on from there.
                if (use.is_store && to.source == TensorSource::buffer) carried.emplace(op.output, use.axis);
            } else {
                use.result_axis = result_axis(trace, op, use);
            }
            uses.push_back(use);
            if (use.result_axis != kAxisGone) carried.emplace(op.output, use.result_axis);
            break;
        }
    }
    return uses;
}

}  // namespace ptofix::trace
