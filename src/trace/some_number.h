// A Python number of which nothing else is known: 1.0 / n, math.log(x), a scale that two arms set differently. It is an
// unknown value that cannot be a tensor, so what an operation makes of it has a known shape.
#pragma once

#include "trace/value.h"

namespace ptofix::trace {

bool is_some_number(const Value& v);
/// A number, known or not, or an expression of integers.
bool is_numeric(const Value& v);
/// The unknown value as a number.
Value as_some_number(Value unknown);

}  // namespace ptofix::trace
