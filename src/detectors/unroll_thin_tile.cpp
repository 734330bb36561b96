// PTO204: unroll copies over operations whose vec tile has one row though their tensors have more. Copies and tiles
// multiply.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "detectors/detectors.h"
#include "detectors/heavy_unroll.h"
#include "detectors/places.h"
#include "detectors/unroll_lists.h"
#include "hardware/tile.h"
#include "trace/compile_cost.h"
#include "trace/operations.h"
#include "trace/tile_checks.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::Operation;
using trace::OpId;
using trace::TileId;
using trace::Trace;

constexpr std::int64_t kLeastFactor = 4;
// What the reports went up to.
constexpr std::int64_t kProposedFirstAxis = 16;
// One operation of so few tiles, and a loop of so few tile operations, compile in a second.
constexpr std::int64_t kManyTiles = 16;
constexpr std::int64_t kHeavyTileOperations = 2'000;

/// Does the tile cut the tensor into rows where it need not?
bool is_thin(const Trace& trace, const Operation& op) {
    if (op.engine != trace::Engine::vector || op.vec_tile == trace::kNone || op.output == trace::kNoTensor)
        return false;
    const trace::TileSetting& tile = trace.tiles[op.vec_tile];
    if (!tile.known || tile.vec.empty() || tile.vec[0].as.i != 1) return false;
    const auto& shape = trace.tensors[trace::cut_tensor(trace, op)].type.shape;
    if (shape.empty() || !shape[0].known() || shape[0].value <= 1) return false;
    if (trace::surplus_axes_multiply(trace, op)) return false;  // PTO302
    const auto count = trace::count_tiles(trace, op);
    return count && count->tiles >= kManyTiles && count->product() <= rules::kMostTileOperations;
}

/// A tile under which one operation alone is too much has a rule of its own.
bool explodes(const Trace& trace, TileId tile) {
    return std::ranges::any_of(trace.operations, [&](const Operation& op) {
        if (op.vec_tile != tile) return false;
        const auto count = trace::count_tiles(trace, op);
        return count && count->product() > rules::kMostTileOperations;
    });
}

struct Thin {
    LoopId loop = 0;
    std::vector<std::uint32_t> settings;
    OpId operation = 0;  // the first
};

std::vector<Thin> thin_loops(const Trace& trace) {
    std::vector<Thin> found;
    for (LoopId id = 0; id < trace.loops.size(); ++id) {
        const Loop& loop = trace.loops[id];
        if (loop.kind != LoopKind::device_loop || loop.spec == nullptr || !loop.unroll_known || loop.unroll.empty())
            continue;
        const auto values = values_that_run(trace, loop);
        if (values.front() < kLeastFactor || widest_jump(values) || heavy_unroll(trace, id)) continue;
        Thin thin{id, {}, 0};
        for (OpId op = loop.first_op; op < loop.end_op; ++op) {
            if (!is_thin(trace, trace.operations[op])) continue;
            const TileId tile = trace.operations[op].vec_tile;
            if (std::ranges::find(thin.settings, tile) != thin.settings.end()) continue;
            if (thin.settings.empty()) thin.operation = op;
            if (!explodes(trace, tile)) thin.settings.push_back(tile);
        }
        if (!thin.settings.empty()) found.push_back(std::move(thin));
    }
    return found;
}

}  // namespace

void unroll_thin_tile(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    const std::vector<Thin> all = thin_loops(trace);
    for (const Thin& thin : all) {
        const Loop& loop = trace.loops[thin.loop];
        if (trace.kernels[loop.kernel].is_helper) continue;
        const trace::KernelCost cost = trace::compile_cost(trace, trace.kernels[loop.kernel]);
        const std::int64_t body = trace::body_cost(trace, cost, thin.loop);
        const std::int64_t total = hardware::saturating_multiply(body, trace::copies_of_body(trace, thin.loop));
        if (total < kHeavyTileOperations) continue;

        rules::ThinTileEvidence evidence;
        evidence.loop = thin.loop;
        evidence.kernel = loop.kernel;
        evidence.settings = thin.settings;
        evidence.first_axis = kProposedFirstAxis;
        evidence.tile_operations = total;
        for (const Thin& other : all) {
            const bool shares = trace.loops[other.loop].spec->unroll_list.origin() == loop.spec->unroll_list.origin();
            if (other.loop == thin.loop || shares) evidence.same_list.push_back(other.loop);
        }

        rules::Finding finding;
        finding.rule = "PTO204";
        finding.severity = rules::Severity::warning;
        finding.location = place_of_unroll_list(trace, loop);
        finding.message.id = "PTO204.found";
        const Operation& op = trace.operations[thin.operation];
        finding.message.data.set("list", loop.unroll)
            .set("tile", fmt::format("({})", fmt::join(*trace::known_tile(trace, op.vec_tile), ", ")))
            .set("tile_operations", total)
            .set("body_tile_operations", body);
        for (const std::uint32_t setting : thin.settings) {
            finding.related.push_back({location_of(trace, trace.tiles[setting].call), {"PTO204.related.tile", {}}});
        }
        rules::Text text{"PTO204.related.operation", {}};
        text.data.set("tiles", trace::count_tiles(trace, op)->tiles);
        finding.related.push_back({location_of(trace, op.site), std::move(text)});
        relate_unroll_list(trace, loop, finding);
        finding.evidence = std::move(evidence);
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
