// The code that a loop runs, or is to run: statements and the project's functions called from there. Read by the
// legality checks.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "trace/trace.h"

namespace ptofix::rewrites {

struct LoopRegion {
    /// The loop's body or the statements, then the bodies of the functions that they call, each once.
    std::vector<trace::Site> parts;
    /// How many of the parts are the statements themselves, which share their names.
    std::size_t own = 1;
    /// Statements that are no loop yet: the trace says less about what they change.
    bool by_statement = false;
    /// Every call, subscript and assignment target that the trace says something about.
    std::shared_ptr<const std::set<trace::Site>> explained;

    LoopRegion(const trace::Trace& trace, trace::LoopId loop);
    /// Statements of a kernel's own block, from the first to the last.
    LoopRegion(const trace::Trace& trace, const trace::KernelTrace& kernel, syntax::NodeId first, syntax::NodeId last);
    bool contains(const trace::Trace& trace, trace::Site site) const;

  private:
    template <typename FromHere>
    void add_callees(const trace::Trace& trace, FromHere&& is_from_here);
};

}  // namespace ptofix::rewrites
