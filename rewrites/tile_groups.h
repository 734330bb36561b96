// The vector operations under one call of set_vec_tile_shapes, by the numbers that it set: a call that is reached with several
// values has several groups. Asked by the rewriters of vec tiles.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace/trace.h"

namespace ptofix::rewrites {

struct SameNumbers {
    std::vector<trace::TileId> settings;
    std::vector<trace::OpId> operations;
};

std::map<std::vector<std::int64_t>, SameNumbers> groups_by_numbers(const trace::Trace& trace, trace::Site call);

}  // namespace ptofix::rewrites
