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

}  // namespace

void vec_tile_missing(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    // By the kernel where no tile is set, by the call that set it before the matmul.
    RankFindings findings;
    for (const TileRankProblem& problem : tile_rank_problems(trace)) {
        const Operation& op = trace.operations[problem.operation];
        const bool left_over = problem.axes && problem.after_matmul && *problem.axes < problem.asked.axes;
        if (problem.axes && !left_over) continue;  // PTO302
        const trace::Site cause = problem.axes ? trace.tiles[op.vec_tile].call : trace.kernels[op.kernel].site;
        findings.add(cause, problem, op.site);
    }
    for (const auto& [cause, found] : findings.by_cause()) {
        const TileRankProblem& problem = found.first;
        const Operation& op = trace.operations[problem.operation];
        rules::Finding finding = rank_finding(trace, "PTO303", found);
        finding.message.id = problem.axes      ? found.several() ? "PTO303.found.left.several" : "PTO303.found.left"
                             : found.several() ? "PTO303.found.several"
                                               : "PTO303.found";
        if (problem.axes) finding.related.push_back({location_of(trace, cause), {"PTO303.related.tile", {}}});
        if (trace.frames[op.frame].function != trace.kernels[op.kernel].function) {
            rules::Text related{"PTO303.related.kernel", {}};
            related.data.set("kernel", std::string(trace.kernels[op.kernel].name));
            finding.related.push_back({header_location(trace, trace.kernels[op.kernel].site), std::move(related)});
        }
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
