#include "trace/compile_cost.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "hardware/tile.h"
#include "trace/branch_totals.h"
#include "trace/graph_copies.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"

namespace ptofix::trace {

namespace {

/// In how many of a function's ways through its conditions an operation stands: each condition around it halves them.
std::int64_t ways_of(const Trace& trace, const GraphFunction& function, const Operation& op) {
    std::int64_t ways = function.ways;
    for (BranchId at = op.branch; ways > 1 && at != kNone; at = trace.branches[at].parent) {
        if (trace.branches[at].device) ways /= 2;
    }
    return std::max<std::int64_t>(ways, 1);
}

class Counter {
  public:
    Counter(const Trace& trace, const KernelTrace& kernel) : trace_(trace), kernel_(kernel), whole_(trace) {
        cost_.complete = kernel.complete;
        cost_.operations.resize(kernel.end_op - kernel.first_op, 0);
    }

    KernelCost count() {
        std::vector<GraphFunction> functions = graph_functions(trace_, kernel_);
        function_of_.resize(cost_.operations.size(), kNone);
        for (std::uint32_t i = 0; i < functions.size(); ++i) {
            for (const OpId id : functions[i].operations) function_of_[id - kernel_.first_op] = i;
        }
        find_read_elsewhere();
        for (GraphFunction& function : functions) count_function(std::move(function));
        cost_.total = whole_.total();
        for (LoopId id = kernel_.first_loop; id < kernel_.end_loop; ++id) {
            const Loop& loop = trace_.loops[id];
            if (loop.first_op == loop.end_op) continue;
            const bool known = is_device(loop.kind) ? loop.unroll_known : loop.per_item || loop.trips.known();
            cost_.complete = cost_.complete && known;
        }
        return std::move(cost_);
    }

  private:
    bool belongs(OpId id) const { return id >= kernel_.first_op && id < kernel_.end_op; }
    std::uint32_t function_of(OpId id) const { return belongs(id) ? function_of_[id - kernel_.first_op] : kNone; }
    std::uint32_t function_of_tensor(TensorId tensor) const { return function_of(trace_.tensors[tensor].producer); }

    /// Behind casts that are none.
    TensorId resolved(TensorId tensor) const {
        while (true) {
            const OpId producer = trace_.tensors[tensor].producer;
            if (!belongs(producer) || !is_free_cast(trace_, trace_.operations[producer])) return tensor;
            tensor = trace_.inputs(trace_.operations[producer])[0];
        }
    }

    void find_read_elsewhere() {
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const std::uint32_t reader = function_of(id);
            if (reader == kNone) continue;
            for (const TensorId input : trace_.inputs(trace_.operations[id])) {
                const std::uint32_t maker = function_of_tensor(input);
                if (maker != kNone && maker != reader) read_elsewhere_.insert(input);
            }
        }
    }

    void count_function(GraphFunction&& function) {
        FunctionCost result;
        result.function = std::move(function);
        function_ = &result.function;
        fixed_ = 0;
        BranchTotals per_copy(trace_);
        wide_.clear();
        copies_.assign(function_->operations.size(), 1);
        const OpId first = function_->operations.front();
        for (std::size_t i = 0; i < function_->operations.size(); ++i) {
            const OpId id = function_->operations[i];
            const Operation& op = trace_.operations[id];
            copies_[i] = copies_inside(trace_, *function_, op);
            const auto each = expanded_operations(trace_, op);
            cost_.complete = cost_.complete && each.has_value();
            scaled(per_copy, id, hardware::saturating_multiply(each.value_or(1), copies_[i]));
            if (op.engine == Engine::vector || op.in_place) casts_around(per_copy, id, copies_[i]);
        }
        const BranchId branch = trace_.operations[first].branch;
        const std::int64_t edges = edges_of(*function_);
        overhead(edges, branch);
        const auto copies = [&](OpId id) { return copies_inside(trace_, *function_, trace_.operations[id]); };
        const GraphCopies extra = graph_copies(trace_, *function_, [&](TensorId t) { return !made_here(t); }, copies);
        overhead(extra.fixed, branch);
        for (const auto& [id, amount] : extra.per_copy) scaled(per_copy, id, amount);
        result.fixed = fixed_;
        result.per_copy = per_copy.total();
        cost_.functions.push_back(std::move(result));
        function_ = nullptr;
    }

    /// For each copy of the body.
    void scaled(BranchTotals& per_copy, OpId id, std::int64_t amount) {
        const Operation& op = trace_.operations[id];
        if (function_->ways > 1 && function_->bodies > 1 && at_an_end(trace_, op)) return once(id, amount);
        const std::int64_t ways = ways_of(trace_, *function_, op);
        per_copy.add(op.branch, hardware::saturating_multiply(amount, ways));
        record(id, hardware::saturating_multiply(amount, hardware::saturating_multiply(ways, function_->bodies)));
    }
    /// Once a function.
    void once(OpId id, std::int64_t amount) {
        const std::int64_t ways = ways_of(trace_, *function_, trace_.operations[id]);
        fixed_ = hardware::saturating_add(fixed_, hardware::saturating_multiply(amount, ways));
        record(id, hardware::saturating_multiply(amount, hardware::saturating_multiply(ways, function_->factors)));
    }
    void record(OpId id, std::int64_t in_function) {
        const std::int64_t amount = hardware::saturating_multiply(in_function, function_->made);
        std::int64_t& sum = cost_.operations[id - kernel_.first_op];
        sum = hardware::saturating_add(sum, amount);
        whole_.add(trace_.operations[id].branch, amount);
    }
    /// Once a function and of no operation.
    void overhead(std::int64_t amount, BranchId branch) {
        amount = hardware::saturating_multiply(amount, function_->ways);
        fixed_ = hardware::saturating_add(fixed_, amount);
        whole_.add(branch, hardware::saturating_multiply(hardware::saturating_multiply(amount, function_->factors),
                                                         function_->made));
    }

    bool made_here(TensorId tensor) const {
        return function_of_tensor(tensor) == function_of(function_->operations.front());
    }

    /// A tensor is cast once for all operations of the function that want it in FP32; what such an operation makes is
    /// cast back, and the next one takes it as it was before.
    void casts_around(BranchTotals& per_copy, OpId id, std::int64_t copies) {
        const Operation& op = trace_.operations[id];
        for (const TensorId input : trace_.inputs(op)) {
            const TensorId tensor = resolved(input);
            if (!has_casts_around(op, trace_.tensors[tensor].type.dtype) || !wide_.insert(tensor).second) continue;
            const auto cast = inserted_cast(trace_, op, tensor);
            cost_.complete = cost_.complete && cast.has_value();
            if (made_here(tensor)) {
                const Operation& producer = trace_.operations[trace_.tensors[tensor].producer];
                scaled(per_copy, id,
                       hardware::saturating_multiply(cast.value_or(1), copies_inside(trace_, *function_, producer)));
            } else {
                once(id, cast.value_or(1));
            }
        }
        if (op.output == kNoTensor || !has_casts_around(op, trace_.tensors[op.output].type.dtype)) return;
        wide_.insert(op.output);
        const auto cast = inserted_cast(trace_, op, op.output);
        scaled(per_copy, id, hardware::saturating_multiply(cast.value_or(1), copies));
    }

    /// Arms of a run-time condition are functions of their own, but for the legacy frontend.
    bool is_arm(BranchId branch) const {
        return branch != kNone && trace_.branches[branch].device && !kernel_.legacy_frontend;
    }

    /// Each tensor that comes from outside is viewed once, each result that others read is put together once.
    std::int64_t edges_of(const GraphFunction& function) const {
        std::unordered_set<TensorId> from_outside, written;
        std::int64_t results = 0;
        for (const OpId id : function.operations) {
            const Operation& op = trace_.operations[id];
            for (const TensorId input : trace_.inputs(op)) {
                const TensorId tensor = resolved(input);
                if (!made_here(tensor) && !written.contains(tensor)) from_outside.insert(tensor);
            }
            if (op.output == kNoTensor) continue;
            const Tensor& output = trace_.tensors[op.output];
            if (output.producer != id) {
                written.insert(op.output);
            } else if (read_elsewhere_.contains(op.output) || output.carried || (output.joined && is_arm(op.branch))) {
                ++results;
            }
        }
        return static_cast<std::int64_t>(from_outside.size()) + results;
    }

    const Trace& trace_;
    const KernelTrace& kernel_;
    KernelCost cost_;
    BranchTotals whole_;
    std::vector<std::uint32_t> function_of_;
    std::unordered_set<TensorId> read_elsewhere_;
    const GraphFunction* function_ = nullptr;
    std::unordered_set<TensorId> wide_;
    std::vector<std::int64_t> copies_;
    std::int64_t fixed_ = 0;
};

}  // namespace

std::int64_t FunctionCost::total() const {
    const std::int64_t one = hardware::saturating_add(hardware::saturating_multiply(function.factors, fixed),
                                                      hardware::saturating_multiply(function.bodies, per_copy));
    return hardware::saturating_multiply(one, function.made);
}

std::int64_t FunctionCost::largest() const {
    return hardware::saturating_add(fixed, hardware::saturating_multiply(function.most_bodies, per_copy)) /
           function.ways;
}

KernelCost compile_cost(const Trace& trace, const KernelTrace& kernel) {
    return Counter(trace, kernel).count();
}

std::int64_t body_cost(const Trace& trace, const KernelCost& cost, LoopId loop) {
    std::int64_t sum = 0;
    for (const FunctionCost& each : cost.functions) {
        // Copies that loops between the function and `loop` make.
        std::int64_t copies = 1;
        LoopId at = each.function.around;
        bool inside = false;
        for (; at != kNone; at = trace.loops[at].parent) {
            if (at == loop) {
                inside = true;
                break;
            }
            if (at != each.function.loop) copies = hardware::saturating_multiply(copies, copies_of_body(trace, at));
        }
        if (!inside) continue;
        const bool own = each.function.loop == loop;
        const std::int64_t one =
            own ? hardware::saturating_add(each.fixed, each.per_copy)
                : hardware::saturating_add(hardware::saturating_multiply(each.function.factors, each.fixed),
                                           hardware::saturating_multiply(each.function.bodies, each.per_copy));
        sum = hardware::saturating_add(sum, hardware::saturating_multiply(one, copies));
    }
    return sum;
}

}  // namespace ptofix::trace
