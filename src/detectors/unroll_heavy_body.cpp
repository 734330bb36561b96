// PTO203: pypto.loop with one large unroll factor over a heavy body. The code generator gets a single function with all
// the copies and does not finish.
#include <algorithm>
#include <span>

#include "detectors/body_cost.h"
#include "detectors/detectors.h"
#include "detectors/heavy_unroll.h"
#include "detectors/places.h"
#include "detectors/unroll_lists.h"
#include "hardware/tile.h"
#include "trace/branch_totals.h"
#include "trace/compile_cost.h"

namespace ptofix::detectors {

namespace {

using trace::Engine;
using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::Trace;

// The reported kernel has 3 matmuls and 30 vector operations under [16]; no kernel that ships gives a single factor to
// a body like it.
constexpr std::int64_t kLargeFactor = 8;
constexpr std::int64_t kHeavyMatmuls = 3;
constexpr std::int64_t kHeavyVectorOperations = 20;

std::int64_t count(const Trace& trace, LoopId loop, Engine engine) {
    const Loop& about = trace.loops[loop];
    trace::BranchTotals sum(trace);
    for (trace::OpId id = about.first_op; id < about.end_op; ++id) {
        const trace::Operation& op = trace.operations[id];
        if (op.engine != engine) continue;
        std::int64_t copies = 1;
        for (LoopId at = op.loop; at != loop && at != trace::kNone; at = trace.loops[at].parent) {
            const std::int64_t own = trace::is_device(trace.loops[at].kind) ? 1 : trace::copies_of_body(trace, at);
            copies = hardware::saturating_multiply(copies, own);
        }
        sum.add(op.branch, copies);
    }
    return sum.total();
}

}  // namespace

std::optional<HeavyUnroll> heavy_unroll(const Trace& trace, LoopId id) {
    const Loop& loop = trace.loops[id];
    if (loop.kind != LoopKind::device_loop || loop.spec == nullptr || !loop.unroll_known || loop.unroll.empty()) {
        return std::nullopt;
    }
    const auto& given = loop.spec->unroll_list;
    if (!given.is_sequence()) return std::nullopt;
    const auto is_factor = [&](const trace::Value& v) {
        return v.tag == trace::Tag::integer && v.as.i == loop.unroll.front();
    };
    HeavyUnroll found;
    found.factor = values_that_run(trace, loop).front();
    if (found.factor < kLargeFactor || !std::ranges::all_of(given.as.list->items, is_factor)) return std::nullopt;
    found.matmuls = count(trace, id, Engine::cube);
    if (found.matmuls < kHeavyMatmuls) return std::nullopt;
    found.vector_operations = count(trace, id, Engine::vector);
    if (found.vector_operations < kHeavyVectorOperations) return std::nullopt;
    return found;
}

void unroll_heavy_body(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    for (LoopId id = 0; id < trace.loops.size(); ++id) {
        const auto heavy = heavy_unroll(trace, id);
        if (!heavy) continue;
        const Loop& loop = trace.loops[id];
        rules::UnrollBodyEvidence evidence;
        evidence.loop = id;
        evidence.kernel = loop.kernel;
        evidence.factor = heavy->factor;
        evidence.body_tile_operations = body_tile_operations(trace, id);
        for (LoopId other = 0; other < trace.loops.size(); ++other) {
            const Loop& same = trace.loops[other];
            const bool shares =
                same.spec != nullptr && same.spec->unroll_list.origin() == loop.spec->unroll_list.origin();
            if (other == id || (shares && heavy_unroll(trace, other))) evidence.same_list.push_back(other);
        }

        rules::Finding finding;
        finding.rule = "PTO203";
        finding.severity = rules::Severity::warning;
        finding.location = place_of_unroll_list(trace, loop);
        rules::Data& data = finding.message.data;
        data.set("factor", heavy->factor)
            .set("matmuls", heavy->matmuls)
            .set("vector_operations", heavy->vector_operations);
        finding.message.id = "PTO203.found";
        if (evidence.body_tile_operations) {
            const std::int64_t copies =
                hardware::saturating_multiply(trace::copies_of_body(trace, id), copies_around(trace, id));
            data.set("tile_operations", hardware::saturating_multiply(*evidence.body_tile_operations, copies));
            data.set("body_tile_operations", *evidence.body_tile_operations);
            finding.message.id = "PTO203.found.counted";
        }
        relate_unroll_list(trace, loop, finding);
        finding.evidence = evidence;
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
