// Where the operands of a recorded operation stand in the text: arguments of a call, the object of a method, the sides
// of an operator. For rewriters that put something else in an operand's place.
#pragma once

#include <string_view>

#include "trace/trace.h"

namespace ptofix::rewrites {

/// The expression that gives the operation this parameter (its name in the operation table), or kNoNode.
syntax::NodeId operand_node(const trace::Trace& trace, const trace::Operation& op, std::string_view parameter);

/// Can the text stand as an operand of anything without parentheses?
bool is_primary(syntax::Kind kind);

}  // namespace ptofix::rewrites
