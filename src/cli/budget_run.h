// `pto-fix budget`: what the kernels of a file take of the chip and of the compiler, and what would fit.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_budget(const BudgetCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
