#include "rewrites/unroll_users.h"

#include <algorithm>
#include <vector>

#include "rewrites/literal.h"
#include "trace/project.h"

namespace ptofix::rewrites {

using trace::Loop;
using trace::LoopKind;
using trace::Site;
using trace::Trace;

rules::Location location_of_node(const Trace& trace, Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

namespace {

/// A use that is no unroll list of a loop: of these, or of one that got another list under the same name.
std::optional<rules::Blocked> use_outside_loops(const Trace& trace, Site list, std::span<const std::uint32_t> loops) {
    const std::vector<LiteralUse> uses = uses_of_literal(trace, list);
    for (const LiteralUse& use : uses) {
        const auto is_call = [&](const Loop& loop) { return loop.spec != nullptr && loop.spec->call == use.call; };
        if (use.call.known() && use.keyword == kUnrollArgument && use.path.empty()) {
            const bool takes_it =
                std::ranges::any_of(loops, [&](std::uint32_t id) { return is_call(trace.loops[id]); });
            // A loop that is traced and never got this list got another one under the same name.
            if (takes_it || std::ranges::any_of(trace.loops, is_call)) continue;
        }
        return used_elsewhere(trace, list, use.site, uses.size());
    }
    return std::nullopt;
}

}  // namespace

std::optional<rules::Blocked> other_user_of_list(const Trace& trace, Site list, std::span<const std::uint32_t> loops) {
    for (const Loop& loop : trace.loops) {
        if (loop.spec == nullptr || loop.spec->unroll_list.origin() != list || loop.kind == LoopKind::device_loop)
            continue;
        const std::size_t uses = uses_of_literal(trace, list).size();
        return used_elsewhere(trace, list, loop.spec->call, std::max<std::size_t>(uses, 2));
    }
    return use_outside_loops(trace, list, loops);
}

std::optional<rules::Blocked> other_taker_of_list(const Trace& trace, Site list, std::span<const std::uint32_t> loops) {
    for (std::uint32_t id = 0; id < trace.loops.size(); ++id) {
        const Loop& loop = trace.loops[id];
        if (loop.spec == nullptr || loop.spec->unroll_list.origin() != list) continue;
        if (std::ranges::find(loops, id) != loops.end()) continue;
        const std::size_t uses = uses_of_literal(trace, list).size();
        return used_elsewhere(trace, list, loop.spec->call, std::max<std::size_t>(uses, 2));
    }
    return use_outside_loops(trace, list, loops);
}

std::optional<rules::Blocked> other_user_or_loop(const Trace& trace, Site list, std::span<const std::uint32_t> loops) {
    for (std::uint32_t id = 0; id < trace.loops.size(); ++id) {
        const Loop& loop = trace.loops[id];
        if (loop.spec == nullptr || loop.spec->unroll_list.origin() != list) continue;
        if (std::ranges::find(loops, id) != loops.end()) continue;
        return used_elsewhere(trace, list, loop.spec->call,
                              std::max<std::size_t>(uses_of_literal(trace, list).size(), 2));
    }
    return other_user_of_list(trace, list, loops);
}

}  // namespace ptofix::rewrites
