// PTO204: more rows a tile and fewer copies of the body, each changed where it is written.
#include <algorithm>
#include <optional>
#include <vector>

#include "rewrites/copied_state.h"
#include "rewrites/literal.h"
#include "rewrites/number_list.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_groups.h"
#include "rewrites/tile_slots.h"
#include "rewrites/unroll_users.h"
#include "rewrites/vec_grow.h"
#include "trace/project.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using rules::Fix;
using rules::Rewrite;
using trace::Trace;
using Number = std::int64_t;

// The list that the reports went down to.
const std::vector<Number> kProposedList{2, 1};

struct Raised {
    std::vector<TileChange> changes;
    Number rows = 0;
};

/// More rows for each of the thin settings; none where one of them has no room for two.
std::optional<Raised> raised_tiles(const Trace& trace, const rules::ThinTileEvidence& evidence,
                                   const Settings& settings, std::optional<rules::Blocked>& blocked) {
    const trace::VectorMemory memory(trace, settings.soc);
    Raised raised{{}, evidence.first_axis};
    std::vector<trace::Site> calls;
    for (const std::uint32_t setting : evidence.settings) {
        const trace::Site call = trace.tiles[setting].call;
        if (std::ranges::find(calls, call) == calls.end()) calls.push_back(call);
    }
    for (const trace::Site call : calls) {
        for (const auto& [numbers, group] : groups_by_numbers(trace, call)) {
            const bool thin = std::ranges::any_of(group.settings, [&](trace::TileId id) {
                return std::ranges::find(evidence.settings, id) != evidence.settings.end();
            });
            auto wanted = numbers;
            if (thin) {
                const auto rows = with_rows(trace, memory, numbers, evidence.first_axis, group.operations,
                                            hardware::pools(settings.soc));
                if (!rows) {
                    const bool sums = adds_up_along(trace, group.operations, 0);
                    const char* reason = sums ? "PTO204.blocked.sum" : "PTO204.blocked.no_room";
                    blocked = rules::Blocked{{reason, {}}, location_of_node(trace, call)};
                    return std::nullopt;
                }
                wanted = *rows;
                raised.rows = std::min(raised.rows, wanted[0]);
            }
            add_vec_changes(group, wanted, raised.changes);
        }
    }
    return raised;
}

}  // namespace

Rewrite thin_tile(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto& evidence = std::get<rules::ThinTileEvidence>(finding.evidence);
    Rewrite rewrite;
    Fix fix;
    bool tile = false;
    if (const auto raised = raised_tiles(trace, evidence, settings, rewrite.blocked)) {
        if (auto edits = edit_tiles(trace, raised->changes)) {
            fix.edits = std::move(edits->edits);
            fix.read_as = std::move(edits->read_as);
            fix.description.data.set("rows", raised->rows);
            tile = true;
        } else {
            rewrite.blocked = std::move(edits.error());
        }
    }
    const auto list = NumberList::read(trace, trace.loops[evidence.loop].spec->unroll_list);
    const bool lower = list && !other_user_or_loop(trace, list->site(), evidence.same_list);
    if (!tile && !lower) return rewrite;
    if (lower) {
        fix.description.data.set("proposed", kProposedList);
        auto list_edits = list->edits_to(kProposedList);
        fix.edits.insert(fix.edits.end(), std::make_move_iterator(list_edits.begin()),
                         std::make_move_iterator(list_edits.end()));
        if (fix.read_as.empty()) fix.read_as = shared_name_of_literal(trace, list->site());
    }
    fix.description.id = !lower ? "PTO204.fix.tile" : tile ? "PTO204.fix.both" : "PTO204.fix.list";
    rewrite.blocked = std::nullopt;
    rewrite.fix = std::move(fix);
    if (lower) doubt_copies(rewrite, trace, evidence.same_list);
    return rewrite;
}

}  // namespace ptofix::rewrites
