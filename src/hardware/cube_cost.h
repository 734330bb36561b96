// How many tile operations the compiler makes of one matmul of a batch under a cube tile, as its pass ExpandFunction
// makes them: compile time follows this number. Asked by the estimate of a trace and by what looks for a cube tile.
// Source: interface/operation/cube_operation_impl.cpp in the framework, held against its own counts.
#pragma once

#include <cstdint>

#include "hardware/tile.h"

namespace ptofix::hardware {

struct CubeWork {
    std::int64_t m = 0, k = 0, n = 0;
    bool scaled = false;     // scaled_mm
    int block_operands = 0;  // a bias, a vector of scales
};

/// Saturates; INT64_MAX for a tile that is not positive.
std::int64_t cube_tile_operations(const CubeTile& tile, const CubeWork& work);

}  // namespace ptofix::hardware
