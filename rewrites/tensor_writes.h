// What a kernel writes into a tensor that it made before. An operation whose result is written to later is not what its
// text says: it must stay where it is, and no other tensor can take its place. For rewriters that take operations out
// or move them.
#pragma once

#include <optional>

#include "trace/trace.h"

namespace ptofix::rewrites {

/// The first operation of [first, end) that writes into the tensor's memory, or into a part of it through a view, or
/// into a tensor that may be this one for all we know. The operation that makes the tensor is none.
std::optional<trace::OpId> write_to(const trace::Trace& trace, trace::TensorId tensor, trace::OpId first,
                                    trace::OpId end);

/// Can the tensor that `made` gives be another one when `reader` reads it? Writes between the two count, and those that
/// an earlier trip of a loop around the reader alone has done.
std::optional<trace::OpId> write_between(const trace::Trace& trace, trace::TensorId tensor, trace::OpId made,
                                         trace::OpId reader);

}  // namespace ptofix::rewrites
