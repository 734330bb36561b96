// PTO101: writes a smaller vec tile, for every operation that runs under the same call, whatever values it was reached
// with.
#include <algorithm>
#include <optional>
#include <vector>

#include "rewrites/loop_checks.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_groups.h"
#include "rewrites/tile_sharing.h"
#include "rewrites/tile_slots.h"
#include "rewrites/vec_fit.h"
#include "trace/project.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

using rules::Rewrite;
using trace::OpId;
using trace::Trace;
using Number = std::int64_t;

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
    for (const auto& [numbers, group] : groups_by_numbers(trace, call)) {
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
        add_vec_changes(group, wanted, changes);
    }
    return tile_rewrite(edit_shared_tiles(trace, changes, settings.soc), "PTO101.fix.tile", shown);
}

}  // namespace ptofix::rewrites
