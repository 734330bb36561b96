// Where one axis of an operation's result goes: through arithmetic, casts, layout changes, views and buffers of the
// kernel, up to the operations that mix it, merge it or store it. Heads of a batched matmul are such an axis.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace ptofix::trace {

inline constexpr int kAxisGone = -1;

/// An operation that reads a tensor with the axis in it.
struct AxisUse {
    OpId op = kNone;
    TensorId tensor = kNoTensor;  // the operand
    int axis = 0;                 // of the operand
    int result_axis = kAxisGone;  // of the result; gone: mixed, merged with another axis, or not known
    bool is_store = false;        // the axis lies in the tensor written to as it lies in the operand
};

/// In the order of the operations. `axis` is that of the producer's result.
std::vector<AxisUse> follow_axis(const Trace& trace, OpId producer, int axis);

}  // namespace ptofix::trace
