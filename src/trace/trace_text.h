// A trace in words, a line for each kernel, loop and operation: for people who check what the tool believes, and for
// tests.
#pragma once

#include <string>
#include <string_view>

#include "trace/trace.h"

namespace ptofix::trace {

/// "[128, n, 64] DT_BF16", "?" for what is unknown.
std::string type_text(const Trace& trace, const TensorType& type);
/// A number, an expression, a dtype, a text; "?" for what is not known or too large to show.
std::string value_text(const Trace& trace, const Value& value);
/// "range", "for", "while", "comprehension", "pypto.loop", "pypto.loop_unroll".
std::string_view loop_name(LoopKind kind);
/// All kernels of the trace.
std::string trace_text(const Trace& trace);

}  // namespace ptofix::trace
