// The single checks behind can_be_device_loop, one for each kind of blocker. Private to rewrites/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rewrites/loop_region.h"
#include "rules/finding.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

inline rules::Location location_of(const trace::Trace& trace, trace::Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

inline rules::Blocked blocked_at(const trace::Trace& trace, std::string_view reason, trace::Site site,
                                 std::string_view key = {}, std::string value = {}) {
    rules::Blocked blocked{{reason, {}}, location_of(trace, site)};
    if (!key.empty()) blocked.reason.data.set(std::string(key), std::move(value));
    return blocked;
}

/// The source text of a node on one line, shortened.
std::string shown(const trace::Trace& trace, trace::Site site);

/// A loop that is no plain `for name in range(...)`, or whose trips hand something to Python: a name, a list, a text.
std::optional<rules::Blocked> check_trips(const trace::Trace& trace, trace::LoopId loop);

/// Calls whose effect is not known, or that do something to Python once a trip.
std::optional<rules::Blocked> check_calls(const trace::Trace& trace, const LoopRegion& region);

/// Two trips that write the same place, or one that reads what another has written.
std::optional<rules::Blocked> check_writes(const trace::Trace& trace, trace::LoopId loop);

/// The index where only a Python number can stand: an operand, or a subscript that may be negative (Python counts from
/// the end there, a device index does not).
std::optional<rules::Blocked> check_index_places(const trace::Trace& trace, trace::LoopId loop);

/// Tile shapes that the loop leaves behind for the code after it.
std::optional<rules::Blocked> check_tiles_after(const trace::Trace& trace, trace::LoopId loop,
                                                const LoopRegion& region);

/// An operation in the loop that the compiler refuses for its vec tile: that comes first, and decides how the loop may
/// look.
std::optional<rules::Blocked> check_tiles_inside(const trace::Trace& trace, trace::LoopId loop);

/// A buffer that the loop fills and later code reads; a slice whose length may not come out as a number.
std::optional<rules::Blocked> doubt_places(const trace::Trace& trace, trace::LoopId loop);

}  // namespace ptofix::rewrites
