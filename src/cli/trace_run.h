// `pto-fix trace`: what the tool believes of the kernels of a file, and how much of what they set it knows.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_trace(const TraceCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
