// Whether a Python loop of a kernel can become a device loop: every trip is then recorded once, with an index that is
// no number yet. Asked by the rewriters of PTO201.
#pragma once

#include <optional>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct LoopVerdict {
    std::optional<rules::Blocked> blocked;  // it cannot
    std::optional<rules::Blocked> doubt;    // it can, but a person has to look at this
};

/// Of one traced run of the loop. A loop in a helper, or of a kernel with several contexts, has one for each.
LoopVerdict can_be_device_loop(const trace::Trace& trace, trace::LoopId loop);

}  // namespace ptofix::rewrites
