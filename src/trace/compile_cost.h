// What a kernel costs to compile: tile operations after the compiler has expanded it, function by function, as its own
// log counts them ("operation size is ... after expansion"). Held against measured counts by
// tests/unit/trace_compile_cost_test.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/graph_functions.h"
#include "trace/trace.h"

namespace ptofix::trace {

struct FunctionCost {
    GraphFunction function;
    std::int64_t fixed = 0;     // once a function: its inputs and outputs, casts that all copies of the body share
    std::int64_t per_copy = 0;  // for each copy of the body

    std::int64_t total() const;    // all that are made of it
    std::int64_t largest() const;  // the one with the most copies
};

struct KernelCost {
    std::int64_t total = 0;  // at least this many, where something is not known
    bool complete = true;    // every shape, tile, trip count and unroll list that it rests on is known
    std::vector<FunctionCost> functions;
    /// By operation, from KernelTrace::first_op: with all copies, and what is put beside it.
    std::vector<std::int64_t> operations;
};

KernelCost compile_cost(const Trace& trace, const KernelTrace& kernel);

/// Tile operations of one copy of the loop's body, loops inside multiplied.
std::int64_t body_cost(const Trace& trace, const KernelCost& cost, LoopId loop);

}  // namespace ptofix::trace
