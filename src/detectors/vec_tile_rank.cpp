// PTO302: a vec tile with too few axes for an operation, or with too many for one that takes no surplus (F4FFFF,
// FC0000); and surplus axes that multiply the tiles, because the compiler counts the first numbers of a tile, not the
// last ones.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "detectors/tile_ranks.h"
#include "hardware/tile.h"
#include "trace/certainty.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::Operation;
using trace::OpId;
using trace::TileSetting;
using trace::Trace;
using Number = std::int64_t;

rules::Finding refused(const Trace& trace, const RankFinding& found) {
    rules::Finding finding = rank_finding(trace, "PTO302", found);
    finding.message.id = found.first.asked.exactly
                             ? found.several() ? "PTO302.found.exact.several" : "PTO302.found.exact"
                         : found.several() ? "PTO302.found.several"
                                           : "PTO302.found";
    const Operation& op = trace.operations[found.first.operation];
    finding.related.push_back({location_of(trace, trace.tiles[op.vec_tile].call), {"PTO302.related.tile", {}}});
    return finding;
}

/// How many tile operations a person may wonder about; how many take seconds to compile, in one loop.
constexpr Number kNotableTileOperations = 64;
constexpr Number kHeavyTileOperations = 2'000;

/// Of all copies that Python loops and unroll lists make of the operation.
Number all_tile_operations(const Trace& trace, const Operation& op, const trace::TileCount& count) {
    Number all = hardware::saturating_multiply(count.product(), trace.python_copies(op).value_or(1));
    for (trace::LoopId l = op.loop; l != trace::kNone; l = trace.loops[l].parent) {
        const trace::Loop& loop = trace.loops[l];
        if (loop.kind != trace::LoopKind::device_loop || loop.unroll.empty()) continue;
        all = hardware::saturating_multiply(all, std::accumulate(loop.unroll.begin(), loop.unroll.end(), Number{0}));
    }
    return all;
}

/// Surplus axes of one call, where nothing is refused: the operation that suffers most.
struct Surplus {
    OpId operation = 0;
    double times = 0;
    trace::TileCount count;
    Number all = 0;
    bool certain = false;
};

rules::Finding multiplied(const Trace& trace, const Surplus& worst) {
    const Operation& op = trace.operations[worst.operation];
    const auto shape = *trace::known_shape(trace, trace::cut_tensor(trace, op));
    const auto tile = *trace::known_tile(trace, op.vec_tile);
    rules::Finding finding;
    finding.rule = "PTO302";
    const bool heavy = worst.certain && worst.all >= kHeavyTileOperations;
    finding.severity = heavy ? rules::Severity::warning : rules::Severity::info;
    finding.location = location_of(trace, op.site);
    finding.message.id = "PTO302.found.surplus";
    finding.message.data.set("operation", std::string(trace::info(op.code).name))
        .set("axes", static_cast<Number>(shape.size()))
        .set("shape", fmt::format("({})", fmt::join(shape, ", ")))
        .set("tile", shown_tile(trace, op.vec_tile))
        .set("tile_axes", static_cast<Number>(tile.size()))
        .set("counted", fmt::format("({})", fmt::join(std::span(tile).first(shape.size()), ", ")))
        .set("tiles", worst.count.tiles)
        .set("meant", static_cast<Number>(static_cast<double>(worst.count.tiles) / worst.times));
    finding.related.push_back({location_of(trace, trace.tiles[op.vec_tile].call), {"PTO302.related.tile", {}}});
    finding.evidence = rules::TileRankEvidence{
        .operation = worst.operation, .axes = static_cast<std::uint32_t>(shape.size()), .refused = false};
    return finding;
}

/// The loops of PTO201.
std::vector<trace::LoopId> python_loops(const std::vector<rules::Finding>& found) {
    std::vector<trace::LoopId> loops;
    for (const rules::Finding& f : found) {
        if (const auto* loop = std::get_if<rules::PythonLoopEvidence>(&f.evidence)) loops.push_back(loop->loop);
    }
    return loops;
}

bool is_in(const Operation& op, const std::vector<trace::LoopId>& loops, const Trace& trace) {
    for (trace::LoopId l = op.loop; l != trace::kNone; l = trace.loops[l].parent) {
        const bool is_one = std::ranges::any_of(
            loops, [&](trace::LoopId found) { return trace.loops[found].site == trace.loops[l].site; });
        if (is_one) return true;
    }
    return false;
}

}  // namespace

void vec_tile_rank(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    RankFindings findings;
    for (const TileRankProblem& problem : tile_rank_problems(trace)) {
        const Operation& op = trace.operations[problem.operation];
        if (!problem.axes || (problem.after_matmul && *problem.axes < problem.asked.axes)) continue;  // PTO303
        findings.add(trace.tiles[op.vec_tile].call, problem, op.site);
    }
    for (const auto& [call, found] : findings.by_cause()) out.push_back(refused(trace, found));

    std::map<trace::Site, Surplus> surplus;
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const Operation& op = trace.operations[id];
        if (!trace::surplus_axes_multiply(trace, op) || trace::may_be_another_tile(trace, op)) continue;
        if (findings.by_cause().contains(trace.tiles[op.vec_tile].call)) continue;
        const auto count = trace::count_tiles(trace, op);
        if (!count) continue;
        const Number all = all_tile_operations(trace, op, *count);
        if (all < kNotableTileOperations) continue;
        Surplus& worst = surplus[trace.tiles[op.vec_tile].call];
        // How a Python loop is best rewritten decides how many axes are right: that comes first.
        const bool certain = trace::is_certain(trace, op) && !is_in(op, python_loops(out), trace);
        if (std::pair(certain, all) <= std::pair(worst.certain, worst.all)) continue;
        worst = {id, *trace::tiles_by_surplus_axes(trace, op), *count, all, certain};
    }
    for (const auto& [call, worst] : surplus) out.push_back(multiplied(trace, worst));
}

}  // namespace ptofix::detectors
