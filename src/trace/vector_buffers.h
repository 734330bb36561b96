// What one vector operation keeps in UB under a vec tile: the buffers of its inputs and outputs that the compiler's
// scheduler adds up and holds against the pool (F40005), casts to FP32 around 16-bit arithmetic included.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/trace.h"
#include "trace/vector_steps.h"

namespace ptofix::trace {

struct BufferBytes {
    /// The compiler counts at least this much: a result may lie in the buffer of an operand that is not needed any
    /// more.
    std::int64_t least = 0;
    /// It counts no more than this, work space included.
    std::int64_t most = 0;
    /// The largest of its buffers, at most.
    std::int64_t largest = 0;
    /// The step that takes `least`; empty where the operation's steps are not known one by one: then both numbers are
    /// estimates.
    std::optional<VectorStep> worst;
};

/// As the trace has them.
std::optional<std::vector<std::int64_t>> known_shape(const Trace& trace, TensorId tensor);
/// The numbers of a vec tile, or nullopt when one is not known.
std::optional<std::vector<std::int64_t>> known_tile(const Trace& trace, TileId tile);

/// Asks for many operations of one trace.
class VectorMemory {
  public:
    VectorMemory(const Trace& trace, hardware::Soc soc) : trace_(trace), soc_(soc) {}

    /// nullopt: no operation on tiles, one that the compiler drops, or something is not known.
    std::optional<BufferBytes> bytes(const Operation& op, std::span<const std::int64_t> tile,
                                     const ShapeOf& shape_of) const;
    /// Under the tile in force, with the shapes of the trace.
    std::optional<BufferBytes> bytes(const Operation& op) const;

  private:
    const Trace& trace_;
    hardware::Soc soc_;
    mutable TensorReaders readers_;  // counted when they are first asked for
};

std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile,
                                          const ShapeOf& shape_of, hardware::Soc soc = hardware::Soc::a2a3);
std::optional<BufferBytes> vector_buffers(const Trace& trace, const Operation& op,
                                          hardware::Soc soc = hardware::Soc::a2a3);

/// Has the operation no instruction for this 16-bit type on A2 and A3, so that casts to FP32 stand around it?
bool runs_in_fp32(const Operation& op, hardware::DType dtype);

}  // namespace ptofix::trace
