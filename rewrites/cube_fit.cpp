#include "rewrites/cube_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "hardware/cube_cost.h"

namespace ptofix::rewrites {

namespace {

using hardware::CubeBytes;
using hardware::CubeSteps;
using hardware::CubeTile;
using hardware::DType;
using hardware::Pools;
using trace::Matmul;
using Number = std::int64_t;

// Of K in L1 at once, where K is not known.
constexpr Number kLongTile = 256;
// A kL0 below this makes very many steps; it is raised to at most kLargestL0.
constexpr Number kTinyL0 = 64, kLargestL0 = 256;
// Where a number is 0 or missing on both levels.
constexpr Number kUsualTile = 128;
// No L0 memory holds a row or a column of more elements.
constexpr Number kLargestTile = 65536;
// Nor, where both axes of a buffer are padded to 16, this many of one axis.
constexpr Number kLongestAxis = 4096;
// An extent that is not known counts as one so long that the rest of it does not matter.
constexpr Number kLongExtent = 1 << 20;
// A tile that costs an eighth more than the cheapest is as good: what is nearer to the written one then counts.
constexpr Number kAsGood = 8;
// What the experience notes ask for is worth this many times the cost: another kL0 rather than another mL0 or nL0, and
// a kL1 that divides K.
constexpr Number kWorthIt = 2;

struct Pair {
    Number l0 = 0, l1 = 0;
};

bool is_legal(const Pair& p, Number step) {
    return p.l0 > 0 && p.l0 % step == 0 && p.l0 <= p.l1 && p.l1 % p.l0 == 0;
}

Number clamp(Number value) {
    return std::min(value, kLargestTile);
}

/// The nearest legal pair. `extent`: of the axis, where it is known; an L1 number that covers it goes on to do so.
std::optional<Pair> nearest_pair(Pair from, Number step, std::optional<Number> extent, Number most_l0) {
    if (is_legal(from, step) && from.l0 <= most_l0) return from;
    if (from.l0 > from.l1 && from.l1 > 0) {
        std::swap(from.l0, from.l1);
        // Far below what was meant for it a divisor of L1 costs more than another L1.
        const Number meant = std::min(clamp(from.l0), most_l0);
        for (Number l0 = meant / step * step; 2 * l0 >= meant && l0 > 0; l0 -= step) {
            if (is_legal({l0, from.l1}, step)) return Pair{l0, from.l1};
        }
    }
    if (from.l0 <= 0 && from.l1 <= 0) {
        from.l0 = from.l1 = std::min(kUsualTile, hardware::round_up(extent.value_or(kUsualTile), step));
    }
    if (from.l0 <= 0) from.l0 = from.l1;
    if (from.l1 <= 0) from.l1 = from.l0;
    from = {clamp(from.l0), clamp(from.l1)};
    const bool covers = extent && from.l1 >= *extent;
    std::optional<std::tuple<Number, Number, Number, Number>> best;
    for (Number l0 = step; l0 <= std::min(2 * from.l0 + step, most_l0); l0 += step) {
        const Number wanted = covers ? *extent : from.l1;
        const Number below = wanted / l0 * l0;
        for (const Number l1 : {below, below + l0}) {
            if (l1 < l0 || (covers && l1 < *extent)) continue;
            const std::tuple cost{std::abs(l0 - from.l0), std::abs(l1 - wanted), l0, l1};
            if (!best || cost < *best) best = cost;
        }
    }
    if (!best) return std::nullopt;
    return Pair{std::get<2>(*best), std::get<3>(*best)};
}

/// The L1 number nearest to the written one over a new L0 number. One that covers the extent goes on to do so.
Number l1_over(Number l0, Number written, std::optional<Number> extent) {
    if (written % l0 == 0) return written;
    const Number below = std::max(written / l0, Number{1}) * l0;
    return extent && written >= *extent && below < *extent ? below + l0 : below;
}

/// The L0 numbers to look at: the written one, and the smaller ones that the padding to 16 tells apart.
std::vector<Number> numbers_up_to(Number written, Number step, std::optional<Number> extent) {
    const Number grain = std::max(step, hardware::kCubeAlign);
    std::vector numbers{written};
    const Number most = std::min({written - 1, kLongestAxis, extent ? hardware::round_up(*extent, grain) : written});
    for (Number l0 = most / grain * grain; l0 > 0; l0 -= grain) numbers.push_back(l0);
    return numbers;
}

/// A tile that is legal and fits, with what compiling it costs.
struct Choice {
    CubeTile tile;
    Number cost = 0;
    bool divides_k = true;
};

Number least_cost(const std::vector<Choice>& choices) {
    return choices.empty() ? INT64_MAX : std::ranges::min(choices, {}, &Choice::cost).cost;
}

/// In the order they have.
std::vector<Choice> as_good_as_any(std::vector<Choice> choices) {
    const Number cheapest = least_cost(choices);
    std::erase_if(choices, [&](const Choice& c) { return c.cost - cheapest > cheapest / kAsGood; });
    return choices;
}

/// Leaves those of a kind alone, unless they cost too much.
template <typename Kind>
void prefer(std::vector<Choice>& choices, Kind kind) {
    std::vector<Choice> of_kind;
    std::ranges::copy_if(choices, std::back_inserter(of_kind), kind);
    if (of_kind.empty() || least_cost(of_kind) / kWorthIt > least_cost(choices)) return;
    choices = std::move(of_kind);
}

double apart(Number a, Number b) {
    return std::abs(std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b)));
}

/// How far a tile is from the written one: as few of its lists change as can be, and these as little as can be.
std::tuple<int, double, double, Number> distance(const Choice& choice, const CubeTile& written) {
    const CubeTile& t = choice.tile;
    const bool m = t.m_l0 != written.m_l0, n = t.n_l0 != written.n_l0, k = t.k_l0 != written.k_l0;
    const double sum = apart(t.m_l0, written.m_l0) + apart(t.m_l1, written.m_l1) + apart(t.n_l0, written.n_l0) +
                       apart(t.n_l1, written.n_l1) + apart(t.k_l0, written.k_l0) + apart(t.k_a_l1, written.k_a_l1) +
                       apart(t.k_b_l1, written.k_b_l1);
    return {m + n + k, sum, apart(t.m_l0, t.n_l0), choice.cost};
}

class Fitting {
  public:
    Fitting(CubeTile tile, std::span<const Matmul> matmuls, const Pools& pools, const CubeFitOptions& options)
        : tile_(tile), matmuls_(matmuls), pools_(pools), options_(options) {
        for (const Matmul& m : matmuls) {
            const CubeSteps own = hardware::cube_steps(m.form);
            steps_ = {std::max(steps_.m, own.m), std::max(steps_.k, own.k), std::max(steps_.n, own.n)};
            widest_.m = larger(widest_.m, m.extent.m);
            widest_.k = larger(widest_.k, m.extent.k);
            widest_.n = larger(widest_.n, m.extent.n);
        }
        for (const Matmul& m : matmuls) {  // what is known of some of them only holds for none
            if (!m.extent.m) widest_.m.reset();
            if (!m.extent.k) widest_.k.reset();
            if (!m.extent.n) widest_.n.reset();
            if (m.extent.k) shortest_k_ = std::min(shortest_k_, *m.extent.k);
        }
    }

    std::expected<CubeTile, NoCubeTile> run() {
        if (!relations()) return std::unexpected(shortest_k_ < steps_.k ? NoCubeTile::k_too_short : NoCubeTile::none);
        if (fits() && !(options_.bound_l1 && exceeds_table())) return tile_;
        if (!choose_l0() || !choose_k_l1() || !fits()) return std::unexpected(NoCubeTile::none);
        return tile_;
    }

    bool fits() const { return takes_cube_tile(tile_, matmuls_, pools_); }

  private:
    static std::optional<Number> larger(std::optional<Number> a, std::optional<Number> b) {
        return a && b ? std::max(*a, *b) : a ? a : b;
    }

    // ---- alignment and the relation of the levels

    bool is_legal_for_all() const {
        return std::ranges::none_of(
            matmuls_, [&](const Matmul& m) { return hardware::cube_problem(tile_, m.form, m.extent).has_value(); });
    }

    bool relations() {
        const auto m = nearest_pair({tile_.m_l0, tile_.m_l1}, steps_.m, widest_.m, kLargestTile);
        const auto n = nearest_pair({tile_.n_l0, tile_.n_l1}, steps_.n, widest_.n, kLargestTile);
        if (!m || !n) return false;
        std::tie(tile_.m_l0, tile_.m_l1) = std::pair(m->l0, m->l1);
        std::tie(tile_.n_l0, tile_.n_l1) = std::pair(n->l0, n->l1);
        return is_legal_for_all() || relation_of_k();
    }

    bool relation_of_k() {
        for (Number* l1 : {&tile_.k_a_l1, &tile_.k_b_l1}) {
            if (is_quotient(*l1)) *l1 = *widest_.k;
        }
        if (is_legal_for_all()) return true;
        const Number most = shortest_k_;  // a kL0 beyond K crashes at run time
        const Pair a{tile_.k_l0, tile_.k_a_l1}, b{tile_.k_l0, tile_.k_b_l1};
        const auto of_a = nearest_pair(a, steps_.k, widest_.k, most);
        if (!of_a) return false;
        tile_.k_l0 = of_a->l0;
        tile_.k_a_l1 = of_a->l1;
        if (b.l1 == a.l1) {
            tile_.k_b_l1 = of_a->l1;
        } else {
            tile_.k_b_l1 = std::max(clamp(b.l1) / of_a->l0 * of_a->l0, of_a->l0);
        }
        if (is_legal_for_all()) return true;
        tile_.k_a_l1 = tile_.k_b_l1 = std::min(tile_.k_a_l1, tile_.k_b_l1);  // one of them is always legal for both
        return is_legal_for_all();
    }

    /// K = 576, kL0 = 16, kL1 = 36: the number of steps where a length belongs.
    bool is_quotient(Number l1) const {
        if (!widest_.k || *widest_.k != shortest_k_ || tile_.k_l0 <= 0 || l1 <= 0) return false;
        if (*widest_.k % tile_.k_l0 != 0 || l1 != *widest_.k / tile_.k_l0) return false;
        return l1 < tile_.k_l0 || l1 % tile_.k_l0 != 0;
    }

    // ---- memories

    /// The most that a matmul takes of one memory.
    Number most(const std::function<Number(const CubeBytes&, const Matmul&)>& part) const {
        Number all = 0;
        for (const Matmul& m : matmuls_) {
            if (const auto bytes = buffers(tile_, m)) all = std::max(all, part(*bytes, m));
        }
        return all;
    }

  public:
    static std::optional<CubeBytes> buffers(const CubeTile& tile, const Matmul& m) {
        const auto known = [](DType dtype) { return dtype == DType::unknown ? DType::fp32 : dtype; };
        return hardware::cube_tile_bytes(tile, m.extent, known(m.form.a), known(m.form.b));
    }

  private:
    Number over_l0c() const {
        return most([](const CubeBytes& b, const Matmul&) { return b.l0c; }) > pools_.l0c;
    }
    bool over_tables() const {
        return most([](const CubeBytes& b, const Matmul& m) { return m.form.has_bias ? b.bias_table : 0; }) >
                   pools_.bt ||
               most([](const CubeBytes& b, const Matmul& m) { return m.form.has_scales ? b.fixpipe_buffer : 0; }) >
                   pools_.fb;
    }
    bool over_l0a() const {
        return most([](const CubeBytes& b, const Matmul&) { return b.l0a; }) > pools_.l0a;
    }
    bool over_l0b() const {
        return most([](const CubeBytes& b, const Matmul&) { return b.l0b; }) > pools_.l0b;
    }
    bool over_l1(bool of_a) const {
        return most([&](const CubeBytes& b, const Matmul&) { return of_a ? b.l1_a : b.l1_b; }) > pools_.l1;
    }

    bool over_results() const { return over_l0c() || over_tables(); }
    bool over_operands() const { return over_l0a() || over_l0b(); }

    /// What compiling the matmuls costs under the tile.
    Number cost() const {
        Number sum = 0;
        for (const Matmul& m : matmuls_) {
            const hardware::CubeWork work{.m = m.extent.m.value_or(kLongExtent),
                                          .k = m.extent.k.value_or(kLongExtent),
                                          .n = m.extent.n.value_or(kLongExtent),
                                          .scaled = m.form.scaled,
                                          .block_operands = m.form.has_bias + m.form.has_scales};
            sum = hardware::saturating_add(sum, hardware::cube_tile_operations(tile_, work));
        }
        return sum;
    }

    /// L0 numbers under which L0 and its tables hold: of the smaller ones that are about as cheap as any, the nearest
    /// to those that are written; another kL0 rather than another mL0 or nL0. False if there are none.
    bool choose_l0() {
        if (!over_results() && !over_operands()) return true;
        const CubeTile written = tile_;
        std::vector<Choice> choices;
        const auto k_numbers = numbers_up_to(written.k_l0, steps_.k, widest_.k);
        for (const Number m : numbers_up_to(written.m_l0, steps_.m, widest_.m)) {
            tile_.m_l0 = m;
            tile_.m_l1 = l1_over(m, written.m_l1, widest_.m);
            for (const Number n : numbers_up_to(written.n_l0, steps_.n, widest_.n)) {
                tile_.n_l0 = n;
                tile_.n_l1 = l1_over(n, written.n_l1, widest_.n);
                if (over_results()) continue;
                for (const Number k : k_numbers) {
                    if (set_k(k, written)) choices.push_back({tile_, cost()});
                }
            }
        }
        tile_ = written;
        if (choices.empty()) return false;
        prefer(choices, [&](const Choice& c) { return c.tile.m_l0 == written.m_l0 && c.tile.n_l0 == written.n_l0; });
        tile_ = std::ranges::min(as_good_as_any(std::move(choices)), {}, [&](const Choice& c) {
                    return distance(c, written);
                }).tile;
        return true;
    }

    bool set_k(Number k, const CubeTile& written) {
        tile_.k_l0 = k;
        tile_.k_a_l1 = l1_over(k, written.k_a_l1, widest_.k);
        tile_.k_b_l1 = l1_over(k, written.k_b_l1, widest_.k);
        return !over_operands() && is_legal_for_all();
    }

    Number longest_k_l1() const {
        return std::min(widest_.k ? hardware::longest_k_l1(*widest_.k) : kLongTile, options_.longest_k_l1);
    }
    bool exceeds_table() const {
        return widest_.k && std::min(std::max(tile_.k_a_l1, tile_.k_b_l1), *widest_.k) > longest_k_l1();
    }

    /// kL1 under which L1 holds, or that the table allows: the largest that is about as cheap as any, if it can be one
    /// that divides K. False if there is none.
    bool choose_k_l1() {
        const bool bound = options_.bound_l1 && exceeds_table();
        const bool either = bound || (options_.one_k_l1 && (over_l1(true) || over_l1(false)));
        const bool a = either || over_l1(true);
        const bool b = either || over_l1(false);
        if (!a && !b) return true;
        const CubeTile written = tile_;
        std::vector<Choice> choices;  // the largest kL1 first
        for (Number l1 = longest_k_l1() / steps_.k * steps_.k; l1 > 0; l1 -= steps_.k) {
            const bool divides =
                std::ranges::all_of(matmuls_, [&](const Matmul& m) { return !m.extent.k || *m.extent.k % l1 == 0; });
            for (const auto& [of_a, of_b] : {std::pair(a, b), std::pair(true, true)}) {
                tile_ = written;
                if (of_a) tile_.k_a_l1 = std::min(l1, written.k_a_l1);
                if (of_b) tile_.k_b_l1 = std::min(l1, written.k_b_l1);
                if (!set_k_l0() || !fits()) continue;
                choices.push_back({tile_, cost(), divides});
                break;
            }
        }
        tile_ = written;
        if (choices.empty()) return false;
        prefer(choices, &Choice::divides_k);
        tile_ = as_good_as_any(std::move(choices)).front().tile;
        return true;
    }

    /// kL0 for a new kL1: a tiny one grows, one that no longer divides it shrinks.
    bool set_k_l0() {
        const Number whole = std::gcd(tile_.k_a_l1, tile_.k_b_l1);
        const bool grows = tile_.k_l0 < kTinyL0 && !options_.keep_k_l0;
        if (!grows && whole % tile_.k_l0 == 0) return true;
        const Number top = std::min({grows ? kLargestL0 : tile_.k_l0, whole, shortest_k_});
        for (Number l0 = top / steps_.k * steps_.k; l0 > 0; l0 -= steps_.k) {
            if (whole % l0 != 0) continue;
            tile_.k_l0 = l0;
            if (!over_l0a() && !over_l0b()) return true;
        }
        return false;
    }

    CubeTile tile_;
    const std::span<const Matmul> matmuls_;
    const Pools& pools_;
    const CubeFitOptions options_;
    CubeSteps steps_{1, 1, 1};
    hardware::MatmulExtent widest_;
    Number shortest_k_ = kLargestTile;
};

}  // namespace

std::expected<CubeTile, NoCubeTile> nearest_cube_tile(const CubeTile& from, std::span<const Matmul> matmuls,
                                                      const Pools& pools, const CubeFitOptions& options) {
    return Fitting(from, matmuls, pools, options).run();
}

bool takes_cube_tile(const CubeTile& tile, std::span<const Matmul> matmuls, const Pools& pools) {
    return std::ranges::all_of(matmuls, [&](const Matmul& m) {
        if (hardware::cube_problem(tile, m.form, m.extent)) return false;
        const auto bytes = Fitting::buffers(tile, m);
        return bytes && bytes->l0a <= pools.l0a && bytes->l0b <= pools.l0b && bytes->l0c <= pools.l0c &&
               bytes->l1_a <= pools.l1 && bytes->l1_b <= pools.l1 &&
               (!m.form.has_bias || bytes->bias_table <= pools.bt) &&
               (!m.form.has_scales || bytes->fixpipe_buffer <= pools.fb);
    });
}

}  // namespace ptofix::rewrites
