#include "budget/tile_budget.h"

#include <algorithm>
#include <utility>

#include "hardware/cube_check.h"
#include "hardware/tile.h"
#include "trace/matmul.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"

namespace ptofix::budget {

namespace {

using trace::Engine;
using trace::KernelTrace;
using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::TileId;
using trace::Trace;
using PoolBytes = std::vector<std::optional<Bytes>>;

bool runs_on_tiles(const Operation& op) {
    return op.engine == Engine::cube || op.engine == Engine::vector || op.engine == Engine::create;
}

/// Same call, same numbers: what a Python loop sets again and again.
bool same_setting(const Trace& trace, TileId a, TileId b) {
    if (a == b) return true;
    if (a == kNone || b == kNone || trace.tiles[a].call != trace.tiles[b].call) return false;
    const trace::TileSetting& left = trace.tiles[a];
    const trace::TileSetting& right = trace.tiles[b];
    if (left.engine != right.engine) return false;
    if (left.engine == trace::TileSetting::Engine::cube) {
        return trace::cube_tile_of(left) == trace::cube_tile_of(right);
    }
    return std::ranges::equal(left.vec, right.vec,
                              [](const trace::Value& l, const trace::Value& r) { return l.sym() == r.sym(); });
}

struct Pool {
    std::string_view name;
    std::int64_t hardware::Pools::* limit;
};

constexpr Pool kVectorPools[] = {{"UB", &hardware::Pools::ub}};
constexpr Pool kCubePools[] = {
    {"L1 (A)", &hardware::Pools::l1}, {"L1 (B)", &hardware::Pools::l1}, {"L0A", &hardware::Pools::l0a},
    {"L0B", &hardware::Pools::l0b},   {"L0C", &hardware::Pools::l0c},   {"BT", &hardware::Pools::bt},
    {"FB", &hardware::Pools::fb},
};
constexpr std::size_t kBiasTable = 5, kFixpipeBuffer = 6;

PoolBytes cube_bytes(const Trace& trace, OpId id, const hardware::CubeTile& tile) {
    PoolBytes bytes(std::size(kCubePools));
    const auto matmul = trace::matmul_of(trace, id);
    if (!matmul) return bytes;
    const auto& [m, k, n] = matmul->extent;
    const hardware::MatmulExtent shortest{m.value_or(1), k.value_or(1), n.value_or(1)};
    const auto least = hardware::cube_tile_bytes(tile, shortest, matmul->form.a, matmul->form.b);
    const auto most = hardware::cube_tile_bytes(tile, matmul->extent, matmul->form.a, matmul->form.b);
    if (!least || !most) return bytes;
    constexpr std::int64_t hardware::CubeBytes::* kBytes[] = {
        &hardware::CubeBytes::l1_a,
        &hardware::CubeBytes::l1_b,
        &hardware::CubeBytes::l0a,
        &hardware::CubeBytes::l0b,
        &hardware::CubeBytes::l0c,
        &hardware::CubeBytes::bias_table,
        &hardware::CubeBytes::fixpipe_buffer,
    };
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if ((i == kBiasTable && !matmul->form.has_bias) || (i == kFixpipeBuffer && !matmul->form.has_scales)) continue;
        bytes[i] = Bytes{(*least).*kBytes[i], (*most).*kBytes[i]};
    }
    return bytes;
}

/// The one that is over in any case, else the one that may take most.
bool takes_more(const Bytes& bytes, const PoolUse& than) {
    if (!than.bytes) return true;
    const auto rank = [&](const Bytes& b) { return std::pair(b.least > than.limit ? b.least : 0, b.most); };
    return rank(bytes) > rank(*than.bytes);
}

std::optional<std::int64_t> tiles_of(const Trace& trace, const Operation& op) {
    if (op.engine == Engine::cube) return std::nullopt;
    const auto count = trace::count_tiles(trace, op);
    return count ? std::optional(count->tiles) : std::nullopt;
}

/// Written at the same place and of the same sizes.
bool same_use(const Trace& trace, OpId a, OpId b) {
    const Operation& left = trace.operations[a];
    const Operation& right = trace.operations[b];
    if (left.site != right.site || left.code != right.code) return false;
    const auto type_equal = [&](trace::TensorId l, trace::TensorId r) {
        if (l == trace::kNoTensor || r == trace::kNoTensor) return l == r;
        return trace.tensors[l].type == trace.tensors[r].type;
    };
    const auto l = trace.inputs(left), r = trace.inputs(right);
    return type_equal(left.output, right.output) && std::ranges::equal(l, r, type_equal);
}

}  // namespace

std::vector<std::int64_t> copies_by_operation(const Trace& trace, const KernelTrace& kernel,
                                              const trace::KernelCost& cost) {
    std::vector<std::int64_t> copies(kernel.end_op - kernel.first_op, 0);
    for (const trace::FunctionCost& each : cost.functions) {
        const trace::GraphFunction& function = each.function;
        const std::int64_t outside = hardware::saturating_multiply(function.bodies, function.made);
        for (const OpId id : function.operations) {
            std::int64_t& of_it = copies[id - kernel.first_op];
            if (of_it != 0) continue;  // it stands in the first function that has it
            const std::int64_t inside = trace::copies_inside(trace, function, trace.operations[id]);
            of_it = hardware::saturating_multiply(inside, outside);
        }
    }
    return copies;
}

std::vector<SettingGroup> setting_groups(const Trace& trace, const KernelTrace& kernel) {
    std::vector<SettingGroup> groups;
    for (OpId id = kernel.first_op; id < kernel.end_op; ++id) {
        const Operation& op = trace.operations[id];
        if (!runs_on_tiles(op)) continue;
        const bool cube = op.engine == Engine::cube;
        const TileId tile = cube ? op.cube_tile : op.vec_tile;
        auto at = std::ranges::find_if(groups, [&](const SettingGroup& g) {
            if (g.is_cube != cube) return false;
            return g.tiles.empty() ? tile == kNone : same_setting(trace, g.tiles.front(), tile);
        });
        if (at == groups.end()) {
            groups.push_back({{}, cube, {}});
            at = groups.end() - 1;
        }
        if (tile != kNone && std::ranges::find(at->tiles, tile) == at->tiles.end()) at->tiles.push_back(tile);
        at->operations.push_back(id);
    }
    return groups;
}

TileBudget tile_budget(const Trace& trace, const KernelTrace& kernel, const trace::KernelCost& cost,
                       std::span<const std::int64_t> all_copies, const trace::VectorMemory& memory,
                       const SettingGroup& group, const hardware::Pools& pools) {
    TileBudget result;
    result.is_cube = group.is_cube;
    if (!group.tiles.empty()) result.tile = group.tiles.front();
    const std::span<const Pool> names = group.is_cube ? std::span<const Pool>(kCubePools) : kVectorPools;
    for (const Pool& pool : names) result.pools.push_back({pool.name, pools.*pool.limit, std::nullopt, kNone});
    const auto cube =
        group.is_cube && result.tile != kNone ? trace::cube_tile_of(trace.tiles[result.tile]) : std::nullopt;
    for (const OpId id : group.operations) {
        const Operation& op = trace.operations[id];
        const std::int64_t tile_operations = cost.operations[id - kernel.first_op];
        const std::int64_t copies = all_copies[id - kernel.first_op];
        const auto same = std::ranges::find_if(result.operations,
                                               [&](const OperationUse& use) { return same_use(trace, use.op, id); });
        if (same != result.operations.end()) {
            same->copies = hardware::saturating_add(same->copies, copies);
            same->tile_operations = hardware::saturating_add(same->tile_operations, tile_operations);
            continue;
        }
        OperationUse use{id, copies, tiles_of(trace, op), tile_operations, {}};
        if (cube) {
            const auto matmul = trace::matmul_of(trace, id);
            result.refused = result.refused || (matmul && hardware::cube_problem(*cube, matmul->form, matmul->extent));
            use.bytes = cube_bytes(trace, id, *cube);
        } else {
            use.bytes.resize(names.size());
            if (const auto bytes = group.is_cube ? std::nullopt : memory.bytes(op))
                use.bytes[0] = Bytes{bytes->worst ? bytes->least : 0, bytes->most};
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!use.bytes[i] || !takes_more(*use.bytes[i], result.pools[i])) continue;
            result.pools[i].bytes = use.bytes[i];
            result.pools[i].op = id;
        }
        result.operations.push_back(std::move(use));
    }
    if (group.is_cube) {  // nothing has a bias or scales
        std::size_t pool = result.pools.size();
        while (pool-- > kBiasTable) {
            if (result.pools[pool].bytes) continue;
            result.pools.erase(result.pools.begin() + static_cast<std::ptrdiff_t>(pool));
            for (OperationUse& use : result.operations) {
                use.bytes.erase(use.bytes.begin() + static_cast<std::ptrdiff_t>(pool));
            }
        }
    }
    return result;
}

}  // namespace ptofix::budget
