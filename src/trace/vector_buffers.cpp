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

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/// What an operation takes whose steps are not known one by one: its inputs and its output; in FP32 where it computes,
/// and as much again for work, at most.
class Estimate {
  public:
    Estimate(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile, const ShapeOf& shape_of)
        : trace_(trace), op_(op), tile_(tile.begin(), tile.end()), shape_of_(shape_of) {}

    std::optional<BufferBytes> bytes() {
        if (op_.engine != Engine::vector || op_.output == kNoTensor || op_.input_count == 0) return std::nullopt;
        std::vector<TensorId> seen;
        BufferBytes result;
        const auto output = size(op_.output, false, output_tile());
        const auto widest = size(op_.output, true, output_tile());
        if (!output || !widest) return std::nullopt;
        bool may_reuse = false;
        result.most = result.largest = *widest;
        for (const TensorId id : trace_.inputs(op_)) {
            if (std::ranges::find(seen, id) != seen.end()) continue;
            seen.push_back(id);
            const auto narrow = size(id, false, tile_);
            const auto wide = size(id, true, tile_);
            if (!narrow || !wide) return std::nullopt;
            result.least = saturating_add(result.least, *narrow);
            result.most = saturating_add(result.most, *wide);
            result.largest = std::max(result.largest, *wide);
            may_reuse = may_reuse || *narrow == *output;
        }
        if (!may_reuse) result.least = saturating_add(result.least, *output);
        result.most = saturating_add(result.most, result.most);
        return result;
    }

  private:
    std::optional<std::int64_t> size(TensorId id, bool widened, const Sizes& tile) const {
        const auto shape = shape_of_(id);
        if (!shape) return std::nullopt;
        const DType own = trace_.tensors[id].type.dtype;
        const bool in_fp32 = widened && hardware::is_half(own) && runs_in_fp32(op_, own);
        return hardware::vec_tile_bytes(tile, *shape, in_fp32 ? DType::fp32 : own);
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

/// A result that nothing reads is dropped with the operation that makes it.
bool is_dropped(const Operation& op, const TensorReaders& readers) {
    return op.output != kNoTensor && !op.in_place && readers.count[op.output] == 0;
}

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

std::optional<BufferBytes> VectorMemory::bytes(const Operation& op, std::span<const std::int64_t> tile,
                                               const ShapeOf& shape_of) const {
    if (readers_.count.empty()) readers_ = tensor_readers(trace_, soc_);
    if (is_dropped(op, readers_)) return std::nullopt;
    auto steps = vector_steps(trace_, op, tile, {shape_of, readers_, soc_});
    if (!steps) return Estimate(trace_, op, tile, shape_of).bytes();
    BufferBytes result;
    for (VectorStep& step : *steps) {
        result.most = std::max(result.most, step.most());
        for (const StepBuffer& b : step.inputs) result.largest = std::max(result.largest, b.most);
        result.largest = std::max(result.largest, step.output.most);
        if (result.worst && step.least() <= result.least) continue;
        result.least = step.least();
        result.worst = std::move(step);
    }
    return result;
}

std::optional<BufferBytes> VectorMemory::bytes(const Operation& op) const {
    const auto tile = known_tile(trace_, op.vec_tile);
    if (!tile) return std::nullopt;
    return bytes(op, *tile, [&](TensorId id) { return known_shape(trace_, id); });
}

std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile,
                                          const ShapeOf& shape_of, hardware::Soc soc) {
    return VectorMemory(trace, soc).bytes(op, tile, shape_of);
}

bool runs_in_fp32(const Operation& op, DType dtype) {
    const auto is_among = [&](std::span<const Op> list) {
        return std::ranges::any_of(list, [&](Op o) { return is(op, o); });
    };
    return dtype == DType::fp16 ? is_among(kNoFp16) : dtype == DType::bf16 && is_among(kNoBf16);
}

std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op, hardware::Soc soc) {
    return VectorMemory(trace, soc).bytes(op);
}

}  // namespace ptofix::trace
