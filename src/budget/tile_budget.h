// One tile setting of a kernel: bytes in each memory, by operation.
#pragma once

#include "budget/budget.h"
#include "trace/vector_buffers.h"

namespace ptofix::budget {

/// The settings of one call that have the same numbers, and what ran under them. Nothing under it: no tile was set.
struct SettingGroup {
    std::vector<trace::TileId> tiles;
    bool is_cube = false;
    std::vector<trace::OpId> operations;
};

/// Those under which something of the kernel ran on tiles.
std::vector<SettingGroup> setting_groups(const trace::Trace& trace, const trace::KernelTrace& kernel);

TileBudget tile_budget(const trace::Trace& trace, const trace::KernelTrace& kernel, const trace::KernelCost& cost,
                       const trace::VectorMemory& memory, const SettingGroup& group, const hardware::Pools& pools);

}  // namespace ptofix::budget
