// What other tile would fit in the place of one that is set, and what the kernel would then cost to compile.
#pragma once

#include <optional>

#include "budget/tile_budget.h"

namespace ptofix::budget {

/// nullopt: the tile is as large as it can be, or nothing is known that fits.
std::optional<OtherTile> other_tile(trace::Trace& trace, const trace::KernelTrace& kernel,
                                    const trace::KernelCost& cost, const trace::VectorMemory& memory,
                                    const SettingGroup& group, const TileBudget& budget, const hardware::Pools& pools);

}  // namespace ptofix::budget
