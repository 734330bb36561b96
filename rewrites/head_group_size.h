// How many heads of a batched matmul may be computed at a time. Facts for head_grouping.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rules/evidence.h"
#include "trace/axis_flow.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// The seed's formula, UB / (M x N x size of an element), then lowered until every vector operation that takes the
/// result fits: the largest multiple of 16 that divides the heads, else the largest multiple of 16, else the largest
/// divisor of the heads. nullopt: one head at a time does not fit.
std::optional<std::int64_t> heads_per_group(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence,
                                            std::span<const trace::AxisUse> uses);

/// The largest extent of the tile's head axis, a power of two below what it is, under which these operations fit;
/// nullopt: not even 1.
std::optional<std::int64_t> heads_per_tile(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence,
                                           std::span<const trace::AxisUse> uses, trace::TileId tile, int axis);

}  // namespace ptofix::rewrites
