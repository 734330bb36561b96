// Intervals: of products and quotients, of whole expressions, and what comparisons follow from them.
#include <numeric>

#include "trace/integer_math.h"
#include "trace/symbols.h"

namespace ptofix::trace {
namespace integers {
namespace {

/// An end of an interval with its infinity.
struct End {
    int infinity = 0;  // -1, 0, 1
    Int value = 0;
    int sign() const { return infinity != 0 ? infinity : (value > 0) - (value < 0); }
};

End product(const End& a, const End& b) {
    const int sign = a.sign() * b.sign();
    if (sign == 0) return {};
    if (a.infinity == 0 && b.infinity == 0) {
        if (const Maybe v = multiply(a.value, b.value)) return {0, *v};
    }
    return {sign, 0};
}

bool less(const End& a, const End& b) {
    if (a.infinity != b.infinity) return a.infinity < b.infinity;
    return a.infinity == 0 && a.value < b.value;
}

Maybe finite(const End& e) {
    return e.infinity == 0 ? Maybe{e.value} : Maybe{};
}

}  // namespace

Bounds multiply(const Bounds& a, const Bounds& b) {
    const End ends_a[2] = {a.low ? End{0, *a.low} : End{-1, 0}, a.high ? End{0, *a.high} : End{1, 0}};
    const End ends_b[2] = {b.low ? End{0, *b.low} : End{-1, 0}, b.high ? End{0, *b.high} : End{1, 0}};
    End low{1, 0}, high{-1, 0};
    for (const End& x : ends_a) {
        for (const End& y : ends_b) {
            const End p = product(x, y);
            if (less(p, low)) low = p;
            if (less(high, p)) high = p;
        }
    }
    return {finite(low), finite(high)};
}

Bounds floor_div(const Bounds& a, const Bounds& b) {
    if (b.high && *b.high < 0) return floor_div(negate(a), negate(b));
    if (!b.low || *b.low <= 0) return {};
    Bounds r;
    if (a.low) {
        if (*a.low >= 0) {
            r.low = b.high ? floor_div(*a.low, *b.high) : Maybe{0};
        } else {
            r.low = floor_div(*a.low, *b.low);
        }
    }
    if (a.high) {
        if (*a.high >= 0) {
            r.high = floor_div(*a.high, *b.low);
        } else {
            r.high = b.high ? floor_div(*a.high, *b.high) : Maybe{-1};
        }
    }
    return r;
}

Bounds mod(const Bounds& a, const Bounds& b) {
    if (b.high && *b.high < 0) return negate(mod(negate(a), negate(b)));
    if (!b.low || *b.low <= 0) return {};
    Bounds r{0, b.high ? Maybe{*b.high - 1} : Maybe{}};
    if (a.low && *a.low >= 0) r.high = smaller(r.high, a.high);
    return r;
}

}  // namespace integers

namespace {

using integers::add;
using integers::exactly;
using integers::Int;
using integers::larger;
using integers::magnitude;
using integers::Maybe;
using integers::multiply;
using integers::scale;
using integers::smaller;

/// How deep bounds look into min, max and //, and into how many of them at each depth: keeps the work constant.
constexpr int kRefineDepth = 2;
constexpr int kRefineTerms = 4;

/// `e` with its term `at` replaced by factor * by + extra.
std::optional<Affine> substitute(const Affine& e, std::size_t at, const Affine& by, Int factor, Int extra) {
    Affine r;
    const Maybe constant = add(add(e.constant, extra), multiply(Maybe{by.constant}, factor));
    if (!constant) return {};
    r.constant = *constant;
    std::size_t i = 0, j = 0;
    while (i < e.terms.size() || j < by.terms.size()) {
        if (i == at) {
            ++i;
            continue;
        }
        const bool left = j == by.terms.size() || (i < e.terms.size() && e.terms[i].atom <= by.terms[j].atom);
        const bool right = i == e.terms.size() || (j < by.terms.size() && by.terms[j].atom <= e.terms[i].atom);
        Maybe coefficient = left ? e.terms[i].coefficient : 0;
        const AtomId atom = left ? e.terms[i].atom : by.terms[j].atom;
        if (right) coefficient = add(coefficient, multiply(Maybe{by.terms[j].coefficient}, factor));
        if (!coefficient) return {};
        if (*coefficient != 0) r.terms.push_back({atom, *coefficient});
        i += left;
        j += right;
    }
    return r;
}

Affine as_affine(const Symbols& symbols, SymInt e) {
    if (e.known()) return {e.value, {}};
    return symbols.affine(e);
}

/// The sum of the terms' intervals, sharpened by what relates a min, max or quotient to its operands: min(a, b) <= a,
/// and d * (a // d) lies in (a - d, a].
Bounds bounds_of(const Symbols& symbols, const Affine& e, int depth) {
    Bounds r = exactly(e.constant);
    for (const auto& [atom, coefficient] : e.terms) r = add(r, scale(symbols.atom(atom).bounds, coefficient));
    if (depth == 0 || e.terms.size() < 2) return r;
    int refined = 0;
    for (std::size_t i = 0; i < e.terms.size() && refined < kRefineTerms; ++i) {
        const Int c = e.terms[i].coefficient;
        const Atom& atom = symbols.atom(e.terms[i].atom);
        if (atom.kind != AtomKind::opaque) continue;
        if (atom.op == OpaqueOp::min || atom.op == OpaqueOp::max) {
            ++refined;
            const bool above = (atom.op == OpaqueOp::min) == (c > 0);  // the operand in its place bounds from above
            for (const SymInt operand : {atom.left, atom.right}) {
                if (const auto s = substitute(e, i, as_affine(symbols, operand), c, 0)) {
                    const Bounds b = bounds_of(symbols, *s, depth - 1);
                    if (above) {
                        r.high = smaller(r.high, b.high);
                    } else {
                        r.low = larger(r.low, b.low);
                    }
                }
            }
        } else if (atom.op == OpaqueOp::floor_div && atom.right.known() && c % atom.right.value == 0) {
            ++refined;
            const Int times = c / atom.right.value;  // the divisor is positive: floor_div sees to it
            const Affine dividend = as_affine(symbols, atom.left);
            if (const auto whole = substitute(e, i, dividend, times, 0)) {
                const Bounds b = bounds_of(symbols, *whole, depth - 1);
                const Maybe slack = multiply(times, 1 - atom.right.value);  // times * -(d - 1)
                if (slack) {
                    r.high = smaller(r.high, times > 0 ? b.high : add(b.high, slack));
                    r.low = larger(r.low, times > 0 ? add(b.low, slack) : b.low);
                }
            }
        }
    }
    return r;
}

}  // namespace

Bounds Symbols::bounds(SymInt e) const {
    if (e.known()) return exactly(e.value);
    if (!e.symbolic()) return {};
    return bounds_of(*this, affine(e), kRefineDepth);
}

SymInt Symbols::undecided(SymInt a, SymInt b) {
    if (!a.symbolic() && !b.symbolic()) return {};
    return of_atom(new_atom({AtomKind::opaque, {}, {0, 1}, UINT32_MAX, OpaqueOp::other, a, b}));
}

std::optional<int> Symbols::compare(SymInt a, SymInt b) {
    const SymInt d = subtract(a, b);
    const Bounds r = bounds(d);
    if (r.low && *r.low > 0) return 1;
    if (r.high && *r.high < 0) return -1;
    if (d.is(0) || (r.low == 0 && r.high == 0)) return 0;
    return {};
}

std::optional<bool> Symbols::less(SymInt a, SymInt b) {
    const Bounds r = bounds(subtract(a, b));
    if (r.high && *r.high < 0) return true;
    if (r.low && *r.low >= 0) return false;
    return {};
}

std::optional<bool> Symbols::equal(SymInt a, SymInt b) {
    const SymInt d = subtract(a, b);
    const Bounds r = bounds(d);
    if (r.low == 0 && r.high == 0) return true;
    if ((r.low && *r.low > 0) || (r.high && *r.high < 0)) return false;
    if (d.symbolic()) {  // 2 * h + 1 is never 4
        const Affine& e = affine(d);
        std::uint64_t divisor = 0;
        for (const auto& t : e.terms) {
            divisor = std::gcd(divisor, magnitude(t.coefficient));
        }
        const std::uint64_t constant = magnitude(e.constant);
        if (constant % divisor != 0) return false;
    }
    return {};
}

}  // namespace ptofix::trace
