// The memory that a kernel asks the device for beside its tensors: what its functions hand from the cube to the vector
// units and back, and what they leave to each other, as often as functions are stitched into one task. By the
// framework's own sum (workspace budget), over what is known: a lower bound.
#pragma once

#include <cstdint>
#include <span>

#include "trace/trace.h"

namespace ptofix::trace {

/// Functions that the framework stitches into one task where the kernel says nothing (stitch_function_max_num).
inline constexpr std::int64_t kDefaultStitchedFunctions = 128;

struct Workspace {
    /// The most bytes that one function keeps at one time between cube and vector units.
    std::int64_t inner = 0;
    OpId inner_op = kNone;  // makes the largest of them
    /// The most bytes that one function leaves to others in results of its own.
    std::int64_t left = 0;
    /// The largest result or buffer that goes from function to function, and how many of both there are.
    std::int64_t largest = 0;
    TensorId largest_tensor = kNoTensor;
    std::int64_t results = 0, buffers = 0;

    /// With so many functions in a task, and so many tasks side by side.
    std::int64_t bytes(std::int64_t functions, std::int64_t tasks) const;
    /// What each further function adds.
    std::int64_t bytes_of_function() const;
};

/// `without`: calls whose results count nothing, as another change takes them out of the kernel.
Workspace workspace(const Trace& trace, const KernelTrace& kernel, std::span<const Site> without = {});

}  // namespace ptofix::trace
