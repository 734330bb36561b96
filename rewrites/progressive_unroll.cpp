// PTO202: makes an unroll list go down by halves, where the list is written, when every loop that takes it is better
// off.
#include <algorithm>
#include <vector>

#include "rewrites/call_arguments.h"
#include "rewrites/copied_state.h"
#include "rewrites/lines.h"
#include "rewrites/literal.h"
#include "rewrites/number_list.h"
#include "rewrites/rewrites.h"
#include "rewrites/unroll_users.h"

namespace ptofix::rewrites {

namespace {

using rules::Applicability;
using rules::Blocked;
using rules::Data;
using rules::FileEdit;
using rules::Fix;
using rules::Rewrite;
using syntax::kNoNode;
using trace::Loop;
using trace::Site;
using trace::Trace;

/// A few factors, a quarter each: [128, 32, 8, 1].
std::vector<std::int64_t> short_list(std::int64_t maximum) {
    std::vector<std::int64_t> list{maximum, maximum / 4, maximum / 16, 1};
    std::erase_if(list, [](std::int64_t value) { return value < 1; });
    const auto repeated = std::ranges::unique(list);
    list.erase(repeated.begin(), repeated.end());
    return list;
}

Fix fix_to(std::string_view id, Data data, std::vector<FileEdit> edits, const std::string& shared_name) {
    Fix fix;
    fix.read_as = shared_name;
    fix.applicability = Applicability::safe;
    fix.description = {id, std::move(data)};
    fix.edits = std::move(edits);
    return fix;
}

}  // namespace

Rewrite progressive_unroll(const rules::Finding& finding, const Trace& trace, const Settings&) {
    const auto& evidence = std::get<rules::UnrollJumpEvidence>(finding.evidence);
    const Loop& loop = trace.loops[evidence.loop];
    const trace::Value& value = loop.spec->unroll_list;
    Rewrite rewrite;
    const auto list = NumberList::read(trace, value);
    if (!list) {
        const Site origin = value.origin().known() ? value.origin() : loop.spec->call;
        rewrite.blocked = Blocked{{"PTO202.blocked.list_computed", {}}, location_of_node(trace, origin)};
        return rewrite;
    }
    rewrite.blocked = other_user_of_list(trace, list->site(), evidence.same_list);
    if (rewrite.blocked) return rewrite;

    // The argument can go where the list is written right there, or where no other loop reads it.
    const syntax::NodeId argument = keyword_argument(trace, loop.spec->call, kUnrollArgument);
    std::optional<FileEdit> removal;
    if (argument != kNoNode && list->site().file == loop.spec->call.file &&
        trace.files[list->site().file]->tree.is_inside(list->site().node, argument)) {
        removal = without_argument(trace, {loop.spec->call.file, argument});
    }

    const std::string shared = shared_name_of_literal(trace, list->site());
    const std::int64_t maximum = evidence.proposed.front();
    Data data;
    data.set("proposed", evidence.proposed);
    if (maximum == 1) {
        std::vector<FileEdit> edits = removal ? std::vector{*removal} : list->edits_to({1});
        rewrite.fix =
            fix_to("PTO202.fix.remove_list", Data().set("budget", rules::kCompileBudget), std::move(edits), shared);
        doubt_copies(rewrite, trace, evidence.same_list);
        return rewrite;
    }
    if (maximum == evidence.maximum) {
        rewrite.fix = fix_to("PTO202.fix.progressive", std::move(data), list->edits_to(evidence.proposed), shared);
    } else {
        data.set("maximum", maximum).set("budget", rules::kCompileBudget);
        rewrite.fix =
            fix_to("PTO202.fix.progressive_lowered", std::move(data), list->edits_to(evidence.proposed), shared);
    }
    if (const auto shorter = short_list(maximum); shorter.size() < evidence.proposed.size()) {
        rewrite.alternatives.push_back(
            fix_to("PTO202.fix.short", Data().set("proposed", shorter), list->edits_to(shorter), shared));
    }
    if (removal) rewrite.alternatives.push_back(fix_to("PTO202.fix.no_list", {}, {*removal}, {}));
    doubt_copies(rewrite, trace, evidence.same_list);
    return rewrite;
}

}  // namespace ptofix::rewrites
