#include "trace/tile_checks.h"

#include <algorithm>

#include "hardware/tile.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::trace {

namespace {

using hardware::DType;

/// An operation whose opcodes are verified, by what they are on tensors, and on a tensor and a number. Others (CMPS,
/// RECIPROCAL, CUM_SUM, POW ...) have no verifier in opcode.cpp.
struct Verified {
    Op op;
    std::string_view tensors;
    std::string_view number;  // empty: the same
};
constexpr Verified kElementwise[] = {
    {Op::add, "ADD", "ADDS"},
    {Op::sub, "SUB", "SUBS"},
    {Op::mul, "MUL", "MULS"},
    {Op::div, "DIV", "DIVS"},
    {Op::maximum, "MAXIMUM", "MAXS"},
    {Op::minimum, "MINIMUM", "MINS"},
    {Op::fmod, "MOD", "MODS"},
    {Op::remainder, "REM", "REMS"},
    {Op::floor_div, "FLOORDIV", "FLOORDIVS"},
    {Op::bitwise_and, "BITWISEAND", "BITWISEANDS"},
    {Op::bitwise_or, "BITWISEOR", "BITWISEORS"},
    {Op::bitwise_xor, "BITWISEXOR", "BITWISEXORS"},
    {Op::gcd, "GCD", "GCDS"},
    {Op::expand_exp_dif, "EXPANDEXPDIF", {}},
    {Op::copysign, "COPYSIGN", {}},
    {Op::logical_and, "LOGICALAND", {}},
    {Op::exp, "EXP", {}},
    {Op::sqrt, "SQRT", {}},
    {Op::abs, "ABS", {}},
    {Op::relu, "RELU", {}},
    {Op::neg, "MULS", {}},
    {Op::ceil, "CEIL", {}},
    {Op::floor, "FLOOR", {}},
    {Op::trunc, "TRUNC", {}},
    {Op::log, "LN", {}},
    {Op::isfinite, "ISFINITE", {}},
    {Op::isnan, "ISNAN", {}},
    {Op::logical_not, "LOGICALNOT", {}},
    {Op::lrelu, "LRELU", {}},
    {Op::rsqrt, "SQRT", {}},
    {Op::sigmoid, "MULS", {}},
    {Op::rms_norm, "MUL", {}},
    {Op::clip, "MAXS", {}},
    {Op::where, "WHERE", {}},
    {Op::cast, "CAST", {}},
    {Op::expand_clone, "EXPAND", {}},
    {Op::gather, "GATHER_ELEMENT", {}},
    {Op::topk, "TOPK", {}},
    {Op::concat, "REGISTER_COPY", {}},
    {Op::full, "VEC_DUP", {}},
    {Op::zeros, "VEC_DUP", {}},
    {Op::ones, "VEC_DUP", {}},
};
constexpr Verified kReductions[] = {
    {Op::amax, "ROWMAX_SINGLE", {}},  {Op::amin, "ROWMIN_SINGLE", {}},    {Op::sum, "ROWSUM_SINGLE", {}},
    {Op::prod, "ROWPROD_SINGLE", {}}, {Op::softmax, "ROWMAX_SINGLE", {}},
};
constexpr Op kCompares[] = {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge, Op::greater};

constexpr std::int64_t kSorted = 32;     // elements that one sort instruction takes
constexpr std::int64_t kBitsOfByte = 8;  // elements that one byte of a condition of bits stands for
constexpr std::int64_t kFp32Block = hardware::kVectorBlockBytes / 4;

const Value* argument(const Operation& op, std::string_view name) {
    const auto at = std::ranges::find(op.arguments, name, &std::pair<std::string_view, Value>::first);
    return at == op.arguments.end() ? nullptr : &at->second;
}

std::optional<std::size_t> rank_of(const Trace& trace, TensorId tensor) {
    if (tensor == kNoTensor) return std::nullopt;
    const TensorType& type = trace.tensors[tensor].type;
    if (!type.rank_known || type.shape.empty()) return std::nullopt;
    return type.shape.size();
}

TensorId first_input(const Trace& trace, const Operation& op) {
    return op.input_count == 0 ? kNoTensor : trace.inputs(op).front();
}

/// Written as casts to FP32, the steps, and back.
constexpr Op kComputedInFp32[] = {Op::softmax, Op::sigmoid, Op::rms_norm, Op::rsqrt,
                                  Op::ceil,    Op::floor,   Op::trunc,    Op::log};

/// Casts to FP32 are put around what has no 16-bit instruction, before anything is verified.
std::string_view behind_casts(const Trace& trace, const Operation& op, std::string_view opcode) {
    const TensorId input = first_input(trace, op);
    if (input == kNoTensor) return opcode;
    const DType dtype = trace.tensors[input].type.dtype;
    if (!hardware::is_half(dtype)) return opcode;
    const bool in_fp32 = std::ranges::any_of(kComputedInFp32, [&](Op o) { return is(op, o); });
    return in_fp32 || has_casts_around(op, dtype) ? "CAST" : opcode;
}

/// The forms of an operation that have opcodes of their own.
std::string_view opcode_of(const Trace& trace, const Operation& op, const Verified& v) {
    const auto is_tensor = [&](std::string_view name) {
        const Value* value = argument(op, name);
        return value != nullptr && value->is(Tag::tensor);
    };
    if (is(op, Op::where)) {
        if (is_tensor("input")) return is_tensor("other") ? "WHERE_TT" : "WHERE_TS";
        return is_tensor("other") ? "WHERE_ST" : "WHERE_SS";
    }
    if (is(op, Op::div) && !is_tensor("input")) return "MULS";  // by way of a reciprocal, which is not verified
    if (is(op, Op::clip) && (argument(op, "min") == nullptr || argument(op, "min")->is(Tag::none))) return "MINS";
    const bool with_number = op.input_count == 1 && !v.number.empty() && !(is_tensor("input") && is_tensor("other"));
    return behind_casts(trace, op, with_number ? v.number : v.tensors);
}

std::optional<std::size_t> axis_argument(const Operation& op, std::string_view name, std::size_t rank) {
    const Value* v = argument(op, name);
    if (v == nullptr || !v->is(Tag::integer)) return std::nullopt;
    const std::int64_t axis = v->as.i < 0 ? v->as.i + static_cast<std::int64_t>(rank) : v->as.i;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    return static_cast<std::size_t>(axis);
}

/// nullopt also where both axes have one element: the tensor itself is given back.
std::optional<CheckedRank> transposed(const Trace& trace, const Operation& op) {
    const TensorId input = first_input(trace, op);
    const auto rank = rank_of(trace, input);
    if (!rank) return std::nullopt;
    const auto a = axis_argument(op, "dim0", *rank), b = axis_argument(op, "dim1", *rank);
    if (!a || !b || *a == *b) return std::nullopt;
    const auto& shape = trace.tensors[input].type.shape;
    const auto longer = [](const SymInt& dim) { return dim.known() && dim.value > 1; };
    if (!longer(shape[*a]) && !longer(shape[*b])) return std::nullopt;
    return CheckedRank{.axes = *rank, .exactly = true, .opcode = "TRANSPOSE"};
}

std::optional<CheckedRank> permuted(const Trace& trace, const Operation& op) {
    const auto rank = rank_of(trace, first_input(trace, op));
    const Value* dims = argument(op, "dims");
    if (!rank || *rank < 2 || dims == nullptr || !dims->is_sequence() || dims->as.list->items.size() != *rank) {
        return std::nullopt;
    }
    bool moves = false;
    for (std::size_t i = 0; i < *rank; ++i) {
        const Value& v = dims->as.list->items[i];
        if (!v.is(Tag::integer)) return std::nullopt;
        const std::int64_t at = v.as.i < 0 ? v.as.i + static_cast<std::int64_t>(*rank) : v.as.i;
        moves = moves || at != static_cast<std::int64_t>(i);
    }
    if (!moves) return std::nullopt;
    return CheckedRank{.axes = *rank, .opcode = "PERMUTE"};
}

}  // namespace

bool works_on_vec_tile(const Operation& op) {
    return op.engine == Engine::vector || op.engine == Engine::create || is(op, Op::concat);
}

std::optional<CheckedRank> checked_rank(const Trace& trace, const Operation& op) {
    if (is(op, Op::transpose)) return transposed(trace, op);
    if (is(op, Op::permute)) return permuted(trace, op);
    if (is_free_cast(trace, op)) return std::nullopt;
    for (const Verified& v : kReductions) {
        if (!is(op, v.op)) continue;
        const auto rank = rank_of(trace, first_input(trace, op));
        if (!rank) return std::nullopt;
        return CheckedRank{.axes = *rank, .opcode = behind_casts(trace, op, v.tensors), .reduces = true};
    }
    const auto output = rank_of(trace, op.output);
    if (!output) return std::nullopt;
    for (const Verified& v : kElementwise) {
        if (!is(op, v.op)) continue;
        return CheckedRank{.axes = *output, .opcode = opcode_of(trace, op, v)};
    }
    if (op.input_count == 2 && std::ranges::any_of(kCompares, [&](Op o) { return is(op, o); })) {
        return CheckedRank{.axes = *output, .opcode = "CMP"};
    }
    return std::nullopt;
}

std::optional<CheckedMultiple> checked_multiple(const Trace& trace, const Operation& op, std::size_t tile_axes) {
    using By = CheckedMultiple::By;
    if (tile_axes == 0) return std::nullopt;
    const std::size_t last = tile_axes - 1;
    if (is(op, Op::argsort)) {
        const auto rank = rank_of(trace, first_input(trace, op));
        if (!rank) return std::nullopt;
        const Value* dim = argument(op, "dim");
        const bool is_last = dim == nullptr || dim->is(Tag::none);
        const auto axis = is_last ? std::optional(*rank - 1) : axis_argument(op, "dim", *rank);
        if (!axis || *axis >= tile_axes) return std::nullopt;
        return CheckedMultiple{By::sort, *axis, kSorted};
    }
    if (is(op, Op::where)) {
        const TensorId condition = first_input(trace, op);
        if (condition == kNoTensor || trace.tensors[condition].type.dtype != DType::uint8) return std::nullopt;
        return CheckedMultiple{By::bit_mask, last, kBitsOfByte};
    }
    if (is(op, Op::online_softmax_update)) {
        if (tile_axes < 2) return std::nullopt;
        return CheckedMultiple{By::online_softmax, 1, kFp32Block};
    }
    if (is(op, Op::concat)) {
        const TensorId part = first_input(trace, op);
        if (part == kNoTensor || !rank_of(trace, part)) return std::nullopt;
        const std::int64_t element = hardware::size_of(trace.tensors[part].type.dtype);
        if (element <= 0 || element >= hardware::kVectorBlockBytes) return std::nullopt;
        return CheckedMultiple{By::copy, last, hardware::kVectorBlockBytes / element};
    }
    return std::nullopt;
}

std::optional<std::size_t> empty_axis(const Trace& trace, const Operation& op) {
    if (!works_on_vec_tile(op) || op.input_count == 0 || op.vec_tile == kNone) return std::nullopt;
    const TileSetting& tile = trace.tiles[op.vec_tile];
    const auto axes = axes_of(tile);
    const auto checked = checked_rank(trace, op);
    const bool moves_nothing = is_free_cast(trace, op) || is(op, Op::transpose) || is(op, Op::permute);
    if (!axes || (!checked && moves_nothing)) return std::nullopt;
    const auto rank = checked ? std::optional(checked->axes) : rank_of(trace, cut_tensor(trace, op));
    if (!rank || *axes < *rank || (checked && checked->exactly && *axes != *rank)) return std::nullopt;
    for (std::size_t axis = 0; axis < *rank; ++axis) {
        const Value& number = tile.vec[axis];
        if (number.is(Tag::integer) && number.as.i <= 0) return axis;
    }
    return std::nullopt;
}

std::optional<double> tiles_by_surplus_axes(const Trace& trace, const Operation& op) {
    if (!works_on_vec_tile(op) || op.output == kNoTensor || op.vec_tile == kNone) return std::nullopt;
    const TensorType& type = trace.tensors[cut_tensor(trace, op)].type;
    if (trace.tiles[op.vec_tile].vec.size() <= type.shape.size()) return std::nullopt;
    const auto tile = known_tile(trace, op.vec_tile);
    const auto shape = known_shape(trace, cut_tensor(trace, op));
    if (!tile || !shape || shape->empty() || tile->size() <= shape->size()) return std::nullopt;
    const auto as_taken = hardware::vec_tile_count(*tile, *shape);
    const auto as_meant = hardware::vec_tile_count(std::span(*tile).last(shape->size()), *shape);
    if (!as_taken || !as_meant) return std::nullopt;
    return static_cast<double>(*as_taken) / static_cast<double>(*as_meant);
}

bool surplus_axes_multiply(const Trace& trace, const Operation& op) {
    constexpr double kSeveral = 4;
    const auto times = tiles_by_surplus_axes(trace, op);
    return times && *times >= kSeveral;
}

std::optional<std::size_t> axes_of(const TileSetting& tile) {
    if (tile.engine != TileSetting::Engine::vec || tile.vec.empty()) return std::nullopt;
    if (!std::ranges::all_of(tile.vec, [](const Value& v) { return v.is(Tag::integer) || v.is(Tag::symbol); }))
        return std::nullopt;
    return tile.vec.size();
}

bool may_be_another_tile(const Trace& trace, const Operation& op) {
    const std::vector<OpId>& unfollowed = trace.kernels[op.kernel].unfollowed;
    const OpId from = op.vec_tile == kNone ? trace.kernels[op.kernel].first_op : trace.tiles[op.vec_tile].first_op;
    const auto id = static_cast<OpId>(&op - trace.operations.data());
    return std::ranges::any_of(unfollowed, [&](OpId at) { return at >= from && at <= id; });
}

bool is_vec_tile_set_by_host(const Trace& trace) {
    return std::ranges::any_of(trace.tiles, [](const TileSetting& t) {
        return t.kernel == kNone && t.engine == TileSetting::Engine::vec && !t.is_joined();
    });
}

std::optional<RefusedRank> refused_rank(const Trace& trace, const Operation& op, bool set_by_host) {
    if (!works_on_vec_tile(op)) return std::nullopt;
    const bool none = op.vec_tile == kNone;
    if (none && (set_by_host || trace.kernels[op.kernel].is_helper)) return std::nullopt;
    const auto axes = none ? std::nullopt : axes_of(trace.tiles[op.vec_tile]);
    if ((!none && !axes) || may_be_another_tile(trace, op)) return std::nullopt;
    const auto asked = checked_rank(trace, op);
    if (!asked || (axes && (asked->exactly ? *axes == asked->axes : *axes >= asked->axes))) return std::nullopt;
    return RefusedRank{*asked, axes};
}

}  // namespace ptofix::trace
