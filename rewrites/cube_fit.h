// The cube tile nearest to a given one that PyPTO takes and that fits the cube core's memories, for all matmuls that
// run under it. Numbers only; asked by the rewriter of cube tiles.
#pragma once

#include <cstdint>
#include <expected>
#include <span>

#include "hardware/soc.h"
#include "hardware/tile.h"
#include "trace/matmul.h"

namespace ptofix::rewrites {

enum class NoCubeTile : std::uint8_t {
    k_too_short,  // K has no multiple of 16 in it: it must be padded
    none,
};

struct CubeFitOptions {
    bool bound_l1 = false;                  // kL1 by the K table also where it fits L1
    std::int64_t longest_k_l1 = INT64_MAX;  // where it is bound: no more than this
    bool one_k_l1 = true;                   // the list of k has two numbers: kAL1 and kBL1 are one
    bool keep_k_l0 = false;                 // a tiny kL0 stays, as in the form that the experience notes give
};

/// Numbers of 0 or less are filled in; what need not change stays. Swapped pairs are put in order; a kL1 that is the
/// quotient K / kL0 becomes K.
std::expected<hardware::CubeTile, NoCubeTile> nearest_cube_tile(const hardware::CubeTile& from,
                                                                std::span<const trace::Matmul> matmuls,
                                                                const hardware::Pools& pools,
                                                                const CubeFitOptions& options = {});

/// Does the compiler take the tile for all of these, and do the buffers fit? An unknown extent clips nothing, an
/// unknown type counts as the widest.
bool takes_cube_tile(const hardware::CubeTile& tile, std::span<const trace::Matmul> matmuls,
                     const hardware::Pools& pools);

}  // namespace ptofix::rewrites
