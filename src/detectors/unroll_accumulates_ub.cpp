// PTO102: a compile log says that UB overflows by a size that no single operation makes, and a loop of the kernel is
// unrolled: its copies share the unit's memory, so a list with fewer and smaller levels asks for less. Never found
// without a log.
#include <algorithm>

#include "detectors/detectors.h"
#include "detectors/log_facts.h"
#include "detectors/unroll_lists.h"

namespace ptofix::detectors {

namespace {

using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::Trace;
using Overflow = LogFacts::UnexplainedOverflow;

/// The list of the experience notes: levels above the first of it are what it gives up.
constexpr std::int64_t kSmallLevels[] = {4, 2, 1};

bool is_unrolled(const Loop& loop) {
    return trace::is_device(loop.kind) && loop.spec != nullptr && loop.unroll_known && !loop.unroll.empty() &&
           loop.unroll.front() > kSmallLevels[0];
}

bool is_in_kernel(const Trace& trace, const Loop& loop, const Overflow& overflow) {
    if (overflow.kernels.empty()) return true;
    if (loop.kernel == trace::kNone) return false;
    const std::string_view kernel = trace.kernels[loop.kernel].name;
    return std::ranges::find(overflow.kernels, kernel) != overflow.kernels.end();
}

bool has_name(const Loop& loop, const Overflow& overflow) {
    if (loop.spec->name.tag != trace::Tag::string) return false;
    const std::string& name = *loop.spec->name.as.text;
    return name == overflow.loop || (!name.empty() && overflow.loop.ends_with("_" + name));
}

/// The small levels that the list has; of pypto.loop, whose body does not see the factor, all of them where it has
/// none.
std::vector<std::int64_t> small_levels(const Loop& loop) {
    std::vector<std::int64_t> levels;
    for (const std::int64_t value : loop.unroll) {
        if (value <= kSmallLevels[0]) levels.push_back(value);
    }
    const bool only_one = levels.size() <= 1;
    if (only_one && loop.kind == LoopKind::device_loop) levels.assign(std::begin(kSmallLevels), std::end(kSmallLevels));
    return levels;
}

}  // namespace

void unroll_accumulates_ub(const Trace& trace, const LogFacts& facts, std::vector<rules::Finding>& out) {
    for (const Overflow& overflow : facts.overflows) {
        // The function may be named after the kernel, or after a loop without a list: then any loop may be it.
        const bool is_named = std::ranges::any_of(
            trace.loops, [&](const Loop& loop) { return is_unrolled(loop) && has_name(loop, overflow); });
        for (LoopId id = 0; id < trace.loops.size(); ++id) {
            const Loop& loop = trace.loops[id];
            if (!is_unrolled(loop) || !is_in_kernel(trace, loop, overflow)) continue;
            if (is_named && !has_name(loop, overflow)) continue;
            rules::UnrollSumEvidence evidence;
            evidence.loop = id;
            evidence.kernel = loop.kernel;
            evidence.list = loop.unroll;
            evidence.proposed = small_levels(loop);
            for (LoopId other = 0; other < trace.loops.size(); ++other) {
                const Loop& same = trace.loops[other];
                if (is_unrolled(same) && same.spec->unroll_list.origin() == loop.spec->unroll_list.origin()) {
                    evidence.same_list.push_back(other);
                }
            }
            rules::Finding finding;
            finding.rule = "PTO102";
            finding.severity = rules::Severity::warning;
            finding.location = place_of_unroll_list(trace, loop);
            finding.message.id = "PTO102.found";
            finding.message.data.set("list", loop.unroll).set("bytes", overflow.bytes).set("limit", overflow.limit);
            relate_unroll_list(trace, loop, finding);
            finding.evidence = std::move(evidence);
            out.push_back(std::move(finding));
        }
    }
}

}  // namespace ptofix::detectors
