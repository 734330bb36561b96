// What the program does for each command. Called by main alone, and by tests in place of the program.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

/// Returns the exit code.
int run(const Command& command, Output& out, Output& err);

}  // namespace ptofix::cli
