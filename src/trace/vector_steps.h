// What the compiler makes of one vector operation on one tile: its single steps, each with the buffers that lie in UB
// together. Source: the expanders in the framework's framework/src/interface/operation/vector and the compositions in
// framework/src/operator and python/pypto/operator.py; casts around 16-bit arithmetic:
// passes/tensor_graph_pass/auto_cast.cpp; padding: passes/tile_graph_pass/graph_constraint/pad_local_buffer.cpp;
// results in the place of operands: passes/block_graph_pass/memory_reuse/merge_src_dst_buffer.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hardware/soc.h"
#include "trace/trace.h"

namespace ptofix::trace {

/// The extents of a tensor, all known and positive, or nullopt.
using ShapeOf = std::function<std::optional<std::vector<std::int64_t>>(TensorId)>;

struct StepBuffer {
    std::int64_t least = 0, most = 0;  // bytes; they differ by how a last axis of one element is padded
    std::vector<std::int64_t> extent;  // of the tile, before padding
    hardware::DType dtype = hardware::DType::unknown;
    bool once = false;  // nothing else reads it: a result may lie where it lay
};

struct VectorStep {
    std::string_view name;  // as the compiler names it: "CAST", "MULS"
    std::vector<StepBuffer> inputs;
    StepBuffer output;
    std::int64_t workspace = 0;
    bool reuses = false;  // the result may take the place of an operand of its size

    /// Does the result need a buffer of its own in any case?
    bool output_counts() const;
    /// The bounds of what the compiler adds up for this step.
    std::int64_t least() const;
    std::int64_t most() const;
};

/// How the tensors of a trace are read, by TensorId.
struct TensorReaders {
    std::vector<std::uint32_t> count;  // operations that read it
    std::vector<bool> narrow;          // one of them takes a 16-bit tensor as it is, not its FP32 copy
};
TensorReaders tensor_readers(const Trace& trace, hardware::Soc soc);

struct StepContext {
    const ShapeOf& shape_of;
    const TensorReaders& readers;
    hardware::Soc soc = hardware::Soc::a2a3;
};

/// The steps of the largest tile; nullopt: the operation is not one whose steps are known, or a shape, type or number
/// is not.
std::optional<std::vector<VectorStep>> vector_steps(const Trace& trace, const Operation& op,
                                                    std::span<const std::int64_t> tile, const StepContext& context);

}  // namespace ptofix::trace
