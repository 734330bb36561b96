// PTO301: rounds a number of a vec tile up to the multiple that an operation under it asks for, puts the length of the
// axis where it is 0 or less, and takes leading axes down where UB would not hold the longer tail.
#include <algorithm>
#include <optional>
#include <vector>

#include "hardware/tile.h"
#include "rewrites/loop_checks.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_groups.h"
#include "rewrites/tile_sharing.h"
#include "rewrites/tile_slots.h"
#include "rewrites/vec_fit.h"
#include "rewrites/vec_grow.h"
#include "rewrites/vec_trial.h"
#include "trace/project.h"
#include "trace/tile_checks.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using rules::Rewrite;
using trace::OpId;
using trace::Trace;
using Number = std::int64_t;
using Numbers = std::vector<Number>;

/// Every number that is checked, rounded up.
Numbers rounded(const Trace& trace, Numbers tile, std::span<const OpId> operations) {
    for (const OpId id : operations) {
        const auto checked = trace::checked_multiple(trace, trace.operations[id], tile.size());
        if (checked) tile[checked->axis] = hardware::round_up(tile[checked->axis], checked->multiple);
    }
    return tile;
}

// Of an axis whose length is not known: the experience notes start with tiles of 16 to 64 rows and columns.
constexpr Number kUsual = 64;

bool is_empty(Number number) {
    return number <= 0;
}

/// The whole axis where there is 0 or less.
Numbers filled(const VecTrial& trial, Numbers tile) {
    for (std::size_t axis = 0; axis < tile.size(); ++axis) {
        if (is_empty(tile[axis])) tile[axis] = std::max(trial.longest(axis).value_or(kUsual), Number{1});
    }
    return tile;
}

bool fits(const Trace& trace, const trace::VectorMemory& memory, const Numbers& tile, std::span<const OpId> operations,
          Number limit) {
    return std::ranges::all_of(operations, [&](OpId id) {
        const auto bytes =
            memory.bytes(trace.operations[id], tile, [&](trace::TensorId t) { return trace::known_shape(trace, t); });
        return bytes && bytes->most <= limit;
    });
}

}  // namespace

Rewrite tail_multiple(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto& evidence = std::get<rules::TileTailEvidence>(finding.evidence);
    const trace::Site call = trace.tiles[evidence.setting].call;
    const trace::VectorMemory memory(trace, settings.soc);
    const hardware::Pools& pools = hardware::pools(settings.soc);
    Rewrite rewrite;
    if (!trace::known_tile(trace, evidence.setting)) {
        rewrite.blocked = blocked_at(trace, "PTO301.blocked.tile_unknown", call);
        return rewrite;
    }
    std::vector<TileChange> changes;
    Numbers shown;
    for (const auto& [numbers, group] : groups_by_numbers(trace, call)) {
        const bool own = std::ranges::find(group.settings, evidence.setting) != group.settings.end();
        Numbers wanted = numbers;
        std::vector<OpId> operations = group.operations;
        for (OpId id = 0; id < trace.operations.size(); ++id) {  // also the copies of a concat
            const trace::Operation& op = trace.operations[id];
            if (trace::works_on_vec_tile(op) &&
                std::ranges::find(group.settings, op.vec_tile) != group.settings.end() &&
                std::ranges::find(operations, id) == operations.end()) {
                operations.push_back(id);
            }
        }
        const bool empty = std::ranges::any_of(numbers, is_empty);
        if (evidence.refused) {
            wanted = rounded(trace, filled({trace, memory, operations, pools}, numbers), operations);
        } else if (evidence.axis < wanted.size()) {
            wanted[evidence.axis] = hardware::round_up(wanted[evidence.axis], evidence.multiple);
            if (own && adds_up_along(trace, operations, evidence.axis)) {
                rewrite.blocked = blocked_at(trace, "blocked.adds_up", call);
                return rewrite;
            }
        }
        if (wanted != numbers && (empty || !fits(trace, memory, wanted, operations, pools.ub))) {
            const auto fitted = fitting_vec_tile(trace, memory, wanted, operations, pools);
            if (!fitted || rounded(trace, *fitted, operations) != *fitted) {
                if (!own) continue;
                rewrite.blocked =
                    blocked_at(trace, empty ? "PTO301.blocked.no_tile_above_0" : "PTO301.blocked.no_tile", call);
                if (!empty) rewrite.blocked->reason.data.set("multiple", evidence.multiple);
                return rewrite;
            }
            wanted = *fitted;
        }
        if (own) shown = wanted;
        add_vec_changes(group, wanted, changes);
    }
    return tile_rewrite(edit_shared_tiles(trace, changes, settings.soc), "PTO301.fix.tile", shown);
}

}  // namespace ptofix::rewrites
