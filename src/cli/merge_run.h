// `pto-fix merge`: the reports of the shards of a run become one, with its exit code.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

namespace ptofix::cli {

int run_merge(const MergeCommand& command, Output& out, Output& err);

}  // namespace ptofix::cli
