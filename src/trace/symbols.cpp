#include "trace/symbols.h"

#include <algorithm>
#include <functional>

#include "trace/integer_math.h"

namespace ptofix::trace {
namespace {

using integers::Int;
using integers::Maybe;

std::size_t mix(std::size_t seed, std::size_t v) {
    return seed ^ (v + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

std::size_t hash_of(const Affine& a) {
    std::size_t h = std::hash<Int>{}(a.constant);
    for (const auto& t : a.terms) h = mix(mix(h, t.atom), std::hash<Int>{}(t.coefficient));
    return h;
}

std::size_t hash_of(OpaqueOp op, SymInt a, SymInt b) {
    std::size_t h = static_cast<std::size_t>(op);
    for (const SymInt s : {a, b}) h = mix(mix(h, static_cast<std::size_t>(s.kind)), std::hash<Int>{}(s.value));
    return h;
}

bool before(SymInt a, SymInt b) {
    return a.kind != b.kind ? a.kind < b.kind : a.value < b.value;
}

}  // namespace

AtomId Symbols::new_atom(Atom atom) {
    atoms_.push_back(std::move(atom));
    return static_cast<AtomId>(atoms_.size() - 1);
}

SymInt Symbols::of_atom(AtomId id) {
    return intern({0, {{id, 1}}});
}

SymInt Symbols::intern(Affine a) {
    if (a.terms.empty()) return SymInt::of(a.constant);
    if (a.terms.size() > kMaxTerms) return {};
    const std::size_t h = hash_of(a);
    const auto [first, last] = index_.equal_range(h);
    for (auto it = first; it != last; ++it) {
        if (expressions_[it->second] == a) return SymInt::expression(it->second);
    }
    const auto id = static_cast<std::uint32_t>(expressions_.size());
    expressions_.push_back(std::move(a));
    index_.emplace(h, id);
    return SymInt::expression(id);
}

SymInt Symbols::opaque(OpaqueOp op, SymInt a, SymInt b, Bounds bounds) {
    if (a.unknown() || b.unknown()) return {};
    if (bounds.low && bounds.high && *bounds.low == *bounds.high) return SymInt::of(*bounds.low);
    const std::size_t h = hash_of(op, a, b);
    const auto [first, last] = opaque_index_.equal_range(h);
    for (auto it = first; it != last; ++it) {
        Atom& known = atoms_[it->second];
        if (known.op == op && known.left == a && known.right == b) {
            known.bounds = integers::intersect(known.bounds, bounds);
            return of_atom(it->second);
        }
    }
    const AtomId id = new_atom({AtomKind::opaque, {}, bounds, UINT32_MAX, op, a, b});
    opaque_index_.emplace(h, id);
    return of_atom(id);
}

/// a + scale_b * b.
SymInt Symbols::combine(SymInt a, SymInt b, Int scale_b) {
    if (a.unknown() || b.unknown()) return {};
    static const std::vector<Affine::Term> no_terms;
    const auto& terms_a = a.symbolic() ? affine(a).terms : no_terms;
    const auto& terms_b = b.symbolic() ? affine(b).terms : no_terms;
    const Int constant_a = a.symbolic() ? affine(a).constant : a.value;
    const Int constant_b = b.symbolic() ? affine(b).constant : b.value;
    Affine r;
    const Maybe constant = integers::add(constant_a, integers::multiply(constant_b, scale_b));
    if (!constant) return {};
    r.constant = *constant;
    r.terms.reserve(terms_a.size() + terms_b.size());
    std::size_t i = 0, j = 0;
    while (i < terms_a.size() || j < terms_b.size()) {
        const bool left = j == terms_b.size() || (i < terms_a.size() && terms_a[i].atom <= terms_b[j].atom);
        const bool right = i == terms_a.size() || (j < terms_b.size() && terms_b[j].atom <= terms_a[i].atom);
        Maybe coefficient = left ? terms_a[i].coefficient : 0;
        const AtomId atom = left ? terms_a[i].atom : terms_b[j].atom;
        if (right) coefficient = integers::add(coefficient, integers::multiply(terms_b[j].coefficient, scale_b));
        if (!coefficient) return {};
        if (*coefficient != 0) r.terms.push_back({atom, *coefficient});
        i += left;
        j += right;
    }
    return intern(std::move(r));
}

SymInt Symbols::add(SymInt a, SymInt b) {
    return combine(a, b, 1);
}
SymInt Symbols::subtract(SymInt a, SymInt b) {
    return combine(a, b, -1);
}
SymInt Symbols::negate(SymInt a) {
    return combine(SymInt::of(0), a, -1);
}

/// Products of atoms are kept as one chain, the factors in order: ((a * b) * c), so that each product exists once.
SymInt Symbols::product(AtomId a, AtomId b) {
    std::vector<AtomId> factors;
    for (AtomId id : {a, b}) {
        while (atoms_[id].op == OpaqueOp::multiply) {
            factors.push_back(affine(atoms_[id].right).terms[0].atom);
            id = affine(atoms_[id].left).terms[0].atom;
        }
        factors.push_back(id);
    }
    if (factors.size() > kMaxFactors) return {};
    std::ranges::sort(factors);
    SymInt r = of_atom(factors[0]);
    for (std::size_t i = 1; i < factors.size(); ++i) {
        const SymInt factor = of_atom(factors[i]);
        r = opaque(OpaqueOp::multiply, r, factor, integers::multiply(bounds(r), bounds(factor)));
        // Bounds of one value only (a factor that is 0): there is nothing more to multiply symbolically.
        if (!r.symbolic()) {
            for (++i; i < factors.size(); ++i) r = multiply(r, of_atom(factors[i]));
            return r;
        }
    }
    return r;
}

SymInt Symbols::multiply(SymInt a, SymInt b) {
    if (a.unknown() || b.unknown()) return {};
    if (b.known()) return combine(SymInt::of(0), a, b.value);
    if (a.known()) return combine(SymInt::of(0), b, a.value);
    const Affine x = affine(a), y = affine(b);
    if (x.terms.size() * y.terms.size() > kMaxTerms) return {};
    // (x + c) * (y + d), multiplied out
    const Maybe constants = integers::multiply(x.constant, y.constant);
    if (!constants) return {};
    SymInt r =
        combine(combine(SymInt::of(*constants), intern({0, x.terms}), y.constant), intern({0, y.terms}), x.constant);
    for (const auto& s : x.terms) {
        for (const auto& t : y.terms) {
            const Maybe coefficient = integers::multiply(s.coefficient, t.coefficient);
            if (!coefficient) return {};
            r = combine(r, product(s.atom, t.atom), *coefficient);
        }
    }
    return r;
}

/// b > 0. Terms that b divides come out exactly; the rest is one opaque quotient in lowest terms.
SymInt Symbols::divide_by_constant(const Affine& a, Int b) {
    Affine out, rest;
    out.constant = *integers::floor_div(a.constant, b);
    rest.constant = *integers::mod(a.constant, b);
    Int divisor = b;
    for (const auto& [atom, coefficient] : a.terms) {
        if (coefficient % b == 0) {
            out.terms.push_back({atom, coefficient / b});
        } else {
            rest.terms.push_back({atom, coefficient});
            divisor = integers::gcd(divisor, coefficient);
        }
    }
    const SymInt whole = intern(std::move(out));
    if (rest.terms.empty()) return whole;
    for (auto& t : rest.terms) t.coefficient /= divisor;
    rest.constant /= divisor;  // (g * x + c) // (g * d) == (x + c // g) // d
    const Int d = b / divisor;
    // -x // d == -((x + d - 1) // d): one form for both ways to write a rounding up
    const bool negative = rest.terms[0].coefficient < 0;
    if (negative) {
        for (auto& t : rest.terms) {
            const Maybe flipped = integers::negate(t.coefficient);
            if (!flipped) return {};
            t.coefficient = *flipped;
        }
        rest.constant = d - 1 - rest.constant;
    }
    const SymInt dividend = intern(std::move(rest));
    // (x // m + c) // d == (x + c * m) // (m * d)
    const Affine& only = affine(dividend);
    if (only.terms.size() == 1 && only.terms[0].coefficient == 1) {
        const Atom inner = atoms_[only.terms[0].atom];
        if (inner.op == OpaqueOp::floor_div && inner.right.known()) {
            const Maybe shift = integers::multiply(only.constant, inner.right.value);
            const Maybe both = integers::multiply(inner.right.value, d);
            if (shift && both) {
                const SymInt x = add(inner.left, SymInt::of(*shift));
                if (x.symbolic()) {
                    const Affine flat = affine(x);
                    return combine(whole, divide_by_constant(flat, *both), negative ? -1 : 1);
                }
            }
        }
    }
    const SymInt quotient = opaque(OpaqueOp::floor_div, dividend, SymInt::of(d),
                                   integers::floor_div(bounds(dividend), integers::exactly(d)));
    return combine(whole, quotient, negative ? -1 : 1);
}

/// b > 0.
SymInt Symbols::modulo_constant(const Affine& a, Int b) {
    Affine rest;
    rest.constant = *integers::mod(a.constant, b);
    Int divisor = b;
    for (const auto& [atom, coefficient] : a.terms) {
        const Int c = *integers::mod(coefficient, b);
        if (c == 0) continue;
        rest.terms.push_back({atom, c});
        divisor = integers::gcd(divisor, c);
    }
    if (rest.terms.empty()) return SymInt::of(rest.constant);
    // (g * x + c) % (g * d) == g * ((x + c // g) % d) + c % g
    const Int constant = rest.constant % divisor;
    for (auto& t : rest.terms) t.coefficient /= divisor;
    rest.constant /= divisor;
    const Int d = b / divisor;
    const SymInt x = intern(std::move(rest));
    const Bounds range = bounds(x);
    SymInt r = x;
    if (!(range.low && *range.low >= 0 && range.high && *range.high < d)) {
        r = opaque(OpaqueOp::mod, x, SymInt::of(d), integers::mod(range, integers::exactly(d)));
    }
    return combine(SymInt::of(constant), r, divisor);
}

std::pair<SymInt, SymInt> Symbols::divide_terms(SymInt a, SymInt b) {
    const Affine divisor = affine(b);
    if (a.known()) return {SymInt::of(0), a};
    if (a == b) return {SymInt::of(1), SymInt::of(0)};
    if (divisor.terms.size() != 1 || divisor.constant != 0) return {SymInt::of(0), a};
    const auto [atom, coefficient] = divisor.terms[0];
    SymInt quotient = SymInt::of(0);
    Affine rest;
    const Affine dividend = affine(a);
    rest.constant = dividend.constant;
    for (const auto& t : dividend.terms) {
        SymInt others = SymInt::of(1);
        bool found = t.atom == atom;
        if (!found && atoms_[t.atom].op == OpaqueOp::multiply) {
            AtomId id = t.atom;
            while (true) {
                const bool last = atoms_[id].op != OpaqueOp::multiply;
                const AtomId factor = last ? id : affine(atoms_[id].right).terms[0].atom;
                if (!found && factor == atom) {
                    found = true;
                } else {
                    others = multiply(others, of_atom(factor));
                }
                if (last) break;
                id = affine(atoms_[id].left).terms[0].atom;
            }
        }
        if (found && coefficient != -1 && t.coefficient % coefficient == 0) {
            quotient = combine(quotient, others, t.coefficient / coefficient);
        } else {
            rest.terms.push_back(t);
        }
    }
    return {quotient, intern(std::move(rest))};
}

SymInt Symbols::floor_div(SymInt a, SymInt b) {
    if (a.unknown() || b.unknown() || b.is(0)) return {};
    if (a.known() && b.known()) {
        const Maybe q = integers::floor_div(a.value, b.value);
        return q ? SymInt::of(*q) : SymInt{};
    }
    if (b.known()) {
        if (b.value < 0) {
            const Maybe positive = integers::negate(b.value);
            const SymInt flipped = negate(a);
            return positive ? floor_div(flipped, SymInt::of(*positive)) : SymInt{};
        }
        const Affine dividend = affine(a);
        return divide_by_constant(dividend, b.value);
    }
    const auto [whole, rest] = divide_terms(a, b);
    if (rest.is(0)) return whole;
    return add(whole, opaque(OpaqueOp::floor_div, rest, b, integers::floor_div(bounds(rest), bounds(b))));
}

SymInt Symbols::mod(SymInt a, SymInt b) {
    if (a.unknown() || b.unknown() || b.is(0)) return {};
    if (a.known() && b.known()) {
        const Maybe r = integers::mod(a.value, b.value);
        return r ? SymInt::of(*r) : SymInt{};
    }
    if (b.known()) {
        if (b.value < 0) {  // a % -d == -(-a % d)
            const Maybe positive = integers::negate(b.value);
            return positive ? negate(mod(negate(a), SymInt::of(*positive))) : SymInt{};
        }
        const Bounds range = bounds(a);
        if (range.low && *range.low >= 0 && range.high && *range.high < b.value) return a;
        const Affine dividend = affine(a);
        return modulo_constant(dividend, b.value);
    }
    const SymInt rest = divide_terms(a, b).second;
    if (rest.is(0)) return rest;
    if (less(rest, SymInt::of(0)) == false && less(rest, b) == true) return rest;
    return opaque(OpaqueOp::mod, rest, b, integers::mod(bounds(rest), bounds(b)));
}

SymInt Symbols::min(SymInt a, SymInt b) {
    if (a.unknown() || b.unknown()) return {};
    if (less(b, a) == false) return a;
    if (less(a, b) == false) return b;
    if (before(b, a)) std::swap(a, b);
    return opaque(OpaqueOp::min, a, b, integers::min(bounds(a), bounds(b)));
}

SymInt Symbols::max(SymInt a, SymInt b) {
    if (a.unknown() || b.unknown()) return {};
    if (less(a, b) == false) return a;
    if (less(b, a) == false) return b;
    if (before(b, a)) std::swap(a, b);
    return opaque(OpaqueOp::max, a, b, integers::max(bounds(a), bounds(b)));
}

bool Symbols::fix(SymInt e, Int value) {
    if (!e.symbolic()) return false;
    const Affine& a = affine(e);
    if (a.terms.size() != 1) return false;
    const Affine::Term term = a.terms[0];
    Atom& at = atoms_[term.atom];
    const Maybe rest = integers::subtract(value, a.constant);
    if (at.kind != AtomKind::parameter || !rest || *rest % term.coefficient != 0) return false;
    const Int found = *rest / term.coefficient;
    const bool inside = (!at.bounds.low || *at.bounds.low <= found) && (!at.bounds.high || found <= *at.bounds.high);
    const bool is_fixed = at.bounds.low && at.bounds.low == at.bounds.high;
    if (!inside || is_fixed) return false;
    at.bounds = integers::exactly(found);
    ++fixed_;
    return true;
}

Symbols::Fixing Symbols::before_fix(SymInt e) const {
    if (!e.symbolic() || affine(e).terms.size() != 1) return {};
    const AtomId atom = affine(e).terms[0].atom;
    return {atom, atoms_[atom].bounds, atoms_.size()};
}

void Symbols::unfix(const Fixing& before) {
    atoms_[before.atom].bounds = before.bounds;
    --fixed_;
    // Operations on it that were named since then rest on the number.
    std::erase_if(opaque_index_, [&](const auto& of) { return of.second >= before.atoms; });
}

SymInt Symbols::resolved(SymInt e) {
    if (fixed_ == 0 || !e.symbolic()) return e;
    const Affine a = affine(e);  // a copy: expressions are added
    SymInt sum = SymInt::of(a.constant);
    bool changed = false;
    for (const Affine::Term& term : a.terms) {
        const Atom atom = atoms_[term.atom];
        SymInt part = of_atom(term.atom);
        if (atom.bounds.low && atom.bounds.low == atom.bounds.high) {
            part = SymInt::of(*atom.bounds.low);
        } else if (atom.kind == AtomKind::opaque && atom.op != OpaqueOp::other && atom.op != OpaqueOp::none) {
            const SymInt left = resolved(atom.left);
            const SymInt right = resolved(atom.right);
            if (left != atom.left || right != atom.right) part = apply(atom.op, left, right);
        }
        changed = changed || part != of_atom(term.atom);
        sum = add(sum, multiply(part, SymInt::of(term.coefficient)));
    }
    return changed ? sum : e;
}

SymInt Symbols::apply(OpaqueOp op, SymInt a, SymInt b) {
    switch (op) {
        case OpaqueOp::floor_div:
            return floor_div(a, b);
        case OpaqueOp::mod:
            return mod(a, b);
        case OpaqueOp::multiply:
            return multiply(a, b);
        case OpaqueOp::min:
            return min(a, b);
        case OpaqueOp::max:
            return max(a, b);
        case OpaqueOp::none:
        case OpaqueOp::power:
        case OpaqueOp::other:
            break;
    }
    return {};
}

SymInt Symbols::ceil_div(SymInt a, SymInt b) {
    if (!b.known() || b.value <= 0) return {};
    return floor_div(add(a, SymInt::of(b.value - 1)), b);
}

bool Symbols::depends_on(SymInt e, AtomId atom) const {
    if (!e.symbolic()) return false;
    std::vector<SymInt> open{e};
    std::vector<AtomId> seen;
    while (!open.empty()) {
        const SymInt next = open.back();
        open.pop_back();
        if (!next.symbolic()) continue;
        for (const auto& t : affine(next).terms) {
            if (t.atom == atom) return true;
            const Atom& a = atoms_[t.atom];
            if (a.kind != AtomKind::opaque || std::ranges::find(seen, t.atom) != seen.end()) continue;
            seen.push_back(t.atom);
            open.push_back(a.left);
            open.push_back(a.right);
        }
    }
    return false;
}

std::optional<Symbols::Split> Symbols::split(SymInt e, AtomId atom) {
    if (e.unknown()) return {};
    if (e.known()) return Split{0, e};
    Affine rest = affine(e);
    Int coefficient = 0;
    std::erase_if(rest.terms, [&](const Affine::Term& t) {
        if (t.atom != atom) return false;
        coefficient = t.coefficient;
        return true;
    });
    const SymInt others = intern(std::move(rest));
    if (depends_on(others, atom)) return {};
    return Split{coefficient, others};
}

}  // namespace ptofix::trace
