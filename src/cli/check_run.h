// A run over files, and a run as a filter of standard input: check, --diff and --apply, from reading to the exit code.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_check(const CheckCommand& command, Output& out, Output& err);
/// `pto-fix -`: the text comes from standard input; with --apply the text, fixed or not, goes to stdout in any case.
int run_filter(const CheckCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
