// The vec tile nearest to a given one under which every operation fits UB. Numbers only; asked by the rewriter of vec
// tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hardware/soc.h"
#include "trace/trace.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

/// Leading axes shrink to powers of two, the first one first, until the largest buffer is at most 64 KB and the buffers
/// of every operation fit; the last axis stays unless nothing else helps. Axes that an operation must not split stay. A
/// shape that is not known clips nothing. nullopt: no tile fits.
std::optional<std::vector<std::int64_t>> fitting_vec_tile(const trace::Trace& trace, const trace::VectorMemory& memory,
                                                          std::span<const std::int64_t> from,
                                                          std::span<const trace::OpId> operations,
                                                          const hardware::Pools& pools);

/// May operations that run under `from` run under `to`: does what fits still fit, and does no axis change that one of
/// them must see as a whole?
bool may_become(const trace::Trace& trace, const trace::VectorMemory& memory, std::span<const std::int64_t> from,
                std::span<const std::int64_t> to, std::span<const trace::OpId> operations,
                const hardware::Pools& pools);

}  // namespace ptofix::rewrites
