// Bytes back to shapes: what a buffer of this size may be, for each element type, when nothing tells more.
#pragma once

#include <cstdint>
#include <vector>

#include "diagnose/log.h"
#include "diagnose/verdict.h"

namespace ptofix::diagnose {

/// What the log prints of the buffer, where it has as many bytes; else for FP32, 16-bit and 8-bit types the shape that
/// kernels most often have.
std::vector<ShapeGuess> shapes_of(const PoolOverflow& overflow);

/// rows x columns with as many elements: columns a power of two if there is one, up to what a tile's row has.
std::vector<std::int64_t> likely_shape(std::int64_t elements);

}  // namespace ptofix::diagnose
