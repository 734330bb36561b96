// How many tile operations the compiler makes of a recorded operation: copies in, the work on each tile, copies out.
// Compile time follows this number. Used by detectors that weigh what a kernel costs to compile.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/trace.h"

namespace ptofix::trace {

/// In how many tiles the vec tile cuts this shape: ceil(dim / tile) by axis, multiplied. Surplus tile axes count for
/// nothing, the first ones do. nullopt: a dim or the tile is not known, or the tile has too few axes.
std::optional<std::int64_t> tile_count(const Trace& trace, TileId vec_tile, const TensorType& type);

/// Of one copy of the operation; nullopt where shapes or tiles are not known.
std::optional<std::int64_t> tile_operations(const Trace& trace, const Operation& op);

}  // namespace ptofix::trace
