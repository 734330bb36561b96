#include "trace/tile_estimate.h"

#include <algorithm>
#include <span>

#include "trace/operations.h"

namespace ptofix::trace {

namespace {

// Measured on the framework's own compiler, head of August 2026: the pass that expands tiles makes for each vector tile
// one copy in for each tensor operand, the operation and one copy out; what stays on the chip is removed later.
constexpr std::int64_t kCopyOut = 1;
// Arithmetic on 16-bit elements runs in FP32: a cast (copy in, cast, copy out) for each tensor operand and the result.
constexpr std::int64_t kCast = 3;
// A matmul loads A and B for each step of kL0, multiplies, loads both from GM for each step of kL1, and copies out.
constexpr std::int64_t kPerInnerStep = 3;
constexpr std::int64_t kPerOuterStep = 2;
// A batched matmul cuts its operands and puts the parts of the result together, batch by batch.
constexpr std::int64_t kPerBatch = 5;
// A reshape of something computed is a copy in, a copy and a copy out.
constexpr std::int64_t kReshape = 3;

std::optional<std::int64_t> multiply(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    std::int64_t result = 0;
    if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
    return result;
}

std::optional<std::int64_t> ceil_div(SymInt a, std::int64_t b) {
    if (!a.known() || b <= 0) return std::nullopt;
    return (a.value + b - 1) / b;
}

/// True for what lies in global memory as it came: a parameter, a buffer, and views of them.
bool lies_in_memory(const Trace& trace, TensorId id) {
    while (trace.tensors[id].base != kNoTensor) id = trace.tensors[id].base;
    return trace.tensors[id].source != TensorSource::operation;
}

bool is_16_bit(hardware::DType dtype) {
    return dtype == hardware::DType::fp16 || dtype == hardware::DType::bf16;
}

std::optional<std::int64_t> matmul_operations(const Trace& trace, const Operation& op) {
    const auto inputs = trace.inputs(op);
    if (info(op.code).shape != ShapeRule::matmul) return std::nullopt;  // conv has tiles of its own
    if (inputs.size() < 2 || op.cube_tile == kNone || !trace.tiles[op.cube_tile].known) return std::nullopt;
    const TileSetting& tile = trace.tiles[op.cube_tile];
    const TensorType& a = trace.tensors[inputs[0]].type;
    const TensorType& b = trace.tensors[inputs[1]].type;
    const std::size_t rank = a.shape.size();
    if (!a.shape_known() || !b.shape_known() || rank < 2 || b.shape.size() < 2) return std::nullopt;
    const SymInt m = a.shape[op.a_trans ? rank - 1 : rank - 2];
    const SymInt k = a.shape[op.a_trans ? rank - 2 : rank - 1];
    const SymInt n = b.shape[op.b_trans ? b.shape.size() - 2 : b.shape.size() - 1];
    const std::int64_t outer_k = std::max<std::int64_t>(1, std::min(tile.k[1].as.i, tile.k[2].as.i));
    const auto inner_steps = ceil_div(k, tile.k[0].as.i);
    const auto outer_steps = ceil_div(k, outer_k);
    if (!inner_steps || !outer_steps) return std::nullopt;
    const auto blocks = multiply(ceil_div(m, tile.m[0].as.i), ceil_div(n, tile.n[0].as.i));
    auto each = multiply(blocks, kPerInnerStep * *inner_steps + kPerOuterStep * *outer_steps + kCopyOut);
    std::optional<std::int64_t> batches = 1;
    for (std::size_t i = 0; i + 2 < rank; ++i) batches = multiply(batches, a.shape[i].value);
    if (each && batches > 1) *each += kPerBatch;
    return multiply(each, batches);
}

std::optional<std::int64_t> vector_operations(const Trace& trace, const Operation& op) {
    const auto inputs = trace.inputs(op);
    const OperationInfo& about = info(op.code);
    // What is cut into tiles: the larger side. A reduction's input, any other operation's output.
    TensorId cut = op.output;
    if (about.shape == ShapeRule::reduce && !inputs.empty()) cut = inputs[0];
    if (cut == kNoTensor) return std::nullopt;
    const auto tiles = tile_count(trace, op.vec_tile, trace.tensors[cut].type);
    std::int64_t each = 1 + static_cast<std::int64_t>(inputs.size()) + kCopyOut;
    const bool arithmetic = about.shape == ShapeRule::same_as_first || about.shape == ShapeRule::broadcast;
    if (arithmetic && !is(op, Op::cast) && is_16_bit(trace.tensors[cut].type.dtype)) {
        each += kCast * (static_cast<std::int64_t>(inputs.size()) + 1);
    }
    return multiply(tiles, each);
}

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

std::optional<std::int64_t> tile_operations(const Trace& trace, const Operation& op) {
    switch (op.engine) {
        case Engine::vector:
            return vector_operations(trace, op);
        case Engine::cube:
            return matmul_operations(trace, op);
        case Engine::movement:
            return 1;
        case Engine::create:
            return op.output == kNoTensor ? std::optional<std::int64_t>(1) : vector_operations(trace, op);
        case Engine::view: {
            if (!is(op, Op::reshape)) return 1;
            const auto inputs = trace.inputs(op);
            if (inputs.empty() || op.output == kNoTensor || lies_in_memory(trace, inputs[0])) return 0;
            return multiply(tile_count(trace, op.vec_tile, trace.tensors[op.output].type), kReshape);
        }
        case Engine::control:
        case Engine::scalar:
            return 0;
    }
    return std::nullopt;
}

}  // namespace ptofix::trace
