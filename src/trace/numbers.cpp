#include "trace/numbers.h"

#include <charconv>
#include <cmath>

namespace ptofix::trace::numbers {

using syntax::Kind;

namespace {

/// Integers up to here are floats exactly, and a quotient of two is rounded once.
constexpr std::int64_t kExact = std::int64_t{1} << 53;

bool is_exact(const Value& v) {
    return v.tag == Tag::real || (v.sym().value <= kExact && v.sym().value >= -kExact);
}

/// CPython's float_divmod: the remainder takes the sign of the divisor, the quotient is rounded with care.
double remainder(double a, double b) {
    const double r = std::fmod(a, b);
    if (r == 0) return std::copysign(0.0, b);
    return (b < 0) != (r < 0) ? r + b : r;
}
double floor_quotient(double a, double b) {
    const double r = std::fmod(a, b);
    double q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q -= 1.0;
    if (q == 0) return std::copysign(0.0, a / b);
    const double down = std::floor(q);
    return q - down > 0.5 ? down + 1.0 : down;
}

std::optional<double> power(double a, double b) {
    if (a == 0 && b < 0) return std::nullopt;                                  // ZeroDivisionError
    if (a < 0 && std::isfinite(b) && b != std::floor(b)) return std::nullopt;  // complex
    const double r = std::pow(a, b);
    if (std::isinf(r) && std::isfinite(a) && std::isfinite(b)) return std::nullopt;  // OverflowError
    return r;
}

}  // namespace

double as_real(const Value& v) {
    return v.tag == Tag::real ? v.as.f : static_cast<double>(v.sym().value);
}

std::optional<double> arithmetic(Kind op, const Value& a, const Value& b) {
    const double p = as_real(a);
    const double q = as_real(b);
    switch (op) {
        case Kind::plus:
            return p + q;
        case Kind::minus:
            return p - q;
        case Kind::star:
            return p * q;
        case Kind::slash:
            if (q == 0 || !is_exact(a) || !is_exact(b)) return std::nullopt;
            return p / q;
        case Kind::floor_slash:
            if (q == 0) return std::nullopt;
            return floor_quotient(p, q);
        case Kind::percent:
            if (q == 0) return std::nullopt;
            return remainder(p, q);
        case Kind::power:
            return power(p, q);
        default:
            return std::nullopt;
    }
}

std::optional<int> compare(const Value& a, const Value& b) {
    const auto order = [](auto p, auto q) { return p < q ? -1 : p > q ? 1 : 0; };
    if (a.is_int() && b.is_int()) return order(a.sym().value, b.sym().value);
    if ((a.tag == Tag::real && std::isnan(a.as.f)) || (b.tag == Tag::real && std::isnan(b.as.f))) return std::nullopt;
    if (a.tag == Tag::real && b.tag == Tag::real) return order(a.as.f, b.as.f);
    if (b.is_int()) {
        const auto turned = compare(b, a);
        return turned ? std::optional(-*turned) : std::nullopt;
    }
    // An integer and a float: exactly, without making the integer a float. |2^63| and more is beyond every integer
    // here.
    constexpr double kLimit = 9223372036854775808.0;
    const double f = b.as.f;
    if (f >= kLimit) return -1;
    if (f < -kLimit) return 1;
    const double whole = std::floor(f);
    const int by_whole = order(a.sym().value, static_cast<std::int64_t>(whole));
    return by_whole == 0 && f > whole ? -1 : by_whole;
}

std::optional<std::int64_t> parse_integer(std::string_view text, int base) {
    const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (base < 2 || base > 36 || text.empty()) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return negative ? -value : value;
}

std::optional<std::int64_t> to_integer(double integral) {
    constexpr double kLimit = 9223372036854775808.0;
    if (!(integral >= -kLimit && integral < kLimit)) return std::nullopt;
    return static_cast<std::int64_t>(integral);
}

}  // namespace ptofix::trace::numbers
