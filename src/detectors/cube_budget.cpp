#include "detectors/cube_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "detectors/places.h"
#include "hardware/cube_check.h"
#include "trace/certainty.h"

namespace ptofix::detectors {

namespace {

using hardware::CubeBytes;
using hardware::CubeTile;
using hardware::DType;
using hardware::MatmulExtent;
using trace::Matmul;
using trace::Trace;
using Number = std::int64_t;

/// With 1 for an extent that is not known: the tile may be clipped to that.
MatmulExtent least_extent(const MatmulExtent& extent) {
    return {extent.m.value_or(1), extent.k.value_or(1), extent.n.value_or(1)};
}

struct Use {
    CubePool pool;
    Number bytes, limit;
};

/// In the order of rules, and in each as the compiler looks at them.
std::vector<Use> uses_of(const CubeBytes& bytes, const Matmul& matmul, const hardware::Pools& pools) {
    std::vector<Use> uses{{CubePool::l1_a, bytes.l1_a, pools.l1},
                          {CubePool::l1_b, bytes.l1_b, pools.l1},
                          {CubePool::l0b, bytes.l0b, pools.l0b},
                          {CubePool::l0a, bytes.l0a, pools.l0a},
                          {CubePool::l0c, bytes.l0c, pools.l0c}};
    if (matmul.form.has_bias) uses.push_back({CubePool::bias_table, bytes.bias_table, pools.bt});
    if (matmul.form.has_scales) uses.push_back({CubePool::fixpipe_buffer, bytes.fixpipe_buffer, pools.fb});
    return uses;
}

std::optional<Use> first_overflow(const CubeTile& tile, const Matmul& matmul, const hardware::Pools& pools) {
    if (hardware::cube_problem(tile, matmul.form, matmul.extent)) return std::nullopt;
    const auto bytes = hardware::cube_tile_bytes(tile, least_extent(matmul.extent), matmul.form.a, matmul.form.b);
    if (!bytes) return std::nullopt;
    const auto uses = uses_of(*bytes, matmul, pools);
    const auto over = std::ranges::find_if(uses, [](const Use& use) { return use.bytes > use.limit; });
    return over != uses.end() ? std::optional(*over) : std::nullopt;
}

std::string_view name_of(CubePool pool) {
    switch (pool) {
        case CubePool::l1_a:
        case CubePool::l1_b:
            return "L1";
        case CubePool::l0a:
            return "L0A";
        case CubePool::l0b:
            return "L0B";
        case CubePool::l0c:
            return "L0C";
        case CubePool::bias_table:
            return "BT";
        case CubePool::fixpipe_buffer:
            break;
    }
    return "FIX_QUANT_PRE";
}

/// The two numbers whose product the buffer is, as padded, and the bytes of an element.
struct Formula {
    std::string_view names;
    Number rows = 0, columns = 0, element = 0;
};

Formula formula_of(const CubeOverflow& overflow) {
    const CubeTile& tile = overflow.tile;
    const MatmulExtent extent = least_extent(overflow.matmul.extent);
    const Number m = std::min(tile.m_l0, *extent.m), n = std::min(tile.n_l0, *extent.n);
    const auto k = [&](Number of_tile) { return std::min(of_tile, *extent.k); };
    const auto padded = [](Number value, DType dtype) {
        return hardware::round_up(value, hardware::cube_align(dtype));
    };
    const DType a = overflow.matmul.form.a, b = overflow.matmul.form.b;
    switch (overflow.pool) {
        case CubePool::l1_a:
            return {"mL0 x kAL1", padded(m, a), padded(k(tile.k_a_l1), a), hardware::size_of(a)};
        case CubePool::l1_b:
            return {"nL0 x kBL1", padded(n, b), padded(k(tile.k_b_l1), b), hardware::size_of(b)};
        case CubePool::l0a:
            return {"mL0 x kL0", padded(m, a), padded(k(tile.k_l0), a), hardware::size_of(a)};
        case CubePool::l0b:
            return {"kL0 x nL0", padded(k(tile.k_l0), b), padded(n, b), hardware::size_of(b)};
        case CubePool::l0c:
            return {"mL0 x nL0", hardware::round_up(m, hardware::kCubeAlign),
                    hardware::round_up(n, hardware::kCubeAlign), hardware::kAccumulatorBytes};
        case CubePool::bias_table:
            return {"nL0", 1, overflow.bytes / hardware::kBiasBytes, hardware::kBiasBytes};
        case CubePool::fixpipe_buffer:
            break;
    }
    return {"nL0", 1, overflow.bytes / hardware::kScaleBytes, hardware::kScaleBytes};
}

std::string shown(std::optional<Number> extent) {
    return extent ? std::to_string(*extent) : "?";
}

std::string operands_of(const Matmul& matmul) {
    const auto& [m, k, n] = matmul.extent;
    return fmt::format("A [{}, {}] {}, B [{}, {}] {}", shown(m), shown(k), hardware::pypto_name(matmul.form.a),
                       shown(k), shown(n), hardware::pypto_name(matmul.form.b));
}

void set_tile(rules::Data& data, const CubeTile& tile) {
    data.set("m", std::vector{tile.m_l0, tile.m_l1});
    std::vector k{tile.k_l0, tile.k_a_l1};
    if (tile.k_b_l1 != tile.k_a_l1) k.push_back(tile.k_b_l1);
    data.set("k", std::move(k)).set("n", std::vector{tile.n_l0, tile.n_l1});
}

rules::Finding finding_at(const Trace& trace, const trace::CubeTileCall& call, std::string_view rule,
                          std::string_view id, const Matmul& matmul) {
    rules::Finding finding;
    finding.rule = rule;
    finding.location = location_of(trace, call.call);
    finding.message.id = id;
    const rules::Location place = location_of(trace, trace.operations[matmul.op].site);
    finding.related.push_back({place, {"PTO103.related.matmul", {}}});
    return finding;
}

}  // namespace

std::optional<CubeOverflow> cube_overflow(const Trace& trace, const trace::CubeTileCall& call,
                                          const hardware::Pools& pools) {
    std::optional<CubeOverflow> worst;
    Number matmuls = 0;
    for (const auto& setting : call.settings) {
        const auto tile = trace::cube_tile_of(trace.tiles[setting.tile]);
        if (!tile) continue;
        for (const Matmul& matmul : setting.matmuls) {
            const auto over = first_overflow(*tile, matmul, pools);
            if (!over) continue;
            ++matmuls;
            const bool certain = trace::is_certain(trace, trace.operations[matmul.op]);
            const auto rank = [](bool sure, CubePool pool, Number bytes) { return std::tuple(!sure, pool, -bytes); };
            if (worst && rank(certain, over->pool, over->bytes) >= rank(worst->certain, worst->pool, worst->bytes))
                continue;
            worst = CubeOverflow{over->pool, setting.tile, matmul, *tile, over->bytes, over->limit, 0, certain};
        }
    }
    if (worst) worst->matmuls = matmuls;
    return worst;
}

rules::Finding cube_overflow_finding(const Trace& trace, const trace::CubeTileCall& call, const CubeOverflow& overflow,
                                     std::string_view rule, std::string_view id) {
    rules::Finding finding = finding_at(trace, call, rule, id, overflow.matmul);
    finding.severity = overflow.certain ? rules::Severity::error : rules::Severity::info;
    const Formula formula = formula_of(overflow);
    const std::string pool(name_of(overflow.pool));
    rules::Data& data = finding.message.data;
    data.set("pool", pool).set("names", std::string(formula.names));
    data.set("formula", formula.rows == 1
                            ? fmt::format("{} x {}", formula.columns, formula.element)
                            : fmt::format("{} x {} x {}", formula.rows, formula.columns, formula.element));
    data.set("bytes", overflow.bytes).set("limit", overflow.limit).set("operands", operands_of(overflow.matmul));
    set_tile(data, overflow.tile);
    data.set("matmuls", overflow.matmuls);
    data.set("compiler", fmt::format("Alloc tensor [..] size [{}] exceeds MEM_{} size [{}]!", overflow.bytes, pool,
                                     overflow.limit));
    finding.evidence = rules::CubeTileEvidence{.setting = overflow.setting, .matmul = overflow.matmul.op};
    return finding;
}

bool is_one_long_level(const LongK& found) {
    constexpr Number kLongLevel = 1024;
    return found.k_l1 >= kLongLevel && found.k_l1 < found.k;
}

std::optional<LongK> long_k(const Trace& trace, const trace::CubeTileCall& call, const hardware::Pools& pools) {
    if (cube_overflow(trace, call, pools)) return std::nullopt;
    for (const auto& setting : call.settings) {
        const auto tile = trace::cube_tile_of(trace.tiles[setting.tile]);
        if (!tile) continue;
        for (const Matmul& matmul : setting.matmuls) {
            if (!matmul.extent.k || hardware::cube_problem(*tile, matmul.form, matmul.extent)) continue;
            const Number k = *matmul.extent.k;
            const Number k_l1 = std::min(std::max(tile->k_a_l1, tile->k_b_l1), k);
            const Number table = hardware::longest_k_l1(k);
            if (k_l1 > table) return LongK{setting.tile, matmul, *tile, k_l1, k, table};
        }
    }
    return std::nullopt;
}

rules::Finding long_k_finding(const Trace& trace, const trace::CubeTileCall& call, const LongK& found,
                              std::string_view rule, std::string_view id) {
    rules::Finding finding = finding_at(trace, call, rule, id, found.matmul);
    finding.severity = rules::Severity::info;
    rules::Data& data = finding.message.data;
    data.set("k_l1", found.k_l1).set("k_extent", found.k).set("table", found.table);
    data.set("operands", operands_of(found.matmul));
    set_tile(data, found.tile);
    finding.evidence = rules::CubeTileEvidence{.setting = found.setting, .matmul = found.matmul.op};
    return finding;
}

}  // namespace ptofix::detectors
