// What the compiler itself checks of the vec tile in force at one operation, before it cuts anything: how many axes the
// tile has, and of what a number of it must be a multiple. Sources in the framework:
// interface/operation/tile_shape_verifier.h with the table of interface/operation/opcode.cpp (F4FFFF, in pass
// ExpandFunction), vector/sort.cpp, vector/where.cpp, vector/reduction.cpp, vector/tensor_transformation.cpp and
// operation_impl.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "trace/trace.h"

namespace ptofix::trace {

/// How many axes the tile must have.
struct CheckedRank {
    std::size_t axes = 0;
    /// Surplus axes are refused too: a transpose swaps two numbers of the tile.
    bool exactly = false;
    /// The framework's opcode that is refused: "ADD".
    std::string_view opcode;
    /// A reduction looks, when it is called, whether there is a tile at all (FC1000).
    bool reduces = false;
};
/// nullopt: the operation is not checked, is dropped, or its rank is not known.
std::optional<CheckedRank> checked_rank(const Trace& trace, const Operation& op);

/// The axes that the call has set, whatever their numbers; nullopt: not even that is known.
std::optional<std::size_t> axes_of(const TileSetting& tile);
/// May code that was not followed have set another tile between this setting and the operation?
bool may_be_another_tile(const Trace& trace, const Operation& op);
/// Was a tile set in host code, whose scope a kernel may have inherited?
bool is_vec_tile_set_by_host(const Trace& trace);

/// A tile in force that the compiler does not take for its axes, or none where one is needed.
struct RefusedRank {
    CheckedRank asked;
    std::optional<std::size_t> axes;  // of the tile in force; nullopt: none is
};
/// nullopt: it is taken, or something is not known. set_by_host: is_vec_tile_set_by_host() of the trace.
std::optional<RefusedRank> refused_rank(const Trace& trace, const Operation& op, bool set_by_host);

/// What one number of the tile must be a multiple of.
struct CheckedMultiple {
    enum class By : std::uint8_t {
        sort,            // argsort: FC1001, at the call
        bit_mask,        // where with a UINT8 condition, a bit an element: FC1001
        online_softmax,  // FC1000
        copy,            // concat copies its parts: whole blocks of 32 bytes
    } by = By::sort;
    std::size_t axis = 0;  // of the tile
    std::int64_t multiple = 1;
};
/// Under a tile of this many axes. nullopt: nothing is checked, or an axis or type is not known.
std::optional<CheckedMultiple> checked_multiple(const Trace& trace, const Operation& op, std::size_t tile_axes);

/// The first axis that the operation is cut along and for which the tile in force has 0 or less: its operands are then
/// refused as tensors of no elements (F0000A; interface/operation/operation_common.cpp, CheckTensorDynamicShape).
/// nullopt: none, or how many axes count is not known, or the number of axes is refused first.
std::optional<std::size_t> empty_axis(const Trace& trace, const Operation& op);

/// Is the operation done on tiles: on the vector core, a fill, or a copy of the parts of a concat?
bool works_on_vec_tile(const Operation& op);

/// How many times as many tiles the operation has because its tile has more axes than its tensor, and the first numbers
/// count instead of the last ones. nullopt: no surplus axes, or something is not known.
std::optional<double> tiles_by_surplus_axes(const Trace& trace, const Operation& op);
/// Four times as many, or more: then other rules leave the operation to PTO302.
bool surplus_axes_multiply(const Trace& trace, const Operation& op);

}  // namespace ptofix::trace
