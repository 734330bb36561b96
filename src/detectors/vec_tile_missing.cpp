// PTO303: a vector operation for which no vec tile is set, or the one from before a matmul, with too few axes for the
// matmul's result. A matmul sets nothing: it puts the vec tile back that it found.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "detectors/tile_ranks.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::kNone;
using trace::Operation;
using trace::Trace;
using Number = std::int64_t;

struct Found {
    TileRankProblem first;
    TileRankProblem said;  // the one that the framework complains of
    std::set<trace::Site> sites;
};

}  // namespace

void vec_tile_missing(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    // By the kernel where no tile is set, by the call that set it before the matmul.
    std::map<trace::Site, Found> by_cause;
    for (const TileRankProblem& problem : tile_rank_problems(trace)) {
        const Operation& op = trace.operations[problem.operation];
        const bool left_over = problem.axes && problem.after_matmul && *problem.axes < problem.asked.axes;
        if (problem.axes && !left_over) continue;  // PTO302
        const trace::Site cause = problem.axes ? trace.tiles[op.vec_tile].call : trace.kernels[op.kernel].site;
        const auto [at, fresh] = by_cause.try_emplace(cause, Found{problem, problem, {}});
        if (problem.certain && !at->second.first.certain) at->second.first = problem;
        if (is_refused_at_the_call(problem) && !is_refused_at_the_call(at->second.said)) at->second.said = problem;
        at->second.sites.insert(op.site);
    }
    for (const auto& [cause, found] : by_cause) {
        const TileRankProblem& problem = found.first;
        const Operation& op = trace.operations[problem.operation];
        rules::Finding finding;
        finding.rule = "PTO303";
        finding.severity = problem.certain ? rules::Severity::error : rules::Severity::info;
        finding.location = location_of(trace, op.site);
        const bool several = found.sites.size() > 1;
        rules::Text& message = finding.message;
        message.id = problem.axes ? several ? "PTO303.found.left.several" : "PTO303.found.left"
                     : several    ? "PTO303.found.several"
                                  : "PTO303.found";
        message.data.set("operation", std::string(trace::info(op.code).name))
            .set("axes", static_cast<Number>(problem.asked.axes))
            .set("others", static_cast<Number>(found.sites.size()) - 1)
            .set("code", refusal_code(found.said))
            .set("compiler", refusal_words(found.said));
        if (problem.axes) {
            message.data.set("tile", shown_tile(trace, op.vec_tile))
                .set("tile_axes", static_cast<Number>(*problem.axes));
            finding.related.push_back({location_of(trace, cause), {"PTO303.related.tile", {}}});
        }
        if (trace.frames[op.frame].function != trace.kernels[op.kernel].function) {
            rules::Text related{"PTO303.related.kernel", {}};
            related.data.set("kernel", std::string(trace.kernels[op.kernel].name));
            finding.related.push_back({header_location(trace, trace.kernels[op.kernel].site), std::move(related)});
        }
        finding.evidence = rules::TileRankEvidence{.operation = problem.operation,
                                                   .axes = static_cast<std::uint32_t>(problem.asked.axes)};
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
