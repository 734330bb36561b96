#include "hardware/cube_cost.h"

#include <algorithm>

namespace ptofix::hardware {

namespace {

// By steps of kL0: A to L0A, B to L0B, multiply; by steps of kAL1 and kBL1: A or B from GM; at last the copy out.
constexpr std::int64_t kPerInnerStep = 3;
constexpr std::int64_t kPerInnerStepScaled = 5;  // with the scales of A and B
constexpr std::int64_t kPerOuterStep = 1;
constexpr std::int64_t kPerOuterStepScaled = 2;
constexpr std::int64_t kPerBlock = 1;
constexpr std::int64_t kBlockOperand = 2;  // GM to L1 to its table

}  // namespace

std::int64_t cube_tile_operations(const CubeTile& tile, const CubeWork& work) {
    if (std::min({tile.m_l0, tile.n_l0, tile.k_l0, tile.k_a_l1, tile.k_b_l1}) <= 0) return INT64_MAX;
    const std::int64_t outer = saturating_add(ceil_div(work.k, tile.k_a_l1), ceil_div(work.k, tile.k_b_l1));
    std::int64_t each = kPerBlock + work.block_operands * kBlockOperand;
    each = saturating_add(
        each, saturating_multiply(work.scaled ? kPerInnerStepScaled : kPerInnerStep, ceil_div(work.k, tile.k_l0)));
    each = saturating_add(each, saturating_multiply(work.scaled ? kPerOuterStepScaled : kPerOuterStep, outer));
    return saturating_multiply(saturating_multiply(ceil_div(work.m, tile.m_l0), ceil_div(work.n, tile.n_l0)), each);
}

}  // namespace ptofix::hardware
