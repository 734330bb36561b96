// PTO205: lowers stitch_function_max_num in the options of a kernel that is heavy to compile.
#include "rewrites/rewrites.h"
#include "rewrites/stitch_number.h"

namespace ptofix::rewrites {

rules::Rewrite runtime_options(const rules::Finding& finding, const trace::Trace& trace, const Settings&) {
    const auto& evidence = std::get<rules::StitchEvidence>(finding.evidence);
    rules::Rewrite rewrite;
    auto edit = edit_stitch_number(trace, evidence, finding.location);
    if (!edit) {
        rewrite.blocked = std::move(edit.error());
        return rewrite;
    }
    rules::Fix fix;
    fix.applicability = rules::Applicability::safe;
    fix.description.id = "PTO205.fix.lower";
    fix.description.data.set("value", evidence.value).set("proposed", evidence.proposed);
    fix.edits = {std::move(edit->edit)};
    fix.read_as = std::move(edit->read_as);
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
