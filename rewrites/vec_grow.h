// A larger vec tile, as long as every operation under it fits UB and no result changes. Numbers only; asked by the
// rewriters of tiles that are cut too fine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hardware/soc.h"
#include "trace/trace.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

/// Grows the last axis first, then the others from the right: to powers of two, or as far as the longest tensor
/// reaches. No buffer grows beyond 64 KB; an axis along which numbers are summed stays. The tile itself where nothing
/// can grow.
std::vector<std::int64_t> grown_vec_tile(const trace::Trace& trace, const trace::VectorMemory& memory,
                                         std::span<const std::int64_t> from, std::span<const trace::OpId> operations,
                                         const hardware::Pools& pools);

/// For tensors of which tiles of 64 KB are too many: as large as UB allows.
std::vector<std::int64_t> vec_tile_up_to_ub(const trace::Trace& trace, const trace::VectorMemory& memory,
                                            std::span<const std::int64_t> from, std::span<const trace::OpId> operations,
                                            const hardware::Pools& pools);

/// The same tile with a first axis of `rows`, or of the largest power of two below it that fits. nullopt: not even two.
std::optional<std::vector<std::int64_t>> with_rows(const trace::Trace& trace, const trace::VectorMemory& memory,
                                                   std::span<const std::int64_t> from, std::int64_t rows,
                                                   std::span<const trace::OpId> operations,
                                                   const hardware::Pools& pools);

/// Does one of them add up along the axis, so that another tile may give other last digits?
bool adds_up_along(const trace::Trace& trace, std::span<const trace::OpId> operations, std::size_t axis);

}  // namespace ptofix::rewrites
