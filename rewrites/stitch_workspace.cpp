// PTO208: fewer functions in a task, so that the workspace is smaller: the number is lowered where it is written, or
// named where the default is in force. The other answer is a bound, within which the runtime stitches as many as fit.
#include <algorithm>
#include <bit>
#include <expected>

#include "rewrites/rewrites.h"
#include "rewrites/runtime_option.h"
#include "rewrites/stitch_number.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using rules::Fix;
using trace::Trace;

constexpr std::string_view kBound = "max_workspace_kb";
// What shipping kernels give; more where one function alone needs more.
constexpr std::int64_t kUsualBound = 131072;

std::expected<Fix, Blocked> fewer_functions(const rules::Finding& finding, const Trace& trace,
                                            const rules::WorkspaceEvidence& evidence) {
    Fix fix;
    const bool counted = evidence.proposed_bytes >> 20 > 0;
    fix.description.id = counted ? "PTO208.fix.lower" : "PTO208.fix.lower.unknown";
    fix.description.data.set("value", evidence.number.value)
        .set("proposed", evidence.number.proposed)
        .set("mebibytes", evidence.proposed_bytes >> 20);
    if (evidence.is_default) {
        auto edit =
            add_runtime_option(trace, trace.kernels[evidence.number.kernel], kStitchNumber, evidence.number.proposed);
        if (!edit) return std::unexpected(std::move(edit.error()));
        fix.edits.push_back(std::move(*edit));
        return fix;
    }
    auto edit = edit_stitch_number(trace, evidence.number, finding.location);
    if (!edit) return std::unexpected(std::move(edit.error()));
    fix.edits.push_back(std::move(edit->edit));
    fix.read_as = std::move(edit->read_as);
    return fix;
}

std::expected<Fix, Blocked> bound(const Trace& trace, const rules::WorkspaceEvidence& evidence) {
    const auto twice = static_cast<std::uint64_t>(evidence.least_bytes / 1024 * 2 + 1);
    const std::int64_t kibibytes = std::max(kUsualBound, static_cast<std::int64_t>(std::bit_ceil(twice)));
    auto edit = add_runtime_option(trace, trace.kernels[evidence.number.kernel], kBound, kibibytes);
    if (!edit) return std::unexpected(std::move(edit.error()));
    Fix fix;
    fix.description.id = "PTO208.fix.bound";
    fix.description.data.set("proposed", kibibytes);
    fix.edits.push_back(std::move(*edit));
    return fix;
}

}  // namespace

rules::Rewrite stitch_workspace(const rules::Finding& finding, const Trace& trace, const Settings&) {
    const auto& evidence = std::get<rules::WorkspaceEvidence>(finding.evidence);
    rules::Rewrite rewrite;
    auto fewer = fewer_functions(finding, trace, evidence);
    auto bounded = bound(trace, evidence);
    if (fewer) {
        rewrite.fix = std::move(*fewer);
        if (bounded) rewrite.alternatives.push_back(std::move(*bounded));
    } else if (bounded) {
        rewrite.fix = std::move(*bounded);
    } else {
        rewrite.blocked = std::move(fewer.error());
    }
    return rewrite;
}

}  // namespace ptofix::rewrites
