// `pto-fix diagnose`: what a compile log comes to, tied to the kernels that were given with it, and their fixes.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_diagnose(const DiagnoseCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
