// The vector operations under one call of set_vec_tile_shapes, by the numbers that it set: a call that is reached with
// several values has several groups. Asked by the rewriters of vec tiles.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "rewrites/tile_slots.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct SameNumbers {
    std::vector<trace::TileId> settings;
    std::vector<trace::OpId> operations;
};

std::map<std::vector<std::int64_t>, SameNumbers> groups_by_numbers(const trace::Trace& trace, trace::Site call);

/// The settings get these numbers.
void add_vec_changes(const SameNumbers& group, std::span<const std::int64_t> numbers, std::vector<TileChange>& changes);

/// The rewrite that makes these edits, described by `id` with `proposed`, the tile as it is shown; or what blocks them.
rules::Rewrite tile_rewrite(std::expected<TileEdits, rules::Blocked> edits, std::string_view id,
                            std::span<const std::int64_t> proposed);

}  // namespace ptofix::rewrites
