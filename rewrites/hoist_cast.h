// Moves a cast chain of a kernel parameter in front of the loop that repeats it: what is left where the host cannot
// convert, and the alternative where it can. Used by host_precompute.
#pragma once

#include <optional>

#include "rules/evidence.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// nullopt: the chain cannot stand in front of the loop as it is written.
std::optional<rules::Fix> hoist_cast(const trace::Trace& trace, const rules::WeightCastEvidence& evidence);

}  // namespace ptofix::rewrites
