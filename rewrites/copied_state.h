// What the body of a device loop changes of Python's own state: it happens once for each copy of the body that an unroll
// list makes, so the number of copies shows in the result.
#pragma once

#include <optional>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// The first such change: a list that grows, a number that counts; or nothing.
std::optional<rules::Blocked> copied_state(const trace::Trace& trace, trace::LoopId loop);

}  // namespace ptofix::rewrites
