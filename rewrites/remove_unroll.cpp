// PTO203: takes the unroll list away from the loop. The loop then runs row by row, with the same result.
#include <algorithm>

#include "rewrites/call_arguments.h"
#include "rewrites/copied_state.h"
#include "rewrites/literal.h"
#include "rewrites/number_list.h"
#include "rewrites/rewrites.h"
#include "rewrites/unroll_users.h"
#include "trace/project.h"

namespace ptofix::rewrites {

using rules::Blocked;
using rules::Fix;
using rules::Rewrite;
using syntax::kNoNode;
using trace::Loop;
using trace::Trace;

rules::Rewrite remove_unroll(const rules::Finding& finding, const Trace& trace, const Settings&) {
    const auto& evidence = std::get<rules::UnrollBodyEvidence>(finding.evidence);
    const Loop& loop = trace.loops[evidence.loop];
    Rewrite rewrite;
    Fix fix;
    fix.description = {"PTO203.fix.remove", {}};
    const syntax::NodeId argument = keyword_argument(trace, loop.spec->call, kUnrollArgument);
    if (argument != kNoNode) {
        // One call of the loop, reached with several lists: the others may be wanted.
        for (const Loop& other : trace.loops) {
            if (other.spec == nullptr || other.spec->call != loop.spec->call || other.unroll == loop.unroll) continue;
            rewrite.blocked =
                Blocked{{"PTO203.blocked.other_list", {}}, location_of_node(trace, other.spec->unroll_list.origin())};
            return rewrite;
        }
        if (auto removal = without_argument(trace, {loop.spec->call.file, argument})) {
            fix.edits = {std::move(*removal)};
            rewrite.fix = std::move(fix);
            doubt_copies(rewrite, trace, std::span(&evidence.loop, 1));
            return rewrite;
        }
    }
    // It comes in by ** of a dict: the list becomes what no list means.
    const auto list = NumberList::read(trace, loop.spec->unroll_list);
    if (!list) {
        const trace::Site origin = loop.spec->unroll_list.origin();
        rewrite.blocked = Blocked{{"PTO202.blocked.list_computed", {}},
                                  location_of_node(trace, origin.known() ? origin : loop.spec->call)};
        return rewrite;
    }
    rewrite.blocked = other_user_or_loop(trace, list->site(), evidence.same_list);
    if (rewrite.blocked) return rewrite;
    fix.description = {"PTO203.fix.one", {}};
    fix.edits = list->edits_to({1});
    fix.read_as = shared_name_of_literal(trace, list->site());
    rewrite.fix = std::move(fix);
    doubt_copies(rewrite, trace, evidence.same_list);
    return rewrite;
}

}  // namespace ptofix::rewrites
