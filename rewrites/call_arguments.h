// Taking an argument out of a call, so that the rest reads as if it had never been there.
#pragma once

#include <optional>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// The keyword argument `name` of the call, or kNoNode.
syntax::NodeId keyword_argument(const trace::Trace& trace, trace::Site call, std::string_view name);

/// The edit that takes the argument and its comma out; with its lines, where it has them to itself. nullopt: a comment
/// would go with it.
std::optional<rules::FileEdit> without_argument(const trace::Trace& trace, trace::Site argument);

}  // namespace ptofix::rewrites
