// PTO202: pypto.loop with an unroll list that goes from a large factor to a small one in one step. The list may be
// written anywhere; all loops that take it share one proposal.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "detectors/body_cost.h"
#include "detectors/detectors.h"
#include "detectors/heavy_unroll.h"
#include "detectors/unroll_lists.h"

namespace ptofix::detectors {

namespace {

using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::Site;
using trace::Trace;

std::int64_t sum(const std::vector<std::int64_t>& values) {
    std::int64_t total = 0;
    for (const std::int64_t value : values) {
        if (__builtin_add_overflow(total, value, &total)) return INT64_MAX;
    }
    return total;
}

/// maximum, maximum / 2, ... 1. Odd numbers lose their half: what is left over goes to the smaller factors anyway.
std::vector<std::int64_t> halved(std::int64_t maximum) {
    std::vector<std::int64_t> list;
    for (std::int64_t value = maximum; value >= 1; value /= 2) list.push_back(value);
    return list;
}

/// The progressive list from `maximum`, or from the largest power of two below it whose copies fit the budget.
std::vector<std::int64_t> progressive(std::int64_t maximum, std::int64_t cost_of_copy) {
    const std::int64_t copies = rules::kCompileBudget / std::max<std::int64_t>(cost_of_copy, 1);
    std::vector<std::int64_t> list = halved(maximum);
    const auto fits = [&] { return sum(list) <= copies; };
    if (fits()) return list;
    std::int64_t power = 1;
    while (power <= maximum / 2) power *= 2;
    for (list = halved(power); power > 1 && !fits(); list = halved(power)) power /= 2;
    return list;
}

struct Candidate {
    LoopId loop = 0;
    std::vector<std::int64_t> values;
    UnrollJump jump;
};

/// The loops that take one list: written at one place, with the same numbers.
struct SameList {
    std::vector<LoopId> loops;
    std::int64_t maximum = 1;
    std::int64_t cost_of_copy = 1;
};

void report(const Trace& trace, const Candidate& candidate, const SameList& same, std::vector<rules::Finding>& out) {
    const Loop& loop = trace.loops[candidate.loop];
    rules::UnrollJumpEvidence evidence;
    evidence.loop = candidate.loop;
    evidence.kernel = loop.kernel;
    evidence.list = loop.unroll;
    evidence.maximum = same.maximum;
    evidence.proposed = progressive(same.maximum, same.cost_of_copy);
    evidence.body_tile_operations = body_tile_operations(trace, candidate.loop);
    evidence.same_list.assign(same.loops.begin(), same.loops.end());

    rules::Finding finding;
    finding.rule = "PTO202";
    finding.severity = rules::Severity::warning;
    finding.location = place_of_unroll_list(trace, loop);
    rules::Data& data = finding.message.data;
    const UnrollJump jump = candidate.jump;
    data.set("from", jump.from).set("to", jump.to);
    if (jump.from % jump.to == 0) {
        data.set("ratio", jump.from / jump.to);
    } else {
        data.set("ratio", std::floor(jump.ratio() * 10) / 10);
    }
    const std::int64_t copies = sum(loop.unroll);
    data.set("list", loop.unroll).set("copies", copies);
    finding.message.id = "PTO202.found";
    if (evidence.body_tile_operations) {
        std::int64_t total = 0;
        const std::int64_t around = copies_around(trace, candidate.loop);
        if (!__builtin_mul_overflow(*evidence.body_tile_operations, copies, &total) &&
            !__builtin_mul_overflow(total, around, &total)) {
            finding.message.id = "PTO202.found.heavy";
            data.set("tile_operations", total);
        }
    }
    relate_unroll_list(trace, loop, finding);
    finding.evidence = std::move(evidence);
    out.push_back(std::move(finding));
}

}  // namespace

void unroll_single_jump(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    std::vector<Candidate> candidates;
    std::map<Site, SameList> lists;
    for (LoopId id = 0; id < trace.loops.size(); ++id) {
        const Loop& loop = trace.loops[id];
        if (loop.kind != LoopKind::device_loop || loop.spec == nullptr || !loop.unroll_known || loop.unroll.empty())
            continue;
        const std::vector<std::int64_t> values = values_that_run(trace, loop);
        SameList& same = lists[loop.spec->unroll_list.origin()];
        same.loops.push_back(id);
        same.maximum = std::max(same.maximum, values.front());
        std::int64_t cost = body_tile_operations(trace, id).value_or(1);
        if (__builtin_mul_overflow(cost, copies_around(trace, id), &cost)) cost = INT64_MAX;
        same.cost_of_copy = std::max(same.cost_of_copy, cost);
        if (heavy_unroll(trace, id)) continue;  // PTO203 has it
        if (const auto jump = widest_jump(values)) candidates.push_back({id, values, *jump});
    }
    for (const Candidate& candidate : candidates) {
        report(trace, candidate, lists[trace.loops[candidate.loop].spec->unroll_list.origin()], out);
    }
}

}  // namespace ptofix::detectors
