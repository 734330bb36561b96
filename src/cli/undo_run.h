// `pto-fix undo`: the last run of this project taken back, or the runs listed.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_undo(const UndoCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
