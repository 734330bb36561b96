// Other files of the run that have a kernel in a way that a function in its place does not serve. Looser than
// outer_calls: a use by that name in a file that may have the kernel is one of it.
#pragma once

#include <optional>

#include "rewrites/other_files.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// One asks for an attribute of it, or calls it on the device, be it through functions of other files. Nothing where
/// the files are not known.
std::optional<rules::Blocked> user_obstacle(const trace::Trace& trace, trace::KernelId kernel, OtherFiles* others);

}  // namespace ptofix::rewrites
