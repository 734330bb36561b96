#include "budget/room.h"

#include <algorithm>
#include <utility>

#include "rewrites/cube_fit.h"
#include "rewrites/vec_fit.h"
#include "rewrites/vec_grow.h"
#include "trace/matmul.h"

namespace ptofix::budget {

namespace {

using trace::KernelTrace;
using trace::TileId;
using trace::TileSetting;
using trace::Trace;
using Number = std::int64_t;

/// Sets other numbers for as long as it lives.
class ForAMoment {
  public:
    ForAMoment(Trace& trace, const SettingGroup& group) : trace_(trace), tiles_(group.tiles) {
        for (const TileId tile : tiles_) before_.push_back(trace.tiles[tile]);
    }
    ~ForAMoment() {
        for (std::size_t i = 0; i < tiles_.size(); ++i) trace_.tiles[tiles_[i]] = std::move(before_[i]);
    }
    ForAMoment(const ForAMoment&) = delete;
    ForAMoment& operator=(const ForAMoment&) = delete;

    void set(const std::vector<Number>& vec) {
        for (const TileId tile : tiles_) {
            TileSetting& setting = trace_.tiles[tile];
            setting.vec.clear();
            for (const Number number : vec) setting.vec.push_back(trace::Value::integer(number));
        }
    }
    void set(const hardware::CubeTile& cube) {
        for (const TileId tile : tiles_) {
            TileSetting& setting = trace_.tiles[tile];
            setting.m[0] = trace::Value::integer(cube.m_l0);
            setting.m[1] = trace::Value::integer(cube.m_l1);
            setting.k[0] = trace::Value::integer(cube.k_l0);
            setting.k[1] = trace::Value::integer(cube.k_a_l1);
            setting.k[2] = trace::Value::integer(cube.k_b_l1);
            setting.n[0] = trace::Value::integer(cube.n_l0);
            setting.n[1] = trace::Value::integer(cube.n_l1);
        }
    }

  private:
    Trace& trace_;
    const std::vector<TileId>& tiles_;
    std::vector<TileSetting> before_;
};

std::optional<OtherTile> other_vec(const Trace& trace, const trace::VectorMemory& memory, const SettingGroup& group,
                                   const TileBudget& budget, const hardware::Pools& pools) {
    const auto now = trace::known_tile(trace, budget.tile);
    if (!now) return std::nullopt;
    OtherTile other;
    other.needed = std::ranges::any_of(budget.pools, &PoolUse::overflows);
    other.to_be_sure = !other.needed && std::ranges::any_of(budget.pools, &PoolUse::may_overflow);
    if (other.needed || other.to_be_sure) {
        const auto fitting = rewrites::fitting_vec_tile(trace, memory, *now, group.operations, pools);
        if (!fitting) return std::nullopt;
        other.vec = *fitting;
    } else {
        other.vec = rewrites::grown_vec_tile(trace, memory, *now, group.operations, pools);
    }
    return other.vec == *now ? std::nullopt : std::optional(std::move(other));
}

std::optional<OtherTile> other_cube(const Trace& trace, const SettingGroup& group, const TileBudget& budget,
                                    const hardware::Pools& pools) {
    if (!budget.refused && std::ranges::none_of(budget.pools, &PoolUse::may_overflow)) return std::nullopt;
    const auto now = trace::cube_tile_of(trace.tiles[budget.tile]);
    if (!now) return std::nullopt;
    std::vector<trace::Matmul> matmuls;
    for (const trace::OpId id : group.operations) {
        if (const auto matmul = trace::matmul_of(trace, id)) matmuls.push_back(*matmul);
    }
    const auto fitting = rewrites::nearest_cube_tile(*now, matmuls, pools);
    if (!fitting || *fitting == *now) return std::nullopt;
    OtherTile other;
    other.needed = budget.refused || std::ranges::any_of(budget.pools, &PoolUse::overflows);
    other.to_be_sure = !other.needed;
    other.cube = *fitting;
    return other;
}

}  // namespace

std::optional<OtherTile> other_tile(Trace& trace, const KernelTrace& kernel, const trace::KernelCost& cost,
                                    const trace::VectorMemory& memory, const SettingGroup& group,
                                    const TileBudget& budget, const hardware::Pools& pools) {
    if (budget.tile == trace::kNone) return std::nullopt;
    auto other =
        budget.is_cube ? other_cube(trace, group, budget, pools) : other_vec(trace, memory, group, budget, pools);
    if (!other) return std::nullopt;
    ForAMoment moment(trace, group);
    other->cube ? moment.set(*other->cube) : moment.set(other->vec);
    other->kernel_tile_operations = trace::compile_cost(trace, kernel).total;
    const bool gains = other->needed || other->to_be_sure || other->kernel_tile_operations < cost.total;
    return gains ? other : std::nullopt;
}

}  // namespace ptofix::budget
