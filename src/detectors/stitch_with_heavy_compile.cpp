// PTO205: a large stitch_function_max_num, written in the options of a kernel that other rules find heavy to compile.
// Runs after them and reads their findings.
#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "detectors/runtime_options.h"

namespace ptofix::detectors {

namespace {

using rules::Finding;
using rules::Severity;
using trace::KernelId;
using trace::KernelTrace;
using trace::Site;
using trace::Trace;
using trace::Value;

constexpr std::string_view kCompanions[] = {"PTO201", "PTO202", "PTO203", "PTO204"};

/// The kernel that a finding is about.
std::optional<KernelId> kernel_of(const Finding& finding) {
    return std::visit(
        [](const auto& evidence) -> std::optional<KernelId> {
            if constexpr (requires { evidence.kernel; }) {
                return evidence.kernel;
            } else {
                return std::nullopt;
            }
        },
        finding.evidence);
}

struct Company {
    std::vector<std::string_view> rules;  // each once, in the order of the catalogue
    std::vector<const Finding*> findings;
};

/// Kernels of a file that stand at one place are one kernel, traced in several contexts.
Company company_of(const Trace& trace, const KernelTrace& kernel, const std::vector<Finding>& found) {
    Company company;
    for (const std::string_view rule : kCompanions) {
        for (const Finding& finding : found) {
            if (finding.rule != rule || finding.severity == Severity::info) continue;
            const auto id = kernel_of(finding);
            if (!id || *id >= trace.kernels.size() || trace.kernels[*id].site != kernel.site) continue;
            if (company.rules.empty() || company.rules.back() != rule) company.rules.push_back(rule);
            company.findings.push_back(&finding);
        }
    }
    return company;
}

std::string listed(const std::vector<std::string_view>& rules) {
    std::string out;
    for (const std::string_view rule : rules) (out += out.empty() ? "" : ", ") += rule;
    return out;
}

}  // namespace

void stitch_with_heavy_compile(const Trace& trace, const Settings&, std::vector<Finding>& out) {
    struct Stitched {
        KernelId kernel;
        Value number;
        Company company;
        bool wants_less = false;
    };
    std::vector<Stitched> kernels;
    const bool options_are_set = sets_options(trace);
    for (KernelId id = 0; id < trace.kernels.size(); ++id) {
        const KernelTrace& kernel = trace.kernels[id];
        const auto number = stitch_number(kernel, options_are_set);
        if (!number || number->is_default || number->value.as.i < kLargeStitchNumber) continue;
        Stitched one{id, number->value, company_of(trace, kernel, out)};
        one.wants_less = number->in_force && !one.company.rules.empty();
        kernels.push_back(std::move(one));
    }
    std::vector<Finding> findings;
    for (const Stitched& one : kernels) {
        if (!one.wants_less) continue;
        const KernelTrace& kernel = trace.kernels[one.kernel];
        const Site site = one.number.origin();
        rules::StitchEvidence evidence;
        evidence.kernel = one.kernel;
        evidence.value = one.number.as.i;
        evidence.proposed = kProposedStitchNumber;
        evidence.value_file = site.file;
        evidence.value_node = site.node;
        evidence.companions = one.company.rules;
        for (const Stitched& other : kernels) {
            if (other.number.origin() != site) continue;
            if (other.wants_less) {
                evidence.same_number.push_back(other.kernel);
            } else {
                evidence.content = other.kernel;
            }
        }
        Finding finding;
        finding.rule = "PTO205";
        finding.severity = Severity::warning;
        const bool here = site.known() && site.file == trace.main;
        finding.location = location_of(trace, here ? site : kernel.function->jit_site);
        finding.message.id = "PTO205.found";
        finding.message.data.set("value", evidence.value)
            .set("kernel", std::string(kernel.name))
            .set("companions", listed(one.company.rules));
        for (const Finding* companion : one.company.findings) {
            rules::Related related{companion->location, {"PTO205.related.companion", {}}};
            related.text.data.set("rule", std::string(companion->rule));
            const bool known = std::ranges::any_of(
                finding.related, [&](const rules::Related& r) { return r.location == related.location; });
            if (!known) finding.related.push_back(std::move(related));
        }
        if (!here && site.known()) finding.related.push_back({location_of(trace, site), {"PTO205.related.number", {}}});
        finding.evidence = std::move(evidence);
        findings.push_back(std::move(finding));
    }
    std::ranges::move(findings, std::back_inserter(out));
}

}  // namespace ptofix::detectors
