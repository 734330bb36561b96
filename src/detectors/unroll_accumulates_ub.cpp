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

bool is_named_so(const Trace& trace, const Loop& loop, const Overflow& overflow) {
    if (loop.kernel == trace::kNone || trace.kernels[loop.kernel].name != overflow.kernel) return false;
    if (loop.spec->name.tag != trace::Tag::string) return overflow.loop.empty();
    return *loop.spec->name.as.text == overflow.loop;
}

/// The small levels that the list has; of pypto.loop, whose body does not see the factor, all of them where it has
/// none. Only levels below the one that failed ask for less.
std::vector<std::int64_t> small_levels(const Loop& loop, std::optional<std::int64_t> level) {
    std::vector<std::int64_t> levels;
    for (const std::int64_t value : loop.unroll) {
        if (value <= kSmallLevels[0]) levels.push_back(value);
    }
    const bool only_one = levels.size() <= 1;
    if (only_one && loop.kind == LoopKind::device_loop) levels.assign(std::begin(kSmallLevels), std::end(kSmallLevels));
    if (level) std::erase_if(levels, [&](std::int64_t value) { return value >= *level; });
    return levels;
}

}  // namespace

bool may_accumulate(const Loop& loop, std::optional<std::int64_t> level) {
    if (!trace::is_device(loop.kind) || loop.spec == nullptr || !loop.unroll_known || loop.unroll.empty()) return false;
    if (!level) return loop.unroll.front() > kSmallLevels[0];
    return *level > 1 && std::ranges::find(loop.unroll, *level) != loop.unroll.end();
}

void unroll_accumulates_ub(const Trace& trace, const LogFacts& facts, std::vector<rules::Finding>& out) {
    for (const Overflow& overflow : facts.overflows) {
        for (LoopId id = 0; id < trace.loops.size(); ++id) {
            const Loop& loop = trace.loops[id];
            if (!may_accumulate(loop, overflow.level) || !is_named_so(trace, loop, overflow)) continue;
            rules::UnrollSumEvidence evidence;
            evidence.loop = id;
            evidence.kernel = loop.kernel;
            evidence.list = loop.unroll;
            evidence.proposed = small_levels(loop, overflow.level);
            // A list that another loop takes too stays: that loop is none of it.
            for (LoopId other = 0; other < trace.loops.size(); ++other) {
                if (trace.loops[other].spec != nullptr && trace.loops[other].site == loop.site) {
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
