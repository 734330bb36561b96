#include "trace/symbols.h"

#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <random>
#include <string>

namespace {

using ptofix::trace::Atom;
using ptofix::trace::AtomId;
using ptofix::trace::AtomKind;
using ptofix::trace::Bounds;
using ptofix::trace::OpaqueOp;
using ptofix::trace::Symbols;
using ptofix::trace::SymInt;
using Int = std::int64_t;

constexpr Int kMax = std::numeric_limits<Int>::max();
constexpr Int kMin = std::numeric_limits<Int>::min();

SymInt n(Int v) {
    return SymInt::of(v);
}

struct Fixture {
    Symbols s;
    AtomId add(std::string name, Bounds bounds = {}) {
        return s.new_atom({AtomKind::parameter, std::move(name), bounds, UINT32_MAX, OpaqueOp::none, {}, {}});
    }
    SymInt atom(std::string name, Bounds bounds = {}) { return s.of_atom(add(std::move(name), bounds)); }
};

/// The integers that Python computes, absent where it would raise.
std::optional<Int> floor_div(Int a, Int b) {
    if (b == 0) return {};
    Int q = a / b;
    if (a % b != 0 && (a < 0) != (b < 0)) --q;
    return q;
}

std::optional<Int> evaluate(const Symbols& s, SymInt e, const std::map<AtomId, Int>& env) {
    if (e.unknown()) return {};
    if (e.known()) return e.value;
    Int sum = s.affine(e).constant;
    for (const auto& t : s.affine(e).terms) {
        const Atom& a = s.atom(t.atom);
        Int v = 0;
        if (a.kind == AtomKind::opaque) {
            const auto l = evaluate(s, a.left, env), r = evaluate(s, a.right, env);
            if (!l || !r) return {};
            switch (a.op) {
                case OpaqueOp::multiply:
                    v = *l * *r;
                    break;
                case OpaqueOp::min:
                    v = std::min(*l, *r);
                    break;
                case OpaqueOp::max:
                    v = std::max(*l, *r);
                    break;
                case OpaqueOp::floor_div:
                case OpaqueOp::mod: {
                    const auto q = floor_div(*l, *r);
                    if (!q) return {};
                    v = a.op == OpaqueOp::floor_div ? *q : *l - *q * *r;
                    break;
                }
                default:
                    return {};
            }
        } else {
            v = env.at(t.atom);
        }
        sum += t.coefficient * v;
    }
    return sum;
}

bool inside(const Bounds& b, Int v) {
    return (!b.low || *b.low <= v) && (!b.high || v <= *b.high);
}

}  // namespace

TEST_CASE_METHOD(Fixture, "sums cancel exactly") {
    const SymInt h = atom("h"), rows = n(16);
    const SymInt next = s.multiply(s.add(h, n(1)), rows);
    CHECK(s.subtract(next, s.multiply(h, rows)).is(16));
    CHECK(s.subtract(h, h).is(0));
    CHECK(s.add(h, n(0)) == h);
    CHECK(s.multiply(h, n(0)).is(0));
    CHECK(s.negate(s.negate(h)) == h);
}

TEST_CASE_METHOD(Fixture, "products of symbols are multiplied out and exist once") {
    const SymInt h = atom("h"), rows = atom("S"), k = atom("k");
    const SymInt next = s.multiply(s.add(h, n(1)), rows);
    CHECK(s.subtract(next, s.multiply(h, rows)) == rows);
    CHECK(s.multiply(h, rows) == s.multiply(rows, h));
    CHECK(s.multiply(s.multiply(k, rows), h) == s.multiply(k, s.multiply(h, rows)));
    CHECK(s.floor_div(s.multiply(h, rows), rows) == h);
    CHECK(s.floor_div(s.multiply(s.multiply(h, k), rows), k) == s.multiply(rows, h));
    CHECK(s.mod(s.multiply(h, rows), rows).is(0));
    SymInt power = h;
    for (int i = 0; i < 20; ++i) power = s.multiply(power, h);
    CHECK(power.unknown());
}

TEST_CASE_METHOD(Fixture, "division rounds down and remainders take the divisor's sign, as in Python") {
    CHECK(s.floor_div(n(-7), n(2)).is(-4));
    CHECK(s.floor_div(n(7), n(-2)).is(-4));
    CHECK(s.mod(n(-7), n(3)).is(2));
    CHECK(s.mod(n(7), n(-3)).is(-2));
    CHECK(s.mod(n(kMin), n(-1)).is(0));
    CHECK(s.floor_div(n(1), n(0)).unknown());
    CHECK(s.mod(n(1), n(0)).unknown());
    CHECK(s.ceil_div(n(17), n(16)).is(2));
    CHECK(s.ceil_div(n(-17), n(16)).is(-1));
    CHECK(s.ceil_div(n(3), n(0)).unknown());
}

TEST_CASE_METHOD(Fixture, "quotients by a constant come out when it divides every coefficient") {
    const SymInt h = atom("h"), r = atom("r", {0, 3}), x = atom("x");
    const SymInt sum = s.add(s.multiply(h, n(4)), r);
    CHECK(s.floor_div(s.add(s.multiply(h, n(8)), n(5)), n(4)) == s.add(s.multiply(h, n(2)), n(1)));
    CHECK(s.mod(s.add(s.multiply(h, n(8)), n(5)), n(4)).is(1));
    CHECK(s.floor_div(sum, n(4)) == h);
    CHECK(s.mod(sum, n(4)) == r);
    CHECK(s.floor_div(s.floor_div(x, n(4)), n(8)) == s.floor_div(x, n(32)));
    CHECK(s.negate(s.floor_div(s.negate(x), n(16))) == s.ceil_div(x, n(16)));
    CHECK(s.floor_div(x, n(-3)) == s.floor_div(s.negate(x), n(3)));
    CHECK(s.floor_div(x, n(1)) == x);
    CHECK(s.mod(x, n(1)).is(0));
}

TEST_CASE_METHOD(Fixture, "what leaves 64 bits is unknown") {
    const SymInt h = atom("h");
    CHECK(s.add(n(kMax), n(1)).unknown());
    CHECK(s.multiply(n(kMax), n(2)).unknown());
    CHECK(s.negate(n(kMin)).unknown());
    CHECK(s.floor_div(n(kMin), n(-1)).unknown());
    CHECK(s.multiply(s.multiply(h, n(kMax)), n(3)).unknown());
    CHECK(s.multiply(s.add(h, n(kMax)), n(2)).unknown());
    const SymInt steep = s.multiply(h, n(kMin));
    CHECK(steep.symbolic());
    CHECK(s.negate(steep).unknown());
    CHECK(s.floor_div(s.add(steep, h), n(kMax)).symbolic());
    CHECK_FALSE(s.bounds(s.multiply(atom("wide", {0, kMax / 2}), n(4))).high);
    CHECK(s.equal(steep, n(1)) == false);
}

TEST_CASE_METHOD(Fixture, "unknown operands give unknown results") {
    const SymInt h = atom("h"), none;
    for (const SymInt other : {h, n(3), n(0)}) {
        CHECK(s.add(other, none).unknown());
        CHECK(s.subtract(none, other).unknown());
        CHECK(s.multiply(none, other).unknown());
        CHECK(s.floor_div(none, other).unknown());
        CHECK(s.mod(other, none).unknown());
        CHECK(s.min(none, other).unknown());
        CHECK(s.max(other, none).unknown());
    }
    CHECK_FALSE(s.compare(none, none));
    CHECK_FALSE(s.equal(none, none));
    CHECK_FALSE(s.less(none, none));
    CHECK_FALSE(s.split(none, 0));
}

TEST_CASE_METHOD(Fixture, "an expression of more than 16 terms is unknown") {
    SymInt sum = n(0);
    for (std::size_t i = 0; i < Symbols::kMaxTerms; ++i) sum = s.add(sum, atom("a" + std::to_string(i)));
    CHECK(sum.symbolic());
    CHECK(s.add(sum, atom("last")).unknown());
    CHECK(s.multiply(sum, s.add(atom("x"), atom("y"))).unknown());
}

TEST_CASE_METHOD(Fixture, "comparisons follow from bounds") {
    const SymInt i = atom("i", {0, 3}), m = atom("m", {1, std::nullopt});
    CHECK(s.compare(i, n(4)) == -1);
    CHECK(s.compare(n(4), i) == 1);
    CHECK(s.compare(s.add(i, n(1)), i) == 1);
    CHECK(s.compare(i, i) == 0);
    CHECK_FALSE(s.compare(i, n(3)));
    CHECK(s.less(i, n(0)) == false);
    CHECK(s.less(n(3), i) == false);
    CHECK_FALSE(s.less(i, n(2)));
    CHECK(s.equal(m, n(0)) == false);
    CHECK(s.equal(s.add(s.multiply(m, n(2)), n(1)), n(4)) == false);
    CHECK_FALSE(s.equal(m, n(4)));
}

TEST_CASE_METHOD(Fixture, "an undecided comparison is 0 or 1 and depends on its operands") {
    const AtomId i = add("i");
    const SymInt c = s.undecided(s.of_atom(i), n(4));
    CHECK(s.bounds(c).low == 0);
    CHECK(s.bounds(c).high == 1);
    CHECK(s.depends_on(c, i));
    CHECK(c != s.undecided(s.of_atom(i), n(4)));
    CHECK(s.undecided({}, n(4)).unknown());
}

TEST_CASE_METHOD(Fixture, "min and max choose when they can and keep their bounds when they cannot") {
    const SymInt i = atom("i", {0, 3}), size = atom("n", {1, std::nullopt});
    CHECK(s.min(i, n(3)) == i);
    CHECK(s.max(i, n(0)) == i);
    CHECK(s.max(i, n(7)).is(7));
    const SymInt tail = s.min(n(16), s.subtract(size, s.multiply(i, n(16))));
    CHECK(s.bounds(tail).high == 16);
    CHECK(s.min(n(16), size) == s.min(size, n(16)));
    CHECK(s.min(tail, n(16)) == tail);
    CHECK(s.less(size, s.min(n(16), size)) == false);
    CHECK(s.bounds(s.min(n(16), size)).low == 1);
}

TEST_CASE_METHOD(Fixture, "a rest below a multiple is smaller than the divisor") {
    const SymInt x = atom("x", {0, std::nullopt});
    const SymInt rest = s.subtract(x, s.multiply(s.floor_div(x, n(16)), n(16)));
    CHECK(s.bounds(rest).low == 0);
    CHECK(s.bounds(rest).high == 15);
    CHECK(s.less(s.multiply(s.floor_div(x, n(16)), n(16)), s.add(x, n(1))) == true);
}

TEST_CASE_METHOD(Fixture, "dependence is seen through min, max, // and %") {
    const AtomId h = add("h"), k = add("k");
    const SymInt e = s.add(s.min(s.of_atom(h), n(16)), s.of_atom(k));
    CHECK(s.depends_on(e, h));
    CHECK(s.depends_on(s.floor_div(s.mod(e, n(7)), n(2)), h));
    CHECK_FALSE(s.depends_on(s.subtract(e, s.of_atom(k)), k));
    CHECK_FALSE(s.depends_on(n(4), h));
}

TEST_CASE_METHOD(Fixture, "an affine use of an atom splits into its coefficient and the rest") {
    const AtomId h = add("h");
    const SymInt k = atom("k");
    const auto parts = s.split(s.add(s.multiply(s.of_atom(h), n(64)), k), h);
    REQUIRE(parts);
    CHECK(parts->coefficient == 64);
    CHECK(parts->rest == k);
    CHECK(s.split(n(5), h)->coefficient == 0);
    CHECK(s.split(k, h)->coefficient == 0);
    CHECK_FALSE(s.split(s.add(s.of_atom(h), s.floor_div(s.of_atom(h), n(2))), h));
    CHECK_FALSE(s.split(s.multiply(s.of_atom(h), k), h));
}

TEST_CASE_METHOD(Fixture, "expressions read as written") {
    const SymInt h = atom("h"), x = atom("n"), i = atom("i");
    CHECK(s.text(s.add(s.multiply(h, n(4)), n(2))) == "4 * h + 2");
    CHECK(s.text(s.min(n(16), s.subtract(x, s.multiply(i, n(16))))) == "min(16, n - 16 * i)");
    CHECK(s.text(s.subtract(n(16), h)) == "16 - h");
    CHECK(s.text(s.subtract(n(-3), h)) == "-h - 3");
    CHECK(s.text(s.subtract(i, h)) == "i - h");
    CHECK(s.text(s.ceil_div(x, n(16))) == "(n + 15) // 16");
    CHECK(s.text(s.multiply(s.floor_div(x, n(16)), n(4))) == "4 * (n // 16)");
    CHECK(s.text(s.multiply(s.multiply(h, x), n(2))) == "2 * h * n");
    CHECK(s.text(s.mod(s.multiply(h, x), n(5))) == "(h * n) % 5");
    CHECK(s.text(SymInt{}) == "?");
    SymInt deep = h;
    for (int d = 0; d < 100; ++d) deep = s.mod(s.multiply(s.max(deep, x), s.add(i, n(d))), n(1000 + d));
    CHECK(s.text(deep).size() < 1000);
}

TEST_CASE("random expressions agree with the integers they stand for") {
    std::mt19937 random(20260801);
    const auto pick = [&](Int low, Int high) { return std::uniform_int_distribution<Int>(low, high)(random); };
    for (int round = 0; round < 400; ++round) {
        Fixture f;
        Symbols& s = f.s;
        std::vector<AtomId> atoms;
        std::map<AtomId, Int> env;
        for (int a = 0; a < 4; ++a) {
            const Int low = pick(-20, 20), high = low + pick(0, 30);
            const bool open_low = pick(0, 4) == 0, open_high = pick(0, 4) == 0;
            const AtomId id =
                f.add(std::string(1, static_cast<char>('a' + a)),
                      {open_low ? std::nullopt : std::optional(low), open_high ? std::nullopt : std::optional(high)});
            atoms.push_back(id);
            env[id] = pick(open_low ? low - 40 : low, open_high ? high + 40 : high);
        }
        std::vector<std::pair<SymInt, Int>> pool;
        pool.reserve(atoms.size());
        for (const AtomId id : atoms) pool.emplace_back(s.of_atom(id), env[id]);
        for (int step = 0; step < 30; ++step) {
            const auto [x, vx] = pool[static_cast<std::size_t>(pick(0, static_cast<Int>(pool.size()) - 1))];
            auto [y, vy] = pool[static_cast<std::size_t>(pick(0, static_cast<Int>(pool.size()) - 1))];
            if (pick(0, 1) == 0) {
                vy = pick(-18, 18);
                y = n(vy);
            }
            SymInt e;
            std::optional<Int> v;
            switch (pick(0, 7)) {
                case 0:
                    e = s.add(x, y), v = vx + vy;
                    break;
                case 1:
                    e = s.subtract(x, y), v = vx - vy;
                    break;
                case 2:
                    e = s.multiply(x, y), v = vx * vy;
                    break;
                case 3:
                    e = s.floor_div(x, y), v = floor_div(vx, vy);
                    break;
                case 4:
                    e = s.mod(x, y);
                    if (const auto q = floor_div(vx, vy)) v = vx - *q * vy;
                    break;
                case 5:
                    e = s.min(x, y), v = std::min(vx, vy);
                    break;
                case 6:
                    e = s.max(x, y), v = std::max(vx, vy);
                    break;
                default:
                    e = s.negate(x), v = -vx;
                    break;
            }
            if (!v || e.unknown() || std::abs(*v) > 100'000) continue;
            INFO(s.text(e));
            const auto got = evaluate(s, e, env);
            REQUIRE(got == v);
            REQUIRE(inside(s.bounds(e), *v));
            if (const auto c = s.compare(x, y)) REQUIRE(*c == (vx > vy) - (vx < vy));
            if (const auto c = s.less(x, y)) REQUIRE(*c == (vx < vy));
            if (const auto c = s.equal(x, y)) REQUIRE(*c == (vx == vy));
            for (const AtomId id : atoms) {
                if (const auto parts = s.split(e, id)) {
                    REQUIRE(evaluate(s, parts->rest, env).value() + parts->coefficient * env[id] == *v);
                    REQUIRE_FALSE(s.depends_on(parts->rest, id));
                }
                if (s.depends_on(e, id)) continue;
                auto other = env;
                other[id] += pick(-5, 5);
                REQUIRE(evaluate(s, e, other) == v);
            }
            pool.emplace_back(e, *v);
        }
    }
}
