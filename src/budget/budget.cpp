#include "budget/budget.h"

#include <algorithm>

#include "budget/room.h"
#include "budget/tile_budget.h"

namespace ptofix::budget {

namespace {

using trace::KernelTrace;
using trace::LoopId;
using trace::Trace;

/// Is the function made of what stands in this loop?
bool stands_in(const Trace& trace, const trace::GraphFunction& function, LoopId loop) {
    LoopId at = function.around;
    while (at != trace::kNone && at != loop) at = trace.loops[at].parent;
    return at == loop;
}

std::vector<LoopBudget> loops_of(const Trace& trace, const KernelTrace& kernel, const trace::KernelCost& cost) {
    std::vector<LoopBudget> loops;
    for (LoopId id = kernel.first_loop; id < kernel.end_loop; ++id) {
        const trace::Loop& loop = trace.loops[id];
        if (!trace::is_device(loop.kind) || loop.first_op == loop.end_op) continue;
        LoopBudget budget{id, trace::copies_of_body(trace, id), trace::body_cost(trace, cost, id), 0};
        for (const trace::FunctionCost& each : cost.functions) {
            if (stands_in(trace, each.function, id)) budget.largest = std::max(budget.largest, each.largest());
        }
        loops.push_back(budget);
    }
    return loops;
}

}  // namespace

std::vector<KernelBudget> budget_of(Trace& trace, hardware::Soc soc) {
    const hardware::Pools& pools = hardware::pools(soc);
    const trace::VectorMemory memory(trace, soc);
    std::vector<KernelBudget> budgets;
    for (trace::KernelId id = 0; id < trace.kernels.size(); ++id) {
        const KernelTrace& kernel = trace.kernels[id];
        if (kernel.is_helper || kernel.first_op == kernel.end_op) continue;
        const trace::KernelCost cost = trace::compile_cost(trace, kernel);
        KernelBudget budget;
        budget.kernel = id;
        budget.tile_operations = cost.total;
        budget.complete = cost.complete;
        for (const trace::FunctionCost& each : cost.functions)
            budget.largest = std::max(budget.largest, each.largest());
        budget.loops = loops_of(trace, kernel, cost);
        budget.workspace = trace::workspace(trace, kernel);
        const std::vector<std::int64_t> copies = copies_by_operation(trace, kernel, cost);
        for (const SettingGroup& group : setting_groups(trace, kernel)) {
            budget.tiles.push_back(tile_budget(trace, kernel, cost, copies, memory, group, pools));
            budget.tiles.back().other = other_tile(trace, kernel, cost, memory, group, budget.tiles.back(), pools);
        }
        budgets.push_back(std::move(budget));
    }
    return budgets;
}

}  // namespace ptofix::budget
