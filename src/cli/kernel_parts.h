// Which parts of a file decide on one kernel alone: what is changed in one of them changes no other kernel, so changes
// of several kernels can be tried at once.
#pragma once

#include <vector>

#include "text/range.h"
#include "trace/trace.h"

namespace ptofix::cli {

struct KernelPart {
    text::Range range;   // a definition at the file's top level, with its decorators
    trace::Site kernel;  // the function definition
};

/// Without the kernels whose code others run too, or that reach for names outside of them.
std::vector<KernelPart> kernel_parts(const trace::Trace& trace);

}  // namespace ptofix::cli
