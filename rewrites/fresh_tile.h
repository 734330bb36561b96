// A vec tile for operations that have none, or one of another number of axes. Numbers only; asked by the rewriters that
// insert or extend a tile call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hardware/soc.h"
#include "trace/trace.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

/// How many axes the operation wants its tile to have: what the compiler checks, else those of what its tiles cut. 0:
/// not known.
std::size_t wanted_axes(const trace::Trace& trace, const trace::Operation& op);

/// `axes` numbers that end with `tail` (it may be empty): the others as long as the longest tensor, then shrunk, the
/// first one first, until a buffer is at most 64 KB and every operation fits UB. What an operation checks is rounded
/// up. nullopt: none fits.
std::optional<std::vector<std::int64_t>> fresh_vec_tile(const trace::Trace& trace, const trace::VectorMemory& memory,
                                                        std::size_t axes, std::span<const std::int64_t> tail,
                                                        std::span<const trace::OpId> operations,
                                                        const hardware::Pools& pools);

}  // namespace ptofix::rewrites
