#include "trace/tile_estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "hardware/cube_cost.h"
#include "hardware/tile.h"
#include "trace/matmul.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::trace {

namespace {

using hardware::DType;
using Count = std::optional<std::int64_t>;
using Shape = std::vector<std::int64_t>;

// Read from the framework's expanders (framework/src/interface/operation, head of August 2026) and held against its own
// counts (tests/data/measured): every tile of an operand is one copy in, every tile of a result one copy out.
constexpr std::int64_t kUnary = 3;   // copy in, work, copy out
constexpr std::int64_t kBinary = 4;  // two copies in
constexpr std::int64_t kFill = 2;    // nothing to copy in
constexpr std::int64_t kPair = 4;    // two partial results of a reduction into one

// A batched matmul cuts both operands (view, reshape) and puts the result in place (reshape, assemble), batch by batch.
constexpr std::int64_t kPerBatch = 6;
// The tile of the sums that split K leaves when the cube tile is too large for them.
constexpr std::int64_t kSplitTile = 128;

Count multiply(Count a, Count b) {
    std::int64_t result = 0;
    if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
    return result;
}
Count add(Count a, Count b) {
    std::int64_t result = 0;
    if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
    return result;
}

Count ceil_div(SymInt a, std::int64_t b) {
    if (!a.known() || b <= 0) return std::nullopt;
    return a.value / b + (a.value % b != 0 ? 1 : 0);
}

bool is_one_of(const Operation& op, std::span<const Op> list) {
    return std::ranges::any_of(list, [&](Op o) { return is(op, o); });
}

// Computed in FP32: a 16-bit operand is cast by the framework itself, and the result back.
constexpr Op kThroughFp32[] = {Op::rsqrt, Op::ceil,    Op::floor,   Op::trunc,    Op::atan, Op::sinh,  Op::cosh,
                               Op::atanh, Op::erf,     Op::sin,     Op::cos,      Op::erfc, Op::asin,  Op::acos,
                               Op::asinh, Op::acosh,   Op::tan,     Op::log,      Op::log2, Op::log10, Op::log1p,
                               Op::lrelu, Op::sigmoid, Op::softmax, Op::rms_norm, Op::var};
// These stretch a shorter operand while they read it; the others expand it first (opcode.cpp, SUPPORT_BRC_INLINE).
constexpr Op kStretches[] = {Op::add, Op::sub, Op::mul, Op::div, Op::maximum, Op::minimum, Op::expand_exp_dif};

class Expander {
  public:
    Expander(const Trace& trace, const Operation& op) : trace_(trace), op_(op), inputs_(trace.inputs(op)) {}

    Count vector() const {
        const OperationInfo& about = info(op_.code);
        if (is_free_cast(trace_, op_)) return 0;
        if (op_.output == kNoTensor) return std::nullopt;
        if (const Count composite = composed()) return composite;
        switch (about.shape) {
            case ShapeRule::reduce:
                return with_casts(reduction(input_type()), input_type());
            case ShapeRule::same_as_first:
            case ShapeRule::broadcast:
                return with_casts(elementwise(), output_type());
            case ShapeRule::transpose:
                return transposed();
            default:
                break;
        }
        // One tile of each operand and of each result.
        const auto results = static_cast<std::int64_t>(std::max<std::uint8_t>(about.results, 1));
        const bool by_input = about.results > 1 && !inputs_.empty();
        return multiply(tiles(by_input ? input_type() : output_type()),
                        static_cast<std::int64_t>(inputs_.size()) + 1 + results);
    }

    Count create() const {
        if (op_.output == kNoTensor || is(op_, Op::tensor) || is(op_, Op::from_torch)) return 0;
        return multiply(tiles(output_type()), kFill);
    }

    Count movement() const {
        if (is(op_, Op::concat)) {  // each part is copied and put into place
            Count sum = 0;
            for (const TensorId part : inputs_) sum = add(sum, add(multiply(tiles(type(part)), kUnary), 1));
            return inputs_.empty() ? std::nullopt : sum;
        }
        if (is(op_, Op::clone)) return multiply(tiles(output_type()), kUnary);
        if (is(op_, Op::index_add) || is(op_, Op::index_add_)) return multiply(tiles(input_type()), 5);
        if (is(op_, Op::scatter_update) && !inputs_.empty()) {
            return multiply(tiles(type(inputs_.back())), kUnary);  // copies in of rows and index; it stores by itself
        }
        return 1;
    }

    Count view() const {
        if (!is(op_, Op::reshape) && !is(op_, Op::squeeze) && !is(op_, Op::unsqueeze)) return 1;
        if (inputs_.empty() || op_.output == kNoTensor) return 1;
        const Tensor& from = trace_.tensors[inputs_[0]];
        const bool part = from.producer != kNone && is(trace_.operations[from.producer], Op::view);
        if (!part || reshapes_in_place(from.type.shape, output_type().shape)) return 1;
        return add(multiply(tiles(from.type), kUnary), 1);
    }

    Count cube() const {
        if (is(op_, Op::transposed_batchmatmul)) return transposed_batches();
        if (info(op_.code).shape != ShapeRule::matmul || inputs_.size() < 2)
            return std::nullopt;  // conv has other tiles
        const TensorType& a = type(inputs_[0]);
        const TensorType& b = type(inputs_[1]);
        const std::size_t rank = a.shape.size();
        if (!a.shape_known() || !b.shape_known() || rank < 2 || b.shape.size() != rank) return std::nullopt;
        const SymInt m = a.shape[op_.a_trans ? rank - 1 : rank - 2];
        const SymInt k = a.shape[op_.a_trans ? rank - 2 : rank - 1];
        const SymInt n = b.shape[op_.b_trans ? rank - 2 : rank - 1];
        const Count each = product(m, k, n);
        if (rank == 2) return each;
        Count batches = 1;
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            batches = multiply(batches, std::max(a.shape[i].value, b.shape[i].value));
        }
        return multiply(add(each, kPerBatch), batches);
    }

  private:
    const TensorType& type(TensorId id) const { return trace_.tensors[id].type; }
    const TensorType& input_type() const { return inputs_.empty() ? output_type() : type(inputs_[0]); }
    const TensorType& output_type() const { return type(op_.output); }
    Count tiles(const TensorType& type) const { return tile_count(trace_, op_.vec_tile, type); }
    const Value* argument(std::string_view name) const {
        for (const auto& [n, v] : op_.arguments) {
            if (n == name) return &v;
        }
        return nullptr;
    }

    /// The casts that the framework's own function puts around, unlike those of the pass AutoCast.
    Count with_casts(Count each, const TensorType& cut) const {
        if (!is_one_of(op_, kThroughFp32) || inputs_.empty() || !hardware::is_half(input_type().dtype)) return each;
        return add(each, add(multiply(tiles(cut), kUnary), multiply(tiles(output_type()), kUnary)));
    }

    Count elementwise() const {
        const TensorType& out = output_type();
        const Count count = tiles(out);
        auto each = static_cast<std::int64_t>(inputs_.size()) + 2;
        const bool reversed =
            !op_.arguments.empty() && op_.arguments[0].second.tag != Tag::tensor && inputs_.size() == 1;
        // 1 - x is neg(x - 1), 1 / x is reciprocal(x) * 1.
        if (reversed && (is(op_, Op::sub) || is(op_, Op::div))) each = 2 * kUnary;
        Count sum = multiply(count, each);
        if (is_one_of(op_, kStretches)) return sum;
        for (const TensorId id : inputs_) {  // an operand of fewer elements is expanded first
            const TensorType& in = type(id);
            if (info(op_.code).shape != ShapeRule::broadcast || in.shape.size() != out.shape.size()) continue;
            if (in.shape_known() && in.shape != out.shape) sum = add(sum, multiply(count, kUnary));
        }
        return sum;
    }

    /// Each row of tiles: every tile is read, all but the first are taken together with another, the last is reduced.
    Count reduction(const TensorType& in) const { return reduction(in, op_.axis); }
    Count reduction(const TensorType& in, std::int32_t axis) const {
        const auto all = tiles(in);
        if (!all || axis < 0 || static_cast<std::size_t>(axis) >= in.shape.size()) return std::nullopt;
        const auto along = ceil_div(in.shape[static_cast<std::size_t>(axis)],
                                    trace_.tiles[op_.vec_tile].vec[static_cast<std::size_t>(axis)].as.i);
        if (!along || *along == 0) return std::nullopt;
        const std::int64_t rows = *all / *along;
        const bool by_index = is(op_, Op::argmax) || is(op_, Op::argmin);
        const std::int64_t row = by_index ? 3 * *along + (*along - 1) + 2 : kUnary + kPair * (*along - 1);
        const std::int64_t reshape = op_.keepdim || in.shape.size() == 1 || !is_reduction() ? 0 : 1;
        return add(multiply(rows, row), reshape);
    }
    bool is_reduction() const { return info(op_.code).shape == ShapeRule::reduce; }

    /// What one function of the framework makes of several operations.
    Count composed() const {
        const TensorType& out = output_type();
        const auto last = static_cast<std::int32_t>(out.shape.size()) - 1;
        const auto narrow = [&] {  // one element where `out` has a row
            TensorType type = out;
            if (!type.shape.empty()) type.shape.back() = SymInt::of(1);
            return tiles(type);
        };
        const auto finish = [&](Count each) { return with_casts(each, out); };
        if (is(op_, Op::sigmoid)) return finish(multiply(tiles(out), 3 * kUnary + kFill + kBinary));
        if (is(op_, Op::rsqrt)) return finish(multiply(tiles(out), kUnary + kFill + kBinary));
        if (is(op_, Op::softmax)) {
            const Count reduced = reduction(out, op_.axis == INT32_MAX ? last : op_.axis);
            return finish(add(multiply(tiles(out), 2 * kBinary + kUnary), multiply(reduced, 2)));
        }
        if (is(op_, Op::rms_norm)) {
            Count sum = add(multiply(tiles(out), 3 * kBinary + kUnary), reduction(out, last));
            sum = add(sum, multiply(narrow(), 2 * kUnary + kFill));
            if (inputs_.size() > 1) sum = add(sum, add(multiply(tiles(out), kBinary), 1));
            return finish(sum);
        }
        if (is(op_, Op::clip)) {
            std::int64_t each = 0;
            for (const auto& [name, bound] : op_.arguments) {
                if (name == "input" || bound.tag == Tag::none) continue;
                each += bound.tag == Tag::tensor ? kBinary : kUnary;
            }
            return multiply(tiles(out), each);
        }
        if (is(op_, Op::pow)) return power();
        if (is(op_, Op::exp2)) return multiply(tiles(out), kFill + kBinary);
        if (is(op_, Op::cumsum) || is(op_, Op::cumprod)) return cumulative();
        if (is(op_, Op::topk) || is(op_, Op::argsort)) return sorted();
        return std::nullopt;
    }

    Count power() const {
        const Value* exponent = argument("other");
        const Count count = tiles(output_type());
        const Count casts = hardware::is_half(input_type().dtype) ? multiply(count, 2 * kUnary) : Count(0);
        if (exponent == nullptr || (exponent->tag != Tag::integer && exponent->tag != Tag::real)) {
            return multiply(count, static_cast<std::int64_t>(inputs_.size()) + 2);
        }
        const double by = exponent->tag == Tag::integer ? static_cast<double>(exponent->as.i) : exponent->as.f;
        std::int64_t each = 0;
        if (by == 2.0) {
            each = kBinary;
        } else if (by == 3.0) {
            each = 2 * kBinary;
        } else if (by == 0.5) {
            each = kUnary;
        } else {
            const double size = std::fabs(by);
            if (size == std::floor(size) && size < 1e6) {  // by squaring, from a tensor of ones
                const auto bits = static_cast<std::uint32_t>(size);
                each = kFill + kBinary * (1 + std::popcount(bits) + std::bit_width(bits));
            } else {
                each = 3 * kUnary;  // exp(log(x) * exponent)
            }
            if (by < 0) each += kFill + kBinary;
        }
        return add(multiply(count, each), casts);
    }

    Count cumulative() const {
        const TensorType& in = input_type();
        const auto all = tiles(in);
        if (!all || op_.axis < 0 || static_cast<std::size_t>(op_.axis) >= in.shape.size()) return std::nullopt;
        const auto at = static_cast<std::size_t>(op_.axis);
        const auto along = ceil_div(in.shape[at], trace_.tiles[op_.vec_tile].vec[at].as.i);
        if (!along || *along == 0) return std::nullopt;
        // Copy in, work, copy, copy out; each tile but the first adds the last row of the one before, stretched.
        return multiply(*all / *along, 4 + 6 * (*along - 1));
    }

    /// Each tile is sorted, the sorted ones are merged in pairs, values and places are taken out.
    Count sorted() const {
        const TensorType& in = input_type();
        const auto all = tiles(in);
        if (!all || in.shape.empty()) return std::nullopt;
        const auto along = ceil_div(in.shape.back(), trace_.tiles[op_.vec_tile].vec[in.shape.size() - 1].as.i);
        if (!along || *along == 0) return std::nullopt;
        return multiply(*all / *along, 3 * *along + (*along - 1) + 4);
    }

    Count transposed() const {
        const TensorType& in = input_type();
        const auto rank = static_cast<std::int64_t>(in.shape.size());
        const auto axis = [&](std::string_view name) -> std::int64_t {
            const Value* v = argument(name);
            if (v == nullptr || v->tag != Tag::integer) return -1;
            return v->as.i < 0 ? v->as.i + rank : v->as.i;
        };
        const auto [low, high] = std::minmax({axis("dim0"), axis("dim1")});  // by value: the two are temporaries
        // The last axis changes places with the one before it by itself, with an earlier one in three steps.
        const bool far = high == rank - 1 && low < rank - 2;
        return multiply(tiles(in), far ? 3 * kUnary : kUnary);
    }

    Count product(SymInt m, SymInt k, SymInt n) const {
        if (op_.cube_tile == kNone || !trace_.tiles[op_.cube_tile].known) return std::nullopt;
        const TileSetting& tile = trace_.tiles[op_.cube_tile];
        const bool split = tile.split_k.tag == Tag::boolean && tile.split_k.as.b;
        if (!split) return blocks(m, k, n);
        // Each part of K is a matmul of its own on two views; the parts are added up two by two.
        const std::int64_t part = std::min(tile.k[1].as.i, tile.k[2].as.i);
        const auto parts = ceil_div(k, part);
        if (!parts) return std::nullopt;
        const Count each = add(blocks(m, SymInt::of(std::min(part, k.value)), n), 2);
        const bool fits = tile.m[0].as.i * tile.n[0].as.i * hardware::kAccumulatorBytes * 2 <= kSplitUb;
        const Count sums =
            multiply(ceil_div(m, fits ? tile.m[0].as.i : kSplitTile), ceil_div(n, fits ? tile.n[0].as.i : kSplitTile));
        return add(multiply(each, parts), multiply(multiply(sums, kBinary), *parts - 1));
    }
    static constexpr std::int64_t kSplitUb = 196'608;

    Count blocks(SymInt m, SymInt k, SymInt n) const {
        const auto tile = cube_tile_of(trace_.tiles[op_.cube_tile]);
        if (!tile || !m.known() || !k.known() || !n.known()) return std::nullopt;
        hardware::CubeWork work{.m = m.value, .k = k.value, .n = n.value, .scaled = is(op_, Op::scaled_mm)};
        if (const Value* extend = argument("extend_params"); extend != nullptr && extend->tag == Tag::dict) {
            for (const auto& [key, value] : extend->as.dict->items) work.block_operands += value.tag == Tag::tensor;
        }
        const std::int64_t sum = hardware::cube_tile_operations(*tile, work);
        return sum == INT64_MAX ? std::nullopt : Count(sum);
    }

    /// (M, B, K) x (B, K, N): a reshape before and after, and for each batch two views, a reshape, an assemble.
    Count transposed_batches() const {
        if (inputs_.size() < 2) return std::nullopt;
        const TensorType& a = type(inputs_[0]);
        const TensorType& b = type(inputs_[1]);
        if (!a.shape_known() || !b.shape_known() || a.shape.size() != 3 || b.shape.size() != 3) return std::nullopt;
        const Count each = add(product(a.shape[0], a.shape[2], b.shape[2]), 4);
        return add(multiply(each, a.shape[1].value), 2);
    }

    const Trace& trace_;
    const Operation& op_;
    std::span<const TensorId> inputs_;
};

}  // namespace

std::optional<std::int64_t> tile_count(const Trace& trace, TileId vec_tile, const TensorType& type) {
    if (vec_tile == kNone || !type.shape_known()) return std::nullopt;
    const TileSetting& tile = trace.tiles[vec_tile];
    if (!tile.known || tile.vec.size() < type.shape.size()) return std::nullopt;
    std::optional<std::int64_t> count = 1;
    for (std::size_t i = 0; i < type.shape.size(); ++i) {
        count = multiply(count, ceil_div(type.shape[i], tile.vec[i].as.i));
    }
    return count;
}

TensorId cut_tensor(const Trace& trace, const Operation& op) {
    return info(op.code).shape == ShapeRule::reduce && op.input_count > 0 ? trace.inputs(op)[0] : op.output;
}

std::int64_t TileCount::product() const {
    return multiply(tiles, inputs + 1).value_or(INT64_MAX);
}

std::optional<TileCount> count_tiles(const Trace& trace, const Operation& op) {
    const bool on_tiles = op.engine == Engine::vector || op.engine == Engine::create;
    if (!on_tiles || op.output == kNoTensor || is(op, Op::tensor) || is_free_cast(trace, op)) return std::nullopt;
    const auto tiles = tile_count(trace, op.vec_tile, trace.tensors[cut_tensor(trace, op)].type);
    if (!tiles) return std::nullopt;
    return TileCount{*tiles, op.input_count};
}

std::optional<std::int64_t> copy_of(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape) {
    return multiply(hardware::vec_tile_count(tile, shape), kUnary);
}

bool has_casts_around(const Operation& op, DType dtype) {
    return runs_in_fp32(op, dtype) && !is_one_of(op, kThroughFp32);
}

std::optional<std::int64_t> inserted_cast(const Trace& trace, const Operation& op, TensorId tensor) {
    const TensorType& type = trace.tensors[tensor].type;
    if (op.vec_tile == kNone || !type.shape_known()) return std::nullopt;
    const TileSetting& setting = trace.tiles[op.vec_tile];
    if (!setting.known || setting.vec.size() < type.shape.size()) return std::nullopt;
    const std::size_t surplus = setting.vec.size() - type.shape.size();
    Count count = kUnary;
    for (std::size_t i = 0; i < type.shape.size(); ++i) {
        count = multiply(count, ceil_div(type.shape[i], setting.vec[surplus + i].as.i));
    }
    return count;
}

bool is_free_cast(const Trace& trace, const Operation& op) {
    if (!is(op, Op::cast) || op.input_count == 0 || op.output == kNoTensor) return false;
    const DType to = trace.tensors[op.output].type.dtype;
    return to != DType::unknown && trace.tensors[trace.inputs(op)[0]].type.dtype == to;
}

bool reshapes_in_place(std::span<const SymInt> from, std::span<const SymInt> to) {
    const auto longer = from.size() > to.size() ? from : to;
    const auto shorter = from.size() > to.size() ? to : from;
    const std::size_t more = longer.size() - shorter.size();
    const bool ones = more >= 1 && more <= 2 && shorter.size() >= 2 &&
                      std::ranges::all_of(longer.first(more), [](SymInt d) { return d.is(1); }) &&
                      std::ranges::equal(longer.subspan(more), shorter);
    if (ones) return true;
    if (from.size() != to.size() + 1 || to.empty() || !to.back().known()) return false;
    std::int64_t folded = 1;
    for (const SymInt d : from.subspan(1)) {
        if (!d.known() || __builtin_mul_overflow(folded, d.value, &folded)) return false;
    }
    return folded == to.back().value;
}

std::optional<std::int64_t> expanded_operations(const Trace& trace, const Operation& op) {
    const Expander expander(trace, op);
    switch (op.engine) {
        case Engine::vector:
            return expander.vector();
        case Engine::cube:
            return expander.cube();
        case Engine::movement:
            return expander.movement();
        case Engine::create:
            return expander.create();
        case Engine::view:
            return expander.view();
        case Engine::control:
        case Engine::scalar:
            return 0;
    }
    return std::nullopt;
}

std::optional<std::int64_t> tile_operations(const Trace& trace, const Operation& op) {
    Count sum = expanded_operations(trace, op);
    if (op.engine != Engine::vector || op.output == kNoTensor) return sum;
    std::vector<TensorId> cast;
    const auto around = [&](TensorId id) {
        if (!has_casts_around(op, trace.tensors[id].type.dtype) || std::ranges::find(cast, id) != cast.end()) return;
        cast.push_back(id);
        sum = add(sum, inserted_cast(trace, op, id));
    };
    for (const TensorId id : trace.inputs(op)) around(id);
    around(op.output);
    return sum;
}

}  // namespace ptofix::trace
