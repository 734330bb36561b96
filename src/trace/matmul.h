// A recorded matmul as the rules of cube tiles see it: its extent, its types and layouts, and the matmuls that stand
// under one tile setting. Used by detectors and rewriters of cube tiles.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "hardware/cube_check.h"
#include "hardware/tile.h"
#include "trace/trace.h"

namespace ptofix::trace {

struct Matmul {
    OpId op = kNone;
    hardware::MatmulForm form;
    hardware::MatmulExtent extent;  // of one batch
    bool operator==(const Matmul&) const = default;
};

/// nullopt: no matmul (a convolution has tiles of its own).
std::optional<Matmul> matmul_of(const Trace& trace, OpId op);

/// The numbers of a cube tile, all known, or nullopt. m_l1 and the like are what stands there, also where it is wrong.
std::optional<hardware::CubeTile> cube_tile_of(const TileSetting& setting);

/// A tile call with everything that was computed under it, whatever numbers it set.
struct CubeTileCall {
    Site call;
    struct Setting {
        TileId tile = kNone;
        std::vector<Matmul> matmuls;  // different ones: copies of a loop body count once
    };
    std::vector<Setting> settings;
};

/// Every set_cube_tile_shapes call under which a matmul was recorded, in the order of the trace.
std::vector<CubeTileCall> cube_tile_calls(const Trace& trace);

}  // namespace ptofix::trace
