// Where code asks a tensor for its shape: a rewriter that gives tensors another number of heads, or one more axis, must
// know that nothing asks for what it changes.
#pragma once

#include <functional>
#include <string_view>

#include "trace/project.h"

namespace ptofix::rewrites {

/// What stays as it is of the shapes that code may ask for.
struct KeptShape {
    /// Is x.shape[index] the same as before, whatever tensor x is? The index as it is written, -1 for the last axis.
    std::function<bool(std::int64_t index)> axis;
    bool rank = true;
    /// May this variable be a tensor whose shape changes? Anything but a variable may.
    std::function<bool(std::string_view variable)> concerns;
};

/// A place below `node` that asks for something that is not kept (x.shape[0], `h, m, n = x.shape`, x.numel()), or
/// kNoNode.
syntax::NodeId find_shape_read(const trace::SourceFile& file, syntax::NodeId node, const KeptShape& kept);

}  // namespace ptofix::rewrites
