// PTO206: the largest vec tile with which every operation under it fits UB.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "hardware/tile.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_groups.h"
#include "rewrites/tile_slots.h"
#include "rewrites/unroll_users.h"
#include "rewrites/vec_grow.h"
#include "trace/project.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using rules::Rewrite;
using trace::OpId;
using trace::Trace;
using Number = std::int64_t;

Number tiles_of(const Trace& trace, const rules::TileCountEvidence& evidence, std::span<const Number> tile) {
    const auto shape = trace::known_shape(trace, trace::cut_tensor(trace, trace.operations[evidence.operation]));
    return shape ? hardware::vec_tile_count(tile, *shape).value_or(evidence.tiles) : evidence.tiles;
}

bool explodes(const Trace& trace, OpId id) {
    const auto count = trace::count_tiles(trace, trace.operations[id]);
    return count && count->product() > rules::kMostTileOperations;
}

bool explodes_under(const Trace& trace, OpId id, std::span<const Number> tile) {
    const trace::Operation& op = trace.operations[id];
    const auto now = trace::count_tiles(trace, op);
    const auto shape = now ? trace::known_shape(trace, trace::cut_tensor(trace, op)) : std::nullopt;
    const auto tiles = shape ? hardware::vec_tile_count(tile, *shape) : std::nullopt;
    return tiles && *tiles > rules::kMostTileOperations / (now->inputs + 1);
}

}  // namespace

Rewrite larger_tile(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto& evidence = std::get<rules::TileCountEvidence>(finding.evidence);
    const trace::Site call = trace.tiles[evidence.setting].call;
    const trace::VectorMemory memory(trace, settings.soc);
    Rewrite rewrite;
    std::vector<TileChange> changes;
    std::vector<Number> own;
    for (const auto& [numbers, group] : groups_by_numbers(trace, call)) {
        const bool wanted_here = std::ranges::any_of(group.operations, [&](OpId id) { return explodes(trace, id); });
        const hardware::Pools& pools = hardware::pools(settings.soc);
        auto grown = wanted_here ? grown_vec_tile(trace, memory, numbers, group.operations, pools) : numbers;
        const auto too_many = [&](std::span<const Number> tile) {
            return std::ranges::any_of(group.operations, [&](OpId id) { return explodes_under(trace, id, tile); });
        };
        if (wanted_here && too_many(grown)) {
            grown = vec_tile_up_to_ub(trace, memory, numbers, group.operations, pools);
        }
        if (std::ranges::find(group.settings, evidence.setting) != group.settings.end()) own = grown;
        add_vec_changes(group, grown, changes);
    }
    const std::string shown = fmt::format("({})", fmt::join(own, ", "));
    const Number tiles = tiles_of(trace, evidence, own);
    if (tiles * (evidence.inputs + 1) > rules::kMostTileOperations) {
        rules::Blocked blocked{{"PTO206.blocked.no_tile", {}}, location_of_node(trace, call)};
        blocked.reason.data.set("proposed", shown)
            .set("tile_operations", tiles * (evidence.inputs + 1))
            .set("limit", rules::kMostTileOperations);
        rewrite.blocked = std::move(blocked);
        return rewrite;
    }
    rewrite = tile_rewrite(edit_tiles(trace, changes), "PTO206.fix.tile", own);
    if (rewrite.fix) rewrite.fix->description.data.set("tiles", tiles);
    return rewrite;
}

}  // namespace ptofix::rewrites
