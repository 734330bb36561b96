#include "trace/graph_functions.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "trace/operations.h"
#include "trace/project.h"
#include "trace/tile_estimate.h"

namespace ptofix::trace {

namespace {

// 2 to this power ways through the conditions of one body are more than anyone waits for.
constexpr std::size_t kMostConditions = 16;

std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}
std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

bool makes_no_node(const Operation& op) {
    return op.engine == Engine::control || op.engine == Engine::scalar || is(op, Op::tensor) || is(op, Op::from_torch);
}

std::string_view condition_of(const Trace& trace, const Branch& branch) {
    const SourceFile& file = *trace.files[branch.site.file];
    const syntax::NodeId condition = file.tree.child(branch.site.node, syntax::Field::condition);
    return condition == syntax::kNoNode ? std::string_view{} : file.text(condition);
}

class Splitter {
  public:
    Splitter(const Trace& trace, const KernelTrace& kernel) : trace_(trace), kernel_(kernel) {
        holds_device_.resize(kernel.end_loop - kernel.first_loop, false);
        for (LoopId id = kernel.first_loop; id < kernel.end_loop; ++id) {
            if (!is_device(trace.loops[id].kind)) continue;
            for (LoopId at = trace.loops[id].parent; at != kNone; at = trace.loops[at].parent) mark(at);
        }
        find_live();
    }

    std::vector<GraphFunction> split() {
        std::vector<GraphFunction> functions;
        Place last;
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            if (makes_no_node(op)) continue;
            const Place place = place_of(id, op);
            if (functions.empty() || place != last) functions.push_back(function_at(place));
            last = place;
            if (live_[id - kernel_.first_op]) functions.back().operations.push_back(id);
        }
        std::erase_if(functions, [](const GraphFunction& f) { return f.operations.empty(); });
        cut_copies(functions);
        if (kernel_.legacy_frontend) count_ways(functions);
        return functions;
    }

  private:
    struct Place {
        LoopId device = kNone;   // innermost device loop
        LoopId holder = kNone;   // innermost Python loop inside it that holds device loops itself
        std::size_t factor = 0;  // of loop_unroll
        BranchId arm = kNone;    // innermost arm that is decided at run time
        bool operator==(const Place&) const = default;
    };

    void mark(LoopId id) {
        if (id >= kernel_.first_loop && id < kernel_.end_loop) holds_device_[id - kernel_.first_loop] = true;
    }
    bool holds_device(LoopId id) const {
        return id >= kernel_.first_loop && id < kernel_.end_loop && holds_device_[id - kernel_.first_loop];
    }

    Place place_of(OpId id, const Operation& op) const {
        Place place;
        for (LoopId at = op.loop; at != kNone; at = trace_.loops[at].parent) {
            if (is_device(trace_.loops[at].kind)) {
                place.device = at;
                const auto& starts = trace_.loops[at].factor_starts;
                place.factor = static_cast<std::size_t>(std::ranges::upper_bound(starts, id) - starts.begin());
                break;
            }
            if (place.holder == kNone && holds_device(at)) place.holder = at;
        }
        if (!kernel_.legacy_frontend) {
            place.arm = op.branch;
            while (place.arm != kNone && !trace_.branches[place.arm].device)
                place.arm = trace_.branches[place.arm].parent;
        }
        return place;
    }

    GraphFunction function_at(const Place& place) const {
        GraphFunction function;
        function.loop = place.device;
        if (place.device != kNone) {
            const Loop& loop = trace_.loops[place.device];
            if (loop.kind == LoopKind::device_loop && !loop.unroll.empty()) {
                function.factors = static_cast<std::int64_t>(loop.unroll.size());
                function.bodies = std::reduce(loop.unroll.begin(), loop.unroll.end(), std::int64_t{0}, add);
                function.most_bodies = loop.unroll.front();
            }
        }
        function.around = place.holder != kNone ? place.holder : place.device;
        for (LoopId at = function.around; at != kNone; at = trace_.loops[at].parent) {
            if (at != place.device) function.made = multiply(function.made, copies_of_body(trace_, at));
        }
        return function;
    }

    /// From behind: what stores is live, and what something live reads.
    void find_live() {
        live_.resize(kernel_.end_op - kernel_.first_op, false);
        for (OpId id = kernel_.end_op; id-- > kernel_.first_op;) {
            if (!live_[id - kernel_.first_op] && !stores(id)) continue;
            live_[id - kernel_.first_op] = true;
            for (const TensorId input : trace_.inputs(trace_.operations[id])) keep(input);
        }
    }
    void keep(TensorId tensor) {
        const OpId producer = trace_.tensors[tensor].producer;
        if (producer != kNone && producer >= kernel_.first_op && producer < kernel_.end_op) {
            live_[producer - kernel_.first_op] = true;
        }
    }
    /// Writes to a tensor that is not its own result, or leaves a value that may be read where no operand shows it.
    bool stores(OpId id) const {
        const Operation& op = trace_.operations[id];
        if (op.output == kNoTensor || op.in_place) return true;
        const Tensor& output = trace_.tensors[op.output];
        return output.producer != id || output.joined || info(op.code).results > 1;
    }

    /// A body that holds other functions is not one: each of its copies is several.
    void cut_copies(std::vector<GraphFunction>& functions) const {
        std::vector<LoopId> own, around;
        for (const GraphFunction& function : functions) {
            own.push_back(function.loop);
            for (LoopId at = function.loop; at != kNone; at = trace_.loops[at].parent) {
                if (at != function.loop && is_device(trace_.loops[at].kind)) around.push_back(at);
            }
        }
        for (GraphFunction& function : functions) {
            if (function.bodies == 1) continue;
            const bool holds = std::ranges::find(around, function.loop) != around.end();
            if (!holds && std::ranges::count(own, function.loop) == 1) continue;
            function.factors = function.bodies;
            function.most_bodies = 1;
        }
    }

    /// Conditions that read alike are decided together.
    void count_ways(std::vector<GraphFunction>& functions) const {
        for (GraphFunction& function : functions) {
            std::vector<std::string_view> conditions;
            for (const OpId id : function.operations) {
                for (BranchId at = trace_.operations[id].branch; at != kNone; at = trace_.branches[at].parent) {
                    const std::string_view condition = condition_of(trace_, trace_.branches[at]);
                    if (!trace_.branches[at].device) continue;
                    if (std::ranges::find(conditions, condition) == conditions.end()) conditions.push_back(condition);
                }
            }
            function.ways = std::int64_t{1} << std::min(conditions.size(), kMostConditions);
        }
    }

    const Trace& trace_;
    const KernelTrace& kernel_;
    std::vector<bool> holds_device_, live_;
};

}  // namespace

std::vector<GraphFunction> graph_functions(const Trace& trace, const KernelTrace& kernel) {
    return Splitter(trace, kernel).split();
}

bool at_an_end(const Trace& trace, const Operation& op) {
    for (BranchId at = op.branch; at != kNone; at = trace.branches[at].parent) {
        const Branch& branch = trace.branches[at];
        if (branch.device && branch.arm == 0 && condition_of(trace, branch).contains("is_loop_")) return true;
    }
    return false;
}

std::int64_t copies_of_body(const Trace& trace, LoopId id) {
    const Loop& loop = trace.loops[id];
    if (loop.per_item || loop.kind == LoopKind::device_unroll) return 1;
    if (loop.kind == LoopKind::device_loop) {
        return loop.unroll.empty() ? 1 : std::reduce(loop.unroll.begin(), loop.unroll.end(), std::int64_t{0}, add);
    }
    return loop.trips.known() ? std::max<std::int64_t>(loop.trips.value, 1) : 1;
}

std::int64_t copies_inside(const Trace& trace, const GraphFunction& function, const Operation& op) {
    std::int64_t copies = 1;
    for (LoopId at = op.loop; at != kNone && at != function.around; at = trace.loops[at].parent) {
        const Loop& loop = trace.loops[at];
        if (!loop.per_item && loop.trips.known())
            copies = multiply(copies, std::max<std::int64_t>(loop.trips.value, 1));
    }
    return copies;
}

}  // namespace ptofix::trace
