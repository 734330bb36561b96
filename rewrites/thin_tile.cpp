// PTO204: more rows a tile and fewer copies of the body, each changed where it is written.
#include <algorithm>
#include <vector>

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

}  // namespace

Rewrite thin_tile(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto& evidence = std::get<rules::ThinTileEvidence>(finding.evidence);
    const trace::VectorMemory memory(trace, settings.soc);
    Rewrite rewrite;
    std::vector<TileChange> changes;
    Number rows = evidence.first_axis;
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
                const auto raised = with_rows(trace, memory, numbers, evidence.first_axis, group.operations,
                                              hardware::pools(settings.soc));
                if (!raised) {
                    rewrite.blocked = rules::Blocked{{"PTO204.blocked.no_room", {}}, location_of_node(trace, call)};
                    return rewrite;
                }
                wanted = *raised;
                rows = std::min(rows, wanted[0]);
            }
            for (const trace::TileId id : group.settings) {
                for (std::uint32_t i = 0; i < wanted.size(); ++i) {
                    changes.push_back({{TileSlot::List::vec, id, i}, wanted[i]});
                }
            }
        }
    }
    auto edits = edit_tiles(trace, changes);
    if (!edits) {
        rewrite.blocked = std::move(edits.error());
        return rewrite;
    }
    Fix fix;
    fix.edits = std::move(edits->edits);
    fix.read_as = std::move(edits->read_as);
    fix.description.id = "PTO204.fix.tile";
    fix.description.data.set("rows", rows);
    const auto list = NumberList::read(trace, trace.loops[evidence.loop].spec->unroll_list);
    if (list && !other_user_of_list(trace, list->site(), evidence.same_list)) {
        fix.description.id = "PTO204.fix.both";
        fix.description.data.set("proposed", kProposedList);
        auto list_edits = list->edits_to(kProposedList);
        fix.edits.insert(fix.edits.end(), std::make_move_iterator(list_edits.begin()),
                         std::make_move_iterator(list_edits.end()));
        if (fix.read_as.empty()) fix.read_as = shared_name_of_literal(trace, list->site());
    }
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
