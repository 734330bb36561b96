// A call of set_vec_tile_shapes put in front of the statement that needs another vec tile, and, where code behind it
// still needs the old one, one behind it that puts that back.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "hardware/soc.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct TileInsertion {
    std::vector<rules::FileEdit> edits;
    std::vector<std::int64_t> tile;
    std::vector<trace::OpId> under_it;
};

/// For `operation` and those next to it that need a tile of as many axes.
std::expected<TileInsertion, rules::Blocked> insert_vec_tile(const trace::Trace& trace, trace::OpId operation,
                                                             hardware::Soc soc);

/// The operations under the same call of set_vec_tile_shapes as this one, whatever numbers it set; under none in the
/// same kernel, where none is set.
std::vector<trace::OpId> operations_of_same_tile(const trace::Trace& trace, trace::OpId operation);

/// How the file calls set_vec_tile_shapes at this place; an import that it needs is added to `edits`.
std::string tile_callee(const trace::Trace& trace, trace::Site at, std::vector<rules::FileEdit>& edits);

}  // namespace ptofix::rewrites
