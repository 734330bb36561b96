// Python's integer arithmetic on 64 bits, and intervals of it: an operation that leaves 64 bits has no result. Used by
// symbols.cpp and symbols_bounds.cpp only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include "trace/symbols.h"

namespace ptofix::trace::integers {

using Int = std::int64_t;
using Maybe = std::optional<Int>;

inline Maybe add(Int a, Int b) {
    Int r = 0;
    return __builtin_add_overflow(a, b, &r) ? Maybe{} : Maybe{r};
}

inline Maybe subtract(Int a, Int b) {
    Int r = 0;
    return __builtin_sub_overflow(a, b, &r) ? Maybe{} : Maybe{r};
}

inline Maybe multiply(Int a, Int b) {
    Int r = 0;
    return __builtin_mul_overflow(a, b, &r) ? Maybe{} : Maybe{r};
}

inline Maybe negate(Int a) {
    return subtract(0, a);
}

/// Rounds towards minus infinity.
inline Maybe floor_div(Int a, Int b) {
    if (b == 0) return {};
    if (b == -1) return negate(a);
    const Int q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

/// Takes the sign of the divisor.
inline Maybe mod(Int a, Int b) {
    if (b == 0) return {};
    if (b == -1) return 0;
    const Int r = a % b;
    return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

inline std::uint64_t magnitude(Int a) {
    return a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}

/// a > 0.
inline Int gcd(Int a, Int b) {
    return static_cast<Int>(std::gcd(static_cast<std::uint64_t>(a), magnitude(b)));
}

/// Operands may be absent: without a bound on that side.
inline Maybe add(Maybe a, Maybe b) {
    return a && b ? add(*a, *b) : Maybe{};
}
inline Maybe multiply(Maybe a, Int b) {
    return a ? multiply(*a, b) : Maybe{};
}
inline Maybe larger(Maybe a, Maybe b) {
    return a && b ? Maybe{std::max(*a, *b)} : a ? a : b;
}
inline Maybe smaller(Maybe a, Maybe b) {
    return a && b ? Maybe{std::min(*a, *b)} : a ? a : b;
}

inline Bounds exactly(Int v) {
    return {v, v};
}
inline Bounds intersect(const Bounds& a, const Bounds& b) {
    return {larger(a.low, b.low), smaller(a.high, b.high)};
}
inline Bounds negate(const Bounds& b) {
    return {b.high ? negate(*b.high) : Maybe{}, b.low ? negate(*b.low) : Maybe{}};
}
inline Bounds add(const Bounds& a, const Bounds& b) {
    return {add(a.low, b.low), add(a.high, b.high)};
}
inline Bounds scale(const Bounds& b, Int by) {
    if (by == 0) return exactly(0);
    return by > 0 ? Bounds{multiply(b.low, by), multiply(b.high, by)}
                  : Bounds{multiply(b.high, by), multiply(b.low, by)};
}
Bounds multiply(const Bounds& a, const Bounds& b);
Bounds floor_div(const Bounds& a, const Bounds& b);
Bounds mod(const Bounds& a, const Bounds& b);
/// A bound absent from one operand of min is no bound from below, but the other operand still bounds from above.
inline Bounds min(const Bounds& a, const Bounds& b) {
    return {a.low && b.low ? smaller(a.low, b.low) : Maybe{}, smaller(a.high, b.high)};
}
inline Bounds max(const Bounds& a, const Bounds& b) {
    return {larger(a.low, b.low), a.high && b.high ? larger(a.high, b.high) : Maybe{}};
}

}  // namespace ptofix::trace::integers
