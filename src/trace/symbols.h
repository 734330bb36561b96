// Integers that may be unknown while a kernel is traced: loop indices, dynamic dims, and what arithmetic makes of them.
// Expressions are affine sums over atoms, kept once each, so that (h + 1) * S - h * S is exactly S.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/site.h"

namespace ptofix::trace {

using AtomId = std::uint32_t;
inline constexpr AtomId kNoAtom = UINT32_MAX;

/// A known integer, an expression over atoms, or unknown (no claim at all). 16 bytes, copied freely.
struct SymInt {
    enum class Kind : std::uint8_t { unknown, known, symbolic };
    Kind kind = Kind::unknown;
    std::int64_t value = 0;  // known: the integer; symbolic: index of the expression in Symbols

    static SymInt of(std::int64_t v) { return {Kind::known, v}; }
    static SymInt expression(std::int64_t id) { return {Kind::symbolic, id}; }
    bool known() const { return kind == Kind::known; }
    bool symbolic() const { return kind == Kind::symbolic; }
    bool unknown() const { return kind == Kind::unknown; }
    bool is(std::int64_t v) const { return known() && value == v; }
    bool operator==(const SymInt&) const = default;  // unknown == unknown says nothing about the integers
};

struct Bounds {
    std::optional<std::int64_t> low, high;  // inclusive
};

enum class AtomKind : std::uint8_t {
    loop_index,   // owner: the loop
    dynamic_dim,  // a dim of a tensor that is known only at run time
    parameter,    // an integer argument of a kernel or helper that no one told us
    opaque,       // the result of an operation that is not affine: min, max, //, %, a product of two symbols
};

enum class OpaqueOp : std::uint8_t { none, floor_div, mod, multiply, min, max, power, other };

struct Atom {
    AtomKind kind;
    std::string name;                  // as a person would call it: "b_idx", "x.shape[0]"
    Bounds bounds;                     // may be narrowed later, never widened: expressions made meanwhile rest on them
    std::uint32_t owner = UINT32_MAX;  // loop_index: the LoopId
    OpaqueOp op = OpaqueOp::none;      // opaque: operation and operands
    SymInt left, right;
};

/// constant + sum of coefficient * atom; terms sorted by atom, no zero coefficients, at least one term and at most
/// Symbols::kMaxTerms.
struct Affine {
    std::int64_t constant = 0;
    struct Term {
        AtomId atom;
        std::int64_t coefficient;
        bool operator==(const Term&) const = default;
    };
    std::vector<Term> terms;
    bool operator==(const Affine&) const = default;
};

class Symbols {
  public:
    /// What needs more terms, or a product of more factors, is unknown: keeps the work for an operation constant.
    static constexpr std::size_t kMaxTerms = 16;
    static constexpr std::size_t kMaxFactors = 6;

    AtomId new_atom(Atom atom);
    const Atom& atom(AtomId id) const { return atoms_[id]; }
    Atom& atom(AtomId id) { return atoms_[id]; }
    SymInt of_atom(AtomId id);
    const Affine& affine(SymInt e) const { return expressions_[static_cast<std::size_t>(e.value)]; }

    // Arithmetic as Python's on integers; overflow of 64 bits, division by zero and operands unknown give unknown.
    SymInt add(SymInt a, SymInt b);
    SymInt subtract(SymInt a, SymInt b);
    SymInt multiply(SymInt a, SymInt b);
    SymInt floor_div(SymInt a, SymInt b);
    SymInt mod(SymInt a, SymInt b);
    SymInt min(SymInt a, SymInt b);
    SymInt max(SymInt a, SymInt b);
    SymInt negate(SymInt a);
    /// ceil(a / b), b known and positive.
    SymInt ceil_div(SymInt a, SymInt b);

    /// The expression is this number from now on: an equation in one atom that stands for an argument or a declared
    /// dim. False when it is none, or contradicts what is known.
    bool fix(SymInt e, std::int64_t value);
    /// What fix(e, ...) may change, and how far expressions had come: to take it back where the equation has not been
    /// seen to hold.
    struct Fixing {
        AtomId atom = UINT32_MAX;
        Bounds bounds;
        std::size_t atoms = 0;
    };
    Fixing before_fix(SymInt e) const;
    void unfix(const Fixing& before);
    std::size_t atom_count() const { return atoms_.size(); }
    bool has_fixed() const { return fixed_ > 0; }
    /// With the numbers of fixed atoms in their place.
    SymInt resolved(SymInt e);
    Bounds bounds(SymInt e) const;
    /// Does the value change with this atom (also through opaque atoms)?
    bool depends_on(SymInt e, AtomId atom) const;
    /// The value is coefficient * atom + rest where rest does not depend on the atom; nullopt when it is not so.
    struct Split {
        std::int64_t coefficient;
        SymInt rest;
    };
    std::optional<Split> split(SymInt e, AtomId atom);
    /// Comparison when it can be decided from the bounds: -1, 0, 1.
    std::optional<int> compare(SymInt a, SymInt b);
    /// a < b and a == b when they can be decided; they know more than compare: i < 0 is false for a loop index.
    std::optional<bool> less(SymInt a, SymInt b);
    std::optional<bool> equal(SymInt a, SymInt b);
    /// What a comparison of these two is when less and equal cannot tell: 0 or 1, new each time, dependent on both.
    SymInt undecided(SymInt a, SymInt b);
    /// "4 * h + 2", "min(16, n - 16 * i)".
    std::string text(SymInt e) const;

  private:
    SymInt intern(Affine a);
    SymInt opaque(OpaqueOp op, SymInt a, SymInt b, Bounds bounds);
    SymInt combine(SymInt a, SymInt b, std::int64_t scale_b);
    SymInt apply(OpaqueOp op, SymInt a, SymInt b);
    SymInt product(AtomId a, AtomId b);
    SymInt divide_by_constant(const Affine& a, std::int64_t b);
    SymInt modulo_constant(const Affine& a, std::int64_t b);
    /// The part of `a` that is a multiple of `b`, divided by it, and what is left.
    std::pair<SymInt, SymInt> divide_terms(SymInt a, SymInt b);

    std::vector<Atom> atoms_;
    std::uint32_t fixed_ = 0;
    std::vector<Affine> expressions_;
    std::unordered_multimap<std::size_t, std::uint32_t> index_;  // hash of an Affine -> expression
    std::unordered_multimap<std::size_t, AtomId> opaque_index_;  // hash of (op, a, b) -> atom
};

}  // namespace ptofix::trace
