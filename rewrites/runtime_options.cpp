// PTO205: lowers stitch_function_max_num where the number is written, when every kernel that takes it has reason to.
#include <algorithm>
#include <string>
#include <vector>

#include "rewrites/lines.h"
#include "rewrites/literal.h"
#include "rewrites/rewrites.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using rules::Applicability;
using rules::Blocked;
using rules::Fix;
using rules::Rewrite;
using trace::KernelTrace;
using trace::Site;
using trace::Trace;

constexpr std::string_view kArgument = "runtime_options";
constexpr std::string_view kKey = "stitch_function_max_num";

rules::Location location_of(const Trace& trace, Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

/// Is this the call that makes the kernel: its decorator, or the jit(options) of jit(options)(function)?
bool makes(const Trace& trace, const KernelTrace& kernel, Site call) {
    if (kernel.function == nullptr || !call.known()) return false;
    const Site site = kernel.function->jit_site;
    if (site == call) return true;
    return site.file == call.file && trace.files[site.file]->tree.child(site.node, syntax::Field::function) == call.node;
}

/// Who else takes the number: a kernel that is not heavy, one that was not traced, or other code.
std::optional<Blocked> other_user(const Trace& trace, Site number, const rules::StitchEvidence& evidence) {
    const std::vector<LiteralUse> uses = uses_of_literal(trace, number);
    if (evidence.content) {
        return used_elsewhere(trace, number, trace.kernels[*evidence.content].function->jit_site, uses.size());
    }
    for (const LiteralUse& use : uses) {
        const bool is_option = use.keyword == kArgument && use.path == std::vector{std::string(kKey)};
        // Those that take it have company, as the evidence says. A kernel that was traced and never got this number got
        // another one under the same name.
        const auto is_kernel = [&](const KernelTrace& kernel) { return makes(trace, kernel, use.call); };
        if (is_option && std::ranges::any_of(trace.kernels, is_kernel)) continue;
        return used_elsewhere(trace, number, use.site, uses.size());
    }
    return std::nullopt;
}

}  // namespace

Rewrite runtime_options(const rules::Finding& finding, const Trace& trace, const Settings&) {
    const auto& evidence = std::get<rules::StitchEvidence>(finding.evidence);
    const Site number{evidence.value_file, evidence.value_node};
    Rewrite rewrite;
    if (!number.known()) {
        rewrite.blocked = Blocked{{"blocked.literal_unknown", {}}, finding.location};
        return rewrite;
    }
    const trace::SourceFile& file = *trace.files[number.file];
    const std::string value = std::to_string(evidence.value);
    if (file.tree.kind(number.node) != syntax::Kind::integer || file.text(number.node) != value) {
        rewrite.blocked = Blocked{{"blocked.literal_computed", {}}, location_of(trace, number)};
        return rewrite;
    }
    rewrite.blocked = other_user(trace, number, evidence);
    if (rewrite.blocked) return rewrite;
    Fix fix;
    fix.applicability = Applicability::safe;
    fix.description.id = "PTO205.fix.lower";
    fix.description.data.set("value", evidence.value).set("proposed", evidence.proposed);
    fix.edits = {replacement(number.file, file.tree.range(number.node), std::to_string(evidence.proposed))};
    fix.read_as = shared_name_of_literal(trace, number);
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
