// Code that runs on the device: kernels, by the tracer or by a decorator that is a jit under any name, and the
// functions of the file that they call. What it hands over is no tensor of torch.
#pragma once

#include <span>

#include "trace/project.h"
#include "trace/site.h"

namespace ptofix::rewrites {

/// `kernels`: definitions in this file that are known to be kernels, whatever is written above them.
bool runs_on_device(const trace::SourceFile& file, syntax::NodeId node, std::span<const syntax::NodeId> kernels);

}  // namespace ptofix::rewrites
