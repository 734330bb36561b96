// What one vector operation keeps in UB under a vec tile: the buffers of its inputs and outputs that the compiler's
// scheduler adds up and holds against the pool (F40005), casts to FP32 around 16-bit arithmetic included.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace ptofix::trace {

struct BufferBytes {
    /// The compiler counts at least this much: a result may lie in the buffer of an operand that is not needed any
    /// more.
    std::int64_t least = 0;
    /// It counts no more than this, work space included.
    std::int64_t most = 0;
};

/// The extents of a tensor, all known and positive, or nullopt.
using ShapeOf = std::function<std::optional<std::vector<std::int64_t>>(TensorId)>;
/// As the trace has them.
std::optional<std::vector<std::int64_t>> known_shape(const Trace& trace, TensorId tensor);

/// nullopt: no vector operation on tiles, or something is not known.
std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile,
                                          const ShapeOf& shape_of);
/// Under the tile in force, with the shapes of the trace.
std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op);

/// Has the operation no instruction for this 16-bit type, so that casts to FP32 stand around it?
bool runs_in_fp32(const Operation& op, hardware::DType dtype);

/// The numbers of a vec tile, or nullopt when one is not known.
std::optional<std::vector<std::int64_t>> known_tile(const Trace& trace, TileId tile);

}  // namespace ptofix::trace
