// How many tile operations the compiler makes of a recorded operation: copies in, the work on each tile, copies out, as
// its pass ExpandFunction makes them. Compile time follows this number. compile_cost.h adds up whole kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "trace/trace.h"

namespace ptofix::trace {

/// In how many tiles the vec tile cuts this shape: ceil(dim / tile) by axis, multiplied. Surplus tile axes count for
/// nothing, the first ones do. nullopt: a dim or the tile is not known, or the tile has too few axes.
std::optional<std::int64_t> tile_count(const Trace& trace, TileId vec_tile, const TensorType& type);

/// The tensor that an operation's tiles cut: a reduction's operand, any other operation's result.
TensorId cut_tensor(const Trace& trace, const Operation& op);

struct TileCount {
    std::int64_t tiles = 0, inputs = 0;
    /// tiles x (1 + inputs): the count that the framework's documentation bounds.
    std::int64_t product() const;
};
/// Of a vector operation or a fill whose shape and vec tile are known; nullopt for anything else.
std::optional<TileCount> count_tiles(const Trace& trace, const Operation& op);

/// Of one copy of the operation alone, with the casts around 16-bit arithmetic; nullopt where shapes or tiles are not
/// known.
std::optional<std::int64_t> tile_operations(const Trace& trace, const Operation& op);

/// The same without these casts: operations that follow each other share them.
std::optional<std::int64_t> expanded_operations(const Trace& trace, const Operation& op);

/// Does the compiler's AutoCast pass put casts to FP32 around this operation for operands and results of this type?
bool has_casts_around(const Operation& op, hardware::DType dtype);

/// A cast of this tensor to FP32 or back, put beside `op`. The pass that puts it there takes the last axes of a tile
/// that has more axes than the tensor; elsewhere the first ones count.
std::optional<std::int64_t> inserted_cast(const Trace& trace, const Operation& op, TensorId tensor);

/// Copy in, one operation, copy out for each tile of `shape`.
std::optional<std::int64_t> copy_of(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape);

/// A cast to the type that the operand has: the framework gives the operand itself back.
bool is_free_cast(const Trace& trace, const Operation& op);

/// Does a reshape of this shape into that one leave a part of a tensor where it lies? (It adds or drops leading axes of
/// one element, or folds all but the first axis.) Any other reshape of a part copies it first.
bool reshapes_in_place(std::span<const SymInt> from, std::span<const SymInt> to);

}  // namespace ptofix::trace
