// PTO206: one vector operation that its vec tile cuts into more pieces than the compiler gets through.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "trace/operations.h"
#include "trace/tile_checks.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::Operation;
using trace::OpId;
using trace::Trace;

std::string numbers(const std::vector<std::int64_t>& values) {
    return fmt::format("({})", fmt::join(values, ", "));
}

}  // namespace

void tile_count_explosion(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    for (trace::KernelId kernel = 0; kernel < trace.kernels.size(); ++kernel) {
        const trace::KernelTrace& about = trace.kernels[kernel];
        if (about.is_helper) continue;
        for (OpId id = about.first_op; id < about.end_op; ++id) {
            const Operation& op = trace.operations[id];
            const auto count = trace::count_tiles(trace, op);
            if (!count || count->product() <= rules::kMostTileOperations) continue;
            if (trace::surplus_axes_multiply(trace, op)) continue;  // PTO302
            rules::TileCountEvidence evidence;
            evidence.kernel = kernel;
            evidence.operation = id;
            evidence.setting = op.vec_tile;
            evidence.tiles = count->tiles;
            evidence.inputs = count->inputs;

            rules::Finding finding;
            finding.rule = "PTO206";
            finding.severity = rules::Severity::warning;
            finding.location = location_of(trace, op.site);
            finding.message.id = "PTO206.found";
            finding.message.data.set("operation", std::string(trace::info(op.code).name))
                .set("shape", numbers(*trace::known_shape(trace, trace::cut_tensor(trace, op))))
                .set("tile", numbers(*trace::known_tile(trace, op.vec_tile)))
                .set("tiles", count->tiles)
                .set("tile_operations", count->product())
                .set("limit", rules::kMostTileOperations);
            finding.related.push_back({location_of(trace, trace.tiles[op.vec_tile].call), {"PTO206.related.tile", {}}});
            finding.evidence = evidence;
            out.push_back(std::move(finding));
        }
    }
}

}  // namespace ptofix::detectors
