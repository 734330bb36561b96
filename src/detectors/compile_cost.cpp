// PTO209: a kernel whose expanded graph takes minutes to compile, with what contributes most. The number is an estimate
// of the compiler's own count; where something is not known it is a lower bound.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "hardware/tile.h"
#include "text/cell_place.h"
#include "trace/compile_cost.h"
#include "trace/operations.h"

namespace ptofix::detectors {

namespace {

using trace::KernelId;
using trace::KernelTrace;
using trace::LoopId;
using trace::Site;
using trace::Trace;

// The framework refuses a loop body of more calls than this (F7A007, MAX_STITCH_LEAFFUNC_NUM).
constexpr std::int64_t kHardLimit = 60'000;
constexpr std::size_t kNamed = 3;

struct Contributor {
    Site site;
    std::int64_t tile_operations = 0;
    trace::OpCode code = 0;
    LoopId loop = trace::kNone;
};

/// By place in the text: an operation in a helper or in a factor of an unroll list is recorded more than once.
/// Those that make less than a hundredth of it are not worth a line.
std::vector<Contributor> largest_contributors(const Trace& trace, const KernelTrace& kernel,
                                              const trace::KernelCost& cost) {
    std::map<Site, Contributor> by_site;
    for (trace::OpId id = kernel.first_op; id < kernel.end_op; ++id) {
        const trace::Operation& op = trace.operations[id];
        Contributor& one = by_site[op.site];
        one.site = op.site;
        one.code = op.code;
        one.loop = op.loop;
        one.tile_operations = hardware::saturating_add(one.tile_operations, cost.operations[id - kernel.first_op]);
    }
    std::vector<Contributor> all;
    for (const auto& [site, one] : by_site) {
        if (one.tile_operations >= std::max<std::int64_t>(cost.total / 100, 1)) all.push_back(one);
    }
    std::ranges::stable_sort(all, std::greater{}, &Contributor::tile_operations);
    if (all.size() > kNamed) all.resize(kNamed);
    return all;
}

std::int64_t total_of(const rules::Finding& finding) {
    return std::get<rules::CompileCostEvidence>(finding.evidence).total;
}

rules::Finding finding_of(const Trace& trace, KernelId id, const trace::KernelCost& cost) {
    const KernelTrace& kernel = trace.kernels[id];
    const auto largest =
        std::ranges::max_element(cost.functions, {}, [](const trace::FunctionCost& f) { return f.largest(); });
    const bool beyond = largest->largest() >= kHardLimit && largest->function.loop != trace::kNone;

    rules::CompileCostEvidence evidence;
    evidence.kernel = id;
    evidence.total = cost.total;
    evidence.largest_body = largest->largest();
    evidence.complete = cost.complete;

    rules::Finding finding;
    finding.rule = "PTO209";
    finding.severity = beyond ? rules::Severity::warning : rules::Severity::info;
    finding.location = header_location(trace, beyond ? trace.loops[largest->function.loop].site : kernel.site);
    finding.message.id = beyond ? "PTO209.found.body" : "PTO209.found";
    finding.message.data.set("kernel", std::string(kernel.name)).set("tile_operations", cost.total);
    if (beyond) {
        finding.message.data.set("body_tile_operations", evidence.largest_body).set("limit", kHardLimit);
    } else {
        finding.message.data.set("budget", rules::kCompileBudget);
    }
    if (!cost.complete) finding.message.data.set("complete", false);
    for (const Contributor& one : largest_contributors(trace, kernel, cost)) {
        const bool in_loop = one.loop != trace::kNone;
        rules::Text text{in_loop ? "PTO209.related.in_loop" : "PTO209.related.contributor", {}};
        text.data.set("operation", std::string(trace::info(one.code).name)).set("tile_operations", one.tile_operations);
        text.data.set("percent", one.tile_operations / std::max<std::int64_t>(cost.total / 100, 1));
        if (in_loop) {
            const Site loop = trace.loops[one.loop].site;
            const trace::SourceFile& file = *trace.files[loop.file];
            text.data.set("line", std::int64_t{text::line_in(*file.source, file.tree[loop.node].start).line});
        }
        finding.related.push_back({location_of(trace, one.site), std::move(text)});
    }
    finding.evidence = evidence;
    return finding;
}

}  // namespace

void compile_cost(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    std::map<rules::Location, std::size_t> heaviest;
    for (KernelId id = 0; id < trace.kernels.size(); ++id) {
        if (trace.kernels[id].is_helper) continue;
        const trace::KernelCost cost = trace::compile_cost(trace, trace.kernels[id]);
        if (cost.total < rules::kCompileBudget) continue;
        // A kernel that is called with several sizes is told of once, with the largest: parts of others fit no total.
        rules::Finding finding = finding_of(trace, id, cost);
        const auto [at, fresh] = heaviest.try_emplace(finding.location, out.size());
        if (fresh) {
            out.push_back(std::move(finding));
        } else if (total_of(finding) > total_of(out[at->second])) {
            out[at->second] = std::move(finding);
        }
    }
}

}  // namespace ptofix::detectors
