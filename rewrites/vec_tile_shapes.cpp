// PTO101: writes a smaller vec tile, for every operation that runs under the same call, whatever values it was reached
// with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "rewrites/loop_checks.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_sharing.h"
#include "rewrites/tile_slots.h"
#include "rewrites/vec_fit.h"
#include "trace/project.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using rules::Fix;
using rules::Rewrite;
using trace::OpId;
using trace::TileId;
using trace::Trace;
using Number = std::int64_t;

/// The operations on tiles under one call, by the numbers that it set.
struct SameNumbers {
    std::vector<TileId> settings;
    std::vector<OpId> operations;
};

std::map<std::vector<Number>, SameNumbers> by_numbers(const Trace& trace, trace::Site call) {
    std::map<std::vector<Number>, SameNumbers> groups;
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

}  // namespace

Rewrite vec_tile_shapes(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto* evidence = std::get_if<rules::VecTileEvidence>(&finding.evidence);
    if (evidence == nullptr) return {};
    if (!evidence->shape_known) {
        rules::Rewrite rewrite;
        rewrite.blocked = rules::Blocked{{"PTO101.blocked.shape_unknown", {}}, std::nullopt};
        return rewrite;
    }
    const trace::Site call = trace.tiles[evidence->setting].call;
    const trace::VectorMemory memory(trace, settings.soc);
    Rewrite rewrite;
    std::vector<TileChange> changes;
    std::vector<Number> shown;
    const Number limit = hardware::pools(settings.soc).ub;
    for (const auto& [numbers, group] : by_numbers(trace, call)) {
        const bool overflows = std::ranges::any_of(group.operations, [&](OpId id) {
            const auto bytes = memory.bytes(trace.operations[id]);
            return bytes && bytes->worst && bytes->least > limit;
        });
        if (!overflows) continue;  // numbers that are fine stay
        const auto fitted = fitting_vec_tile(trace, memory, numbers, group.operations, hardware::pools(settings.soc));
        const bool own = std::ranges::find(group.settings, evidence->setting) != group.settings.end();
        if (!fitted && own) {
            rewrite.blocked = blocked_at(trace, "PTO101.blocked.no_tile", call);
            return rewrite;
        }
        if (own) shown = *fitted;
        // What cannot be helped by a tile is left as it is.
        const std::vector<Number>& wanted = fitted ? *fitted : numbers;
        for (const TileId id : group.settings) {
            for (std::uint32_t i = 0; i < wanted.size(); ++i) {
                changes.push_back({{TileSlot::List::vec, id, i}, wanted[i]});
            }
        }
    }
    auto edits = edit_shared_tiles(trace, changes, settings.soc);
    if (!edits) {
        rewrite.blocked = std::move(edits.error());
        return rewrite;
    }
    Fix fix;
    fix.description.id = "PTO101.fix.tile";
    fix.description.data.set("proposed", fmt::format("({})", fmt::join(shown, ", ")));
    fix.edits = std::move(edits->edits);
    fix.read_as = std::move(edits->read_as);
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
