// What the rules about unroll lists share: which factors can run, and where the reader should look.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::detectors {

/// The factors that can run: those above the number of trips, where it is known, never do.
std::vector<std::int64_t> values_that_run(const trace::Trace& trace, const trace::Loop& loop);

struct UnrollJump {
    std::int64_t from = 0, to = 0;
    double ratio() const { return static_cast<double>(from) / static_cast<double>(to); }
};

/// The widest step between neighbours of a descending list, if one is wider than lists that ship have: PTO202 has such
/// a list, other rules leave it alone until it is mended.
std::optional<UnrollJump> widest_jump(const std::vector<std::int64_t>& values);

/// The list if it is written in the analysed file, else the loop's argument.
rules::Location place_of_unroll_list(const trace::Trace& trace, const trace::Loop& loop);

/// Adds the list and the loop to the finding's related places, where they are not what it points to.
void relate_unroll_list(const trace::Trace& trace, const trace::Loop& loop, rules::Finding& finding);

}  // namespace ptofix::detectors
