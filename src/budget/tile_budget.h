// One tile setting of a kernel: bytes in each memory, by operation.
#pragma once

#include <span>
#include <vector>

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

/// How often the compiler's graph has each operation of the kernel; 0: it is left out.
std::vector<std::int64_t> copies_by_operation(const trace::Trace& trace, const trace::KernelTrace& kernel,
                                              const trace::KernelCost& cost);

/// `copies`: copies_by_operation() of the kernel.
TileBudget tile_budget(const trace::Trace& trace, const trace::KernelTrace& kernel, const trace::KernelCost& cost,
                       std::span<const std::int64_t> copies, const trace::VectorMemory& memory,
                       const SettingGroup& group, const hardware::Pools& pools);

}  // namespace ptofix::budget
