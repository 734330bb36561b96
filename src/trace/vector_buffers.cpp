#include "trace/vector_buffers.h"

#include <algorithm>

#include "hardware/tile.h"
#include "trace/operations.h"

namespace ptofix::trace {

namespace {

using hardware::DType;
using Sizes = std::vector<std::int64_t>;

// Operations without 16-bit instructions on A2 and A3: framework/src/interface/operation/opcode.h, UNSUPPORT_FP16_OPS
// and UNSUPPORT_BF16_OPS. The compiler's AutoCast pass puts casts to FP32 around them.
constexpr Op kNoFp16[] = {Op::add, Op::sub, Op::mul, Op::fmod, Op::remainder};
constexpr Op kNoBf16[] = {Op::add,        Op::sub,       Op::mul,      Op::div,       Op::maximum,       Op::minimum,
                          Op::fmod,       Op::remainder, Op::exp,      Op::sqrt,      Op::rsqrt,         Op::relu,
                          Op::reciprocal, Op::abs,       Op::log,      Op::neg,       Op::sign,          Op::where,
                          Op::sum,        Op::amax,      Op::amin,     Op::prod,      Op::prelu,         Op::lrelu,
                          Op::sinh,       Op::cosh,      Op::copysign, Op::floor_div, Op::expand_exp_dif};
// These need no buffer beside their inputs and outputs.
constexpr Op kPlain[] = {Op::add, Op::sub, Op::mul,  Op::cast, Op::maximum, Op::minimum,
                         Op::abs, Op::neg, Op::relu, Op::exp,  Op::sqrt};

bool is_one_of(const Operation& op, std::span<const Op> list) {
    return std::ranges::any_of(list, [&](Op o) { return is(op, o); });
}

bool is_widened(const Operation& op, DType dtype) {
    return dtype == DType::fp16 ? is_one_of(op, kNoFp16) : dtype == DType::bf16 && is_one_of(op, kNoBf16);
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

class Buffers {
  public:
    Buffers(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile, const ShapeOf& shape_of)
        : trace_(trace), op_(op), tile_(tile.begin(), tile.end()), shape_of_(shape_of) {}

    std::optional<BufferBytes> bytes() {
        if (op_.engine != Engine::vector || op_.output == kNoTensor || op_.input_count == 0) return std::nullopt;
        const DType dtype = trace_.tensors[trace_.inputs(op_)[0]].type.dtype;
        const bool widened = is_widened(op_, dtype);
        BufferBytes result;
        std::vector<TensorId> seen;
        std::int64_t inputs = 0;
        bool may_reuse = false;   // the result may lie where an operand of its size does
        bool will_reuse = false;  // it does: nothing else reads that operand
        std::vector<std::pair<TensorId, std::int64_t>> sizes;
        for (const TensorId id : trace_.inputs(op_)) {
            if (std::ranges::find(seen, id) != seen.end()) continue;
            seen.push_back(id);
            const DType own = trace_.tensors[id].type.dtype;
            const auto narrow = size(id, own, tile_);
            const auto wide = size(id, widened && hardware::is_half(own) ? DType::fp32 : own, tile_);
            if (!narrow || !wide) return std::nullopt;
            if (widened && hardware::is_half(own)) {
                const std::int64_t cast = saturating_add(*narrow, *wide);
                result.most = std::max(result.most, cast);
                // Between two operations in FP32 the pass takes its casts away again.
                if (!comes_widened(id)) result.least = std::max(result.least, cast);
            }
            inputs = saturating_add(inputs, *wide);
            sizes.emplace_back(id, *wide);
        }
        if (op_.output == kNoTensor) return std::nullopt;
        const DType result_dtype = trace_.tensors[op_.output].type.dtype;
        const bool result_widened = widened && hardware::is_half(result_dtype);
        const auto narrow = size(op_.output, result_dtype, output_tile());
        const auto wide = size(op_.output, result_widened ? DType::fp32 : result_dtype, output_tile());
        if (!narrow || !wide) return std::nullopt;
        if (result_widened) result.most = std::max(result.most, saturating_add(*narrow, *wide));
        const std::int64_t sum = saturating_add(inputs, *wide);
        const bool plain = is_one_of(op_, kPlain);
        if (!is(op_, Op::cast)) {  // a cast changes the size of the elements
            for (const auto& [id, size] : sizes) {
                if (size != *wide) continue;
                may_reuse = true;
                will_reuse = will_reuse || (plain && readers(id) == 1);
            }
        }
        result.least = std::max(result.least, may_reuse ? inputs : sum);
        result.most = std::max(result.most, will_reuse ? inputs : plain ? sum : saturating_add(sum, sum));
        return result;
    }

  private:
    std::optional<std::int64_t> size(TensorId id, DType dtype, const Sizes& tile) const {
        const auto shape = shape_of_(id);
        if (!shape) return std::nullopt;
        return hardware::vec_tile_bytes(tile, *shape, dtype);
    }

    std::size_t readers(TensorId id) const {
        const KernelTrace& kernel = trace_.kernels[op_.kernel];
        const auto all = std::span(trace_.operations).subspan(kernel.first_op, kernel.end_op - kernel.first_op);
        return static_cast<std::size_t>(std::ranges::count_if(all, [&](const Operation& op) {
            const auto inputs = trace_.inputs(op);
            return std::ranges::find(inputs, id) != inputs.end();
        }));
    }

    /// Is the tensor the FP32 result of another widened operation?
    bool comes_widened(TensorId id) const {
        const Tensor& tensor = trace_.tensors[id];
        if (tensor.source != TensorSource::operation || tensor.producer == kNone) return false;
        const Operation& producer = trace_.operations[tensor.producer];
        return producer.engine == Engine::vector && is_widened(producer, tensor.type.dtype);
    }

    /// The tile of the result: that of the input with its axes moved or taken away as the operation does.
    Sizes output_tile() const {
        Sizes tile = tile_;
        if (info(op_.code).shape == ShapeRule::reduce && !op_.keepdim && op_.axis >= 0 &&
            static_cast<std::size_t>(op_.axis) < tile.size()) {
            tile.erase(tile.begin() + op_.axis);
        }
        const auto axis = [&](std::string_view name) -> std::optional<std::size_t> {
            for (const auto& [n, v] : op_.arguments) {
                if (n != name || v.tag != Tag::integer) continue;
                const auto rank = static_cast<std::int64_t>(trace_.tensors[op_.output].type.shape.size());
                const std::int64_t at = v.as.i < 0 ? v.as.i + rank : v.as.i;
                if (at >= 0 && static_cast<std::size_t>(at) < tile.size()) return static_cast<std::size_t>(at);
            }
            return std::nullopt;
        };
        if (is(op_, Op::permute)) {
            for (const auto& [n, v] : op_.arguments) {
                if (n != "dims" || !v.is_sequence() || v.as.list->items.size() > tile_.size()) continue;
                for (std::size_t i = 0; i < v.as.list->items.size(); ++i) {
                    const std::int64_t from = v.as.list->items[i].sym().known() ? v.as.list->items[i].sym().value : -1;
                    if (from >= 0 && static_cast<std::size_t>(from) < tile_.size())
                        tile[i] = tile_[static_cast<std::size_t>(from)];
                }
            }
        }
        if (is(op_, Op::transpose)) {
            const auto a = axis("dim0");
            const auto b = axis("dim1");
            if (a && b) std::swap(tile[*a], tile[*b]);
        }
        return tile;
    }

    const Trace& trace_;
    const Operation& op_;
    Sizes tile_;
    const ShapeOf& shape_of_;
};

}  // namespace

std::optional<std::vector<std::int64_t>> known_shape(const Trace& trace, TensorId tensor) {
    const TensorType& type = trace.tensors[tensor].type;
    if (!type.shape_known()) return std::nullopt;
    std::vector<std::int64_t> shape;
    for (const SymInt dim : type.shape) shape.push_back(dim.value);
    return shape;
}

std::optional<std::vector<std::int64_t>> known_tile(const Trace& trace, TileId tile) {
    if (tile == kNone || !trace.tiles[tile].known) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Value& v : trace.tiles[tile].vec) numbers.push_back(v.as.i);
    return numbers;
}

std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile,
                                          const ShapeOf& shape_of) {
    return Buffers(trace, op, tile, shape_of).bytes();
}

bool runs_in_fp32(const Operation& op, DType dtype) {
    return is_widened(op, dtype);
}

std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op) {
    const auto tile = known_tile(trace, op.vec_tile);
    if (!tile) return std::nullopt;
    return vector_buffers(trace, op, *tile, [&](TensorId id) { return known_shape(trace, id); });
}

}  // namespace ptofix::trace
