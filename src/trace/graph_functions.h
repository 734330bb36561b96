// The straight-line pieces of a kernel that the compiler makes functions of: what stands between, before and behind its
// device loops and run-time conditions. Each has its own graph, so costs that operations share are shared inside one.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace ptofix::trace {

struct GraphFunction {
    LoopId loop = kNone;  // the innermost device loop around it; kNone: the kernel's own level
    /// The innermost loop that repeats it as a whole: `loop`, or a Python loop that holds device loops.
    LoopId around = kNone;
    std::vector<OpId> operations;
    /// How often loops around `loop` repeat it: unroll factors, and Python loops that hold device loops.
    std::int64_t made = 1;
    /// An unroll list makes one function for each factor, with as many copies of the body: how many functions, copies
    /// in all of them, copies in the largest. Loops and conditions inside cut every copy into functions of its own.
    std::int64_t factors = 1, bodies = 1, most_bodies = 1;
    /// The legacy frontend makes a function for each way through its conditions.
    std::int64_t ways = 1;
};

/// In the order of the kernel. Operations that nothing reads and that store nothing are left out, as the compiler does.
std::vector<GraphFunction> graph_functions(const Trace& trace, const KernelTrace& kernel);

/// Does the operation stand where only the first or the last iteration comes by (is_loop_begin, is_loop_end)?
bool at_an_end(const Trace& trace, const Operation& op);

/// How often a loop puts its body into the graph: the sum of an unroll list, the trips of a Python loop, 1 where they
/// are not known or where the copies are operations of their own.
std::int64_t copies_of_body(const Trace& trace, LoopId loop);

/// Copies of one operation inside its function, for one copy of the body: the trips of the Python loops between it and
/// the function's loop. A trip count that is not known counts 1.
std::int64_t copies_inside(const Trace& trace, const GraphFunction& function, const Operation& op);

}  // namespace ptofix::trace
