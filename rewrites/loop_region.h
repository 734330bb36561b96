// The code that a loop runs: its body and the project's functions called from there. Read by the legality checks.
#pragma once

#include <set>
#include <vector>

#include "trace/trace.h"

namespace ptofix::rewrites {

struct LoopRegion {
    /// The loop's body, then the bodies of the functions that it calls, each once.
    std::vector<trace::Site> parts;
    /// Every call, subscript and assignment target that the trace says something about.
    std::set<trace::Site> explained;

    LoopRegion(const trace::Trace& trace, trace::LoopId loop);
    bool contains(const trace::Trace& trace, trace::Site site) const;
};

}  // namespace ptofix::rewrites
