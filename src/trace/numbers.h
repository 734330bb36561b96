// Python's numbers that are known: floats, and integers together with floats. Used by the interpreter only; integers
// among themselves are the business of Symbols.
#pragma once

#include <optional>
#include <string_view>

#include "syntax/kind.h"
#include "trace/value.h"

namespace ptofix::trace::numbers {

/// Booleans, integers and floats.
inline bool is_number(const Value& v) {
    return v.tag == Tag::real || v.is_int();
}
double as_real(const Value& v);

/// `a op b` where at least one is a float, or `/` and `**` of integers. Nullopt: Python raises, or the result is no
/// float or cannot be told for sure.
std::optional<double> arithmetic(syntax::Kind op, const Value& a, const Value& b);

/// -1, 0, 1 as the numbers compare exactly; nullopt when one is NaN.
std::optional<int> compare(const Value& a, const Value& b);

/// The integer that `text` is for int(text, base); nullopt when it is none, or beyond 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text, int base);

/// round(x): half to even; trunc, ceil, floor likewise as 64-bit integers.
std::optional<std::int64_t> to_integer(double integral);

}  // namespace ptofix::trace::numbers
