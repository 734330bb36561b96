// What the compiler adds to a function's graph and takes away before it cuts tiles, where parts of tensors are viewed,
// reshaped and put into place: copies where a reshape would leave two tensors in one memory (pass InferMemoryConflict),
// and views, reshapes and stores that it puts in another order around a matmul (pass RemoveRedundantReshape).
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "trace/graph_functions.h"
#include "trace/trace.h"

namespace ptofix::trace {

/// Tile operations more, or less where negative.
struct GraphCopies {
    std::int64_t fixed = 0;                               // once a function
    std::vector<std::pair<OpId, std::int64_t>> per_copy;  // for each copy of the body
};

/// `comes_from_outside`: is the tensor made in another function, or a parameter? `copies`: of an operation in this one.
GraphCopies graph_copies(const Trace& trace, const GraphFunction& function,
                         const std::function<bool(TensorId)>& comes_from_outside,
                         const std::function<std::int64_t(OpId)>& copies);

}  // namespace ptofix::trace
