// Is a loop the one that PTO203 is about: a pypto.loop that is given a single unroll factor and has a heavy body? Asked
// by the other rules about unroll lists, which leave it alone.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/trace.h"

namespace ptofix::detectors {

struct HeavyUnroll {
    std::int64_t factor = 0;
    std::int64_t matmuls = 0, vector_operations = 0;  // of one copy of the body
};

std::optional<HeavyUnroll> heavy_unroll(const trace::Trace& trace, trace::LoopId loop);

}  // namespace ptofix::detectors
