// PTO102: leaves of an unroll list its small levels, where the list is written. The loop makes the same trips with
// smaller steps, so results stay; fewer copies of the body are alive in one function.
#include "rewrites/copied_state.h"
#include "rewrites/literal.h"
#include "rewrites/number_list.h"
#include "rewrites/rewrites.h"
#include "rewrites/unroll_users.h"

namespace ptofix::rewrites {

rules::Rewrite fewer_levels(const rules::Finding& finding, const trace::Trace& trace, const Settings&) {
    const auto& evidence = std::get<rules::UnrollSumEvidence>(finding.evidence);
    const trace::LoopSpec& spec = *trace.loops[evidence.loop].spec;
    rules::Rewrite rewrite;
    const auto list = NumberList::read(trace, spec.unroll_list);
    if (!list) {
        const trace::Site origin = spec.unroll_list.origin().known() ? spec.unroll_list.origin() : spec.call;
        rewrite.blocked = rules::Blocked{{"PTO202.blocked.list_computed", {}}, location_of_node(trace, origin)};
        return rewrite;
    }
    rewrite.blocked = other_taker_of_list(trace, list->site(), evidence.same_list);
    if (rewrite.blocked) return rewrite;
    rules::Fix fix;
    fix.applicability = rules::Applicability::safe;
    fix.description = {"PTO102.fix.small_levels", rules::Data().set("proposed", evidence.proposed)};
    fix.edits = list->edits_to(evidence.proposed);
    fix.read_as = shared_name_of_literal(trace, list->site());
    rewrite.fix = std::move(fix);
    doubt_copies(rewrite, trace, evidence.same_list);
    return rewrite;
}

}  // namespace ptofix::rewrites
