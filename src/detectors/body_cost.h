// What one copy of a device loop's body costs to compile, and how often the loops around it copy the whole loop. Used
// by the rules about unrolling.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/trace.h"

namespace ptofix::detectors {

/// Tile operations of one copy of the body, loops inside multiplied. An operation of unknown size counts 1 and a loop
/// of unknown trips one trip, so the number is a lower bound where the trace does not know all. nullopt: no operation
/// is known.
std::optional<std::int64_t> body_tile_operations(const trace::Trace& trace, trace::LoopId loop);

/// Copies of the loop that Python loops and unroll lists around it make; what is unknown counts 1.
std::int64_t copies_around(const trace::Trace& trace, trace::LoopId loop);

}  // namespace ptofix::detectors
