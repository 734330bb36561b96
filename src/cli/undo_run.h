// `pto-fix undo`: the last run that wrote in this project or in the given paths taken back, or such runs listed.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_undo(const UndoCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
