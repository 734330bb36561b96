// PTO208: many functions stitched into one task, each with large intermediate results: the workspace outgrows the
// device. Runs after the other rules: what a weight cast takes is theirs to say (PTO207).
#include <algorithm>

#include "detectors/detectors.h"
#include "detectors/log_facts.h"
#include "detectors/places.h"
#include "detectors/runtime_options.h"
#include "trace/workspace.h"

namespace ptofix::detectors {

namespace {

using trace::KernelId;
using trace::KernelTrace;
using trace::Site;
using trace::Trace;

constexpr std::int64_t kLargeWorkspace = std::int64_t{4} << 30;
// Below it a device does not run out of memory because of it.
constexpr std::int64_t kSmallWorkspace = std::int64_t{64} << 20;
// No more than this go into one task, whatever the number says.
constexpr std::int64_t kMostFunctions = 1024;

struct Large {
    KernelId kernel = 0;
    StitchNumber number;
    trace::Workspace workspace;
    std::int64_t bytes = 0;
};

/// The casts that go to the host: their results are no workspace of the kernel then.
std::vector<Site> casts_of_weights(const Trace& trace, const std::vector<rules::Finding>& found) {
    std::vector<Site> casts;
    for (const rules::Finding& finding : found) {
        if (const auto* cast = std::get_if<rules::WeightCastEvidence>(&finding.evidence)) {
            for (const trace::OpId id : cast->chain) casts.push_back(trace.operations[id].site);
        }
    }
    return casts;
}

std::int64_t functions(const StitchNumber& number) {
    return std::min(number.value.as.i, kMostFunctions);
}

rules::Finding finding_of(const Trace& trace, const Large& large, rules::WorkspaceEvidence evidence) {
    const KernelTrace& kernel = trace.kernels[large.kernel];
    const Site site = large.number.is_default ? Site{} : large.number.value.origin();
    const bool here = site.known() && site.file == trace.main;
    rules::Finding finding;
    finding.rule = "PTO208";
    finding.severity = rules::Severity::warning;
    finding.location = location_of(trace, here ? site : kernel.function->jit_site);
    finding.message.id = large.number.is_default ? "PTO208.found.default" : "PTO208.found";
    finding.message.data.set("value", large.number.value.as.i)
        .set("kernel", std::string(kernel.name))
        .set("mebibytes", large.bytes >> 20)
        .set("each_mebibytes", large.workspace.bytes_of_function() >> 20);
    if (!here && site.known()) finding.related.push_back({location_of(trace, site), {"PTO208.related.number", {}}});
    if (large.workspace.inner_op != trace::kNone) {
        rules::Text text{"PTO208.related.inner", {}};
        text.data.set("mebibytes", large.workspace.inner >> 20);
        finding.related.push_back(
            {location_of(trace, trace.operations[large.workspace.inner_op].site), std::move(text)});
    }
    if (large.workspace.largest_tensor != trace::kNoTensor) {
        rules::Text text{"PTO208.related.between", {}};
        text.data.set("mebibytes", large.workspace.largest >> 20);
        const trace::Tensor& tensor = trace.tensors[large.workspace.largest_tensor];
        if (tensor.site.known()) finding.related.push_back({location_of(trace, tensor.site), std::move(text)});
    }
    finding.evidence = std::move(evidence);
    return finding;
}

/// `least`: of a workspace that is worth a finding. `is_meant`: may it be this kernel?
template <typename IsMeant>
std::vector<Large> large_workspaces(const Trace& trace, const std::vector<Site>& elsewhere, std::int64_t least,
                                    std::vector<std::pair<KernelId, Site>>& content, const IsMeant& is_meant) {
    std::vector<Large> found;
    const bool options_are_set = sets_options(trace);
    for (KernelId id = 0; id < trace.kernels.size(); ++id) {
        const KernelTrace& kernel = trace.kernels[id];
        if (kernel.is_helper || kernel.first_op == kernel.end_op) continue;
        const auto number = stitch_number(kernel, options_are_set);
        if (!number) continue;
        Large large{id, *number, {}, 0};
        if (number->in_force && number->value.as.i >= kLargeStitchNumber) {
            large.workspace = trace::workspace(trace, kernel, elsewhere);
            large.bytes = large.workspace.bytes(functions(*number), number->tasks);
        }
        // Kernels of a file that stand at one place are one kernel, traced in several contexts.
        const auto same = std::ranges::find_if(
            found, [&](const Large& other) { return trace.kernels[other.kernel].site == kernel.site; });
        const bool in_force = number->in_force && number->value.as.i >= kLargeStitchNumber;
        if (in_force && large.bytes >= least && is_meant(kernel)) {
            if (same == found.end()) {
                found.push_back(large);
            } else if (large.bytes > same->bytes) {
                *same = large;
            }
        } else if (!number->is_default) {
            content.emplace_back(id, number->value.origin());
        }
    }
    return found;
}

/// Can the estimate be much too low because of what is not known?
bool is_all_known(const Trace& trace, const KernelTrace& kernel) {
    for (trace::OpId id = kernel.first_op; id < kernel.end_op; ++id) {
        const trace::TensorId output = trace.operations[id].output;
        if (output != trace::kNoTensor && !trace.tensors[output].type.shape_known()) return false;
    }
    return kernel.complete;
}

rules::WorkspaceEvidence evidence_of(const Trace& trace, const Large& large,
                                     const std::vector<std::pair<KernelId, Site>>& content) {
    rules::WorkspaceEvidence evidence;
    evidence.number.kernel = large.kernel;
    evidence.number.value = large.number.value.as.i;
    evidence.number.proposed = kProposedStitchNumber;
    evidence.is_default = large.number.is_default;
    evidence.bytes = large.bytes;
    evidence.proposed_bytes = large.workspace.bytes(kProposedStitchNumber, large.number.tasks);
    evidence.least_bytes = large.workspace.bytes(1, large.number.tasks);
    if (!large.number.is_default) {
        const Site site = large.number.value.origin();
        evidence.number.value_file = site.file;
        evidence.number.value_node = site.node;
        for (const auto& [kernel, other] : content) {
            const bool same_kernel = trace.kernels[kernel].site == trace.kernels[large.kernel].site;
            if (other == site && !same_kernel) evidence.number.content = kernel;
        }
    }
    return evidence;
}

}  // namespace

void stitch_workspace(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    std::vector<std::pair<KernelId, Site>> content;  // kernels that may keep their number
    const auto any = [](const KernelTrace&) { return true; };
    for (const Large& large :
         large_workspaces(trace, casts_of_weights(trace, out), kLargeWorkspace + 1, content, any)) {
        out.push_back(finding_of(trace, large, evidence_of(trace, large, content)));
    }
}

void stitch_workspace_in_log(const Trace& trace, const LogFacts& facts, std::vector<rules::Finding>& out) {
    if (!facts.device_memory) return;
    std::erase_if(out, [](const rules::Finding& finding) { return finding.rule == "PTO208"; });
    std::vector<std::pair<KernelId, Site>> content;
    const std::vector<std::string>& names = facts.device_memory->kernels;
    const auto is_meant = [&](const KernelTrace& kernel) {
        return names.empty() || std::ranges::find(names, kernel.name) != names.end();
    };
    // The log proves that it was too much, however little of it the text shows.
    for (const Large& large : large_workspaces(trace, casts_of_weights(trace, out), 0, content, is_meant)) {
        // Where all is known the estimate is near the truth: a small one is not what the device had no room for.
        const std::int64_t asked = facts.device_memory->bytes.value_or(0);
        const std::int64_t least = std::min(std::max(kSmallWorkspace, asked / 4), kLargeWorkspace);
        if (large.bytes < least && is_all_known(trace, trace.kernels[large.kernel])) continue;
        rules::Finding finding = finding_of(trace, large, evidence_of(trace, large, content));
        if (large.bytes < kSmallWorkspace) {
            finding.message.id = large.number.is_default ? "PTO208.found.log.default" : "PTO208.found.log";
        }
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
