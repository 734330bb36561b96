#include "detectors/unroll_lists.h"

#include <algorithm>

#include "detectors/places.h"
#include "trace/project.h"

namespace ptofix::detectors {

using trace::Loop;
using trace::Site;
using trace::Trace;

std::vector<std::int64_t> values_that_run(const Trace& trace, const Loop& loop) {
    std::vector<std::int64_t> values = loop.unroll;
    if (const auto most = trace.symbols.bounds(loop.trips).high) {
        std::erase_if(values, [&](std::int64_t value) { return value > *most && value > 1; });
    }
    return values;
}

std::optional<UnrollJump> widest_jump(const std::vector<std::int64_t>& values) {
    constexpr std::int64_t kLargestStep = 16;  // between neighbours of a list that ships
    std::optional<UnrollJump> widest;
    for (std::size_t i = 1; i < values.size(); ++i) {
        const UnrollJump jump{values[i - 1], values[i]};
        const std::int64_t times = jump.from / jump.to;
        if (times < kLargestStep || (times == kLargestStep && jump.from % jump.to == 0)) continue;
        if (!widest || jump.ratio() > widest->ratio()) widest = jump;
    }
    return widest;
}

rules::Location place_of_unroll_list(const Trace& trace, const Loop& loop) {
    const Site list = loop.spec->unroll_list.origin();
    if (list.known() && list.file == trace.main) return location_of(trace, list);
    const trace::SourceFile& file = *trace.files[loop.spec->call.file];
    const auto arguments = file.tree.child(loop.spec->call.node, syntax::Field::arguments);
    if (arguments != syntax::kNoNode) {
        for (const auto c : file.tree.children(arguments)) {
            if (file.tree.kind(c) != syntax::Kind::keyword_argument) continue;
            if (file.text(file.tree.child(c, syntax::Field::name)) == "unroll_list") {
                return location_of(trace, {loop.spec->call.file, c});
            }
        }
    }
    return location_of(trace, loop.spec->call);
}

void relate_unroll_list(const Trace& trace, const Loop& loop, rules::Finding& finding) {
    const Site list = loop.spec->unroll_list.origin();
    if (list.known() && location_of(trace, list) != finding.location) {
        finding.related.push_back({location_of(trace, list), {"PTO202.related.list", {}}});
    }
    const rules::Location header = header_location(trace, loop.site);
    const bool at_the_loop = header.file == finding.location.file && header.range.contains(finding.location.range);
    if (!at_the_loop) finding.related.push_back({header, {"PTO202.related.loop", {}}});
}

}  // namespace ptofix::detectors
