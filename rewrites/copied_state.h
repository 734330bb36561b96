// What the body of a device loop changes of Python's own state: it happens once for each copy of the body that an
// unroll list makes, so the number of copies shows in the result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// The first such change: a list that grows, a number that counts; or nothing.
std::optional<rules::Blocked> copied_state(const trace::Trace& trace, trace::LoopId loop);

/// For a fix that gives these loops another list: a person has to look at it where the copies show.
void doubt_copies(rules::Rewrite& rewrite, const trace::Trace& trace, std::span<const std::uint32_t> loops);

}  // namespace ptofix::rewrites
