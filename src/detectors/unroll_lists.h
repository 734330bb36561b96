// What the rules about unroll lists share: which factors can run, and where the reader should look.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::detectors {

/// The factors that can run: those above the number of trips, where it is known, never do.
std::vector<std::int64_t> values_that_run(const trace::Trace& trace, const trace::Loop& loop);

/// The list if it is written in the analysed file, else the loop's argument.
rules::Location place_of_unroll_list(const trace::Trace& trace, const trace::Loop& loop);

/// Adds the list and the loop to the finding's related places, where they are not what it points to.
void relate_unroll_list(const trace::Trace& trace, const trace::Loop& loop, rules::Finding& finding);

}  // namespace ptofix::detectors
