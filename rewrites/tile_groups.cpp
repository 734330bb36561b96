#include "rewrites/tile_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

using trace::OpId;
using trace::TileId;
using trace::Trace;

std::map<std::vector<std::int64_t>, SameNumbers> groups_by_numbers(const Trace& trace, trace::Site call) {
    std::map<std::vector<std::int64_t>, SameNumbers> groups;
    for (TileId id = 0; id < trace.tiles.size(); ++id) {
        if (trace.tiles[id].call != call) continue;
        if (const auto numbers = trace::known_tile(trace, id)) groups[*numbers].settings.push_back(id);
    }
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const trace::Operation& op = trace.operations[id];
        const bool on_tiles = op.engine == trace::Engine::vector || op.engine == trace::Engine::create;
        if (!on_tiles || op.vec_tile == trace::kNone || trace.tiles[op.vec_tile].call != call) continue;
        if (const auto numbers = trace::known_tile(trace, op.vec_tile)) groups[*numbers].operations.push_back(id);
    }
    return groups;
}

void add_vec_changes(const SameNumbers& group, std::span<const std::int64_t> numbers,
                     std::vector<TileChange>& changes) {
    for (const TileId id : group.settings) {
        for (std::uint32_t i = 0; i < numbers.size(); ++i) {
            changes.push_back({{TileSlot::List::vec, id, i}, numbers[i]});
        }
    }
}

rules::Rewrite tile_rewrite(std::expected<TileEdits, rules::Blocked> edits, std::string_view id,
                            std::span<const std::int64_t> proposed) {
    rules::Rewrite rewrite;
    if (!edits) {
        rewrite.blocked = std::move(edits.error());
        return rewrite;
    }
    rules::Fix fix;
    fix.description.id = id;
    fix.description.data.set("proposed", fmt::format("({})", fmt::join(proposed, ", ")));
    fix.edits = std::move(edits->edits);
    fix.read_as = std::move(edits->read_as);
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
