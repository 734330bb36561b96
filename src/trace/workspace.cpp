#include "trace/workspace.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "hardware/tile.h"
#include "trace/compile_cost.h"
#include "trace/graph_functions.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::trace {

namespace {

constexpr std::int64_t kAddressAlignment = 512;
constexpr std::int64_t kTaskAlignment = 32 * 1024;
// A tensor that goes from task to task has one block for the task that writes it and one for that which reads it.
constexpr std::int64_t kBlocksBetweenTasks = 2;

std::int64_t aligned(std::int64_t bytes, std::int64_t to) {
    return bytes > INT64_MAX - to ? bytes : (bytes + to - 1) / to * to;
}

class Sum {
  public:
    Sum(const Trace& trace, const KernelTrace& kernel, std::span<const Site> without)
        : trace_(trace), kernel_(kernel), without_(without) {}

    Workspace run() {
        const std::vector<GraphFunction> functions = graph_functions(trace_, kernel_);
        function_of_.assign(kernel_.end_op - kernel_.first_op, kNone);
        for (std::uint32_t i = 0; i < functions.size(); ++i) {
            for (const OpId id : functions[i].operations) function_of_[id - kernel_.first_op] = i;
        }
        find_read_elsewhere();
        for (const GraphFunction& function : functions) add(function);
        sum_.buffers = static_cast<std::int64_t>(buffers_.size());
        return sum_;
    }

  private:
    bool belongs(OpId id) const { return id >= kernel_.first_op && id < kernel_.end_op; }
    std::uint32_t function_of(OpId id) const { return belongs(id) ? function_of_[id - kernel_.first_op] : kNone; }

    /// Results and buffers that another function reads than the one that writes them.
    void find_read_elsewhere() {
        std::unordered_map<TensorId, std::uint32_t> writer;  // of a buffer; kNone: several
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            if (function_of(id) == kNone || op.output == kNoTensor) continue;
            const TensorId memory = memory_of(op.output);
            if (trace_.tensors[memory].source != TensorSource::buffer) continue;
            const auto [at, first] = writer.try_emplace(memory, function_of(id));
            if (!first && at->second != function_of(id)) at->second = kNone;
        }
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            if (function_of(id) == kNone) continue;
            for (const TensorId input : trace_.inputs(trace_.operations[id])) {
                const TensorId memory = memory_of(input);
                if (const auto at = writer.find(memory); at != writer.end()) {
                    if (at->second != function_of(id)) read_elsewhere_.insert(memory);
                    continue;
                }
                const std::uint32_t maker = function_of(trace_.tensors[memory].producer);
                if (maker != kNone && maker != function_of(id)) read_elsewhere_.insert(memory);
            }
        }
    }

    /// The tensor of whose memory it is a part.
    TensorId memory_of(TensorId tensor) const {
        while (trace_.tensors[tensor].base != kNoTensor) tensor = trace_.tensors[tensor].base;
        return tensor;
    }

    std::int64_t bytes_of(TensorId tensor) const {
        const auto shape = known_shape(trace_, tensor);
        const int bits = hardware::bits_of(trace_.tensors[tensor].type.dtype);
        if (!shape || bits == 0) return 0;
        std::int64_t elements = 1;
        for (const std::int64_t extent : *shape) elements = hardware::saturating_multiply(elements, extent);
        return hardware::saturating_multiply(elements, bits) / 8;
    }

    struct Life {
        std::size_t from = 0, to = 0;  // operations of the function
        bool crosses = false;          // from the cube to the vector unit, or back
    };

    void add(const GraphFunction& function) {
        std::map<TensorId, Life> lives;
        std::set<TensorId> results;
        for (std::size_t i = 0; i < function.operations.size(); ++i) {
            const OpId id = function.operations[i];
            const Operation& op = trace_.operations[id];
            for (const TensorId input : trace_.inputs(op)) {
                const TensorId memory = memory_of(input);
                const auto life = lives.find(memory);
                if (life == lives.end()) continue;
                life->second.to = i;
                const Engine made = trace_.operations[trace_.tensors[memory].producer].engine;
                if (is_unit(op.engine) && is_unit(made) && op.engine != made) life->second.crosses = true;
            }
            if (op.output == kNoTensor || std::ranges::find(without_, op.site) != without_.end()) continue;
            const TensorId memory = memory_of(op.output);
            const Tensor& written = trace_.tensors[memory];
            if (written.source == TensorSource::buffer) {
                if (!read_elsewhere_.contains(memory)) continue;
                (is_whole(op, memory) ? results : buffers_).insert(memory);
                note(memory);
            } else if (written.producer == id) {
                if (written.carried || read_elsewhere_.contains(memory)) {
                    results.insert(memory);
                    note(memory);
                } else {
                    lives[memory] = {i, i, false};
                }
            }
        }
        add_results(results);
        add_lives(lives, function.operations.size());
    }

    void add_results(const std::set<TensorId>& results) {
        std::int64_t left = 0;
        for (const TensorId result : results) left = hardware::saturating_add(left, bytes_of(result));
        sum_.left = std::max(sum_.left, left);
        sum_.results = std::max(sum_.results, static_cast<std::int64_t>(results.size()));
    }

    /// Memory of results that are read is used again, so what counts is how much is in use at one time.
    void add_lives(const std::map<TensorId, Life>& lives, std::size_t operations) {
        std::vector<std::int64_t> change(operations + 1, 0);
        TensorId largest = kNoTensor;
        for (const auto& [tensor, life] : lives) {
            if (!life.crosses) continue;
            const std::int64_t bytes = bytes_of(tensor);
            change[life.from] = hardware::saturating_add(change[life.from], bytes);
            change[life.to + 1] -= bytes;
            if (largest == kNoTensor || bytes > bytes_of(largest)) largest = tensor;
        }
        std::int64_t now = 0, most = 0;
        for (const std::int64_t each : change) {
            now = hardware::saturating_add(now, each);
            most = std::max(most, now);
        }
        if (most > sum_.inner) {
            sum_.inner = most;
            sum_.inner_op = trace_.tensors[largest].producer;
        }
    }

    static bool is_unit(Engine engine) { return engine == Engine::cube || engine == Engine::vector; }

    /// buffer[:] = value
    bool is_whole(const Operation& op, TensorId buffer) const {
        if (is(op, Op::assemble) || op.output != buffer) return false;
        return std::ranges::all_of(op.offsets, [](const SymInt& at) { return at.known() && at.value == 0; }) &&
               (op.extent.empty() || known_extent(op) == known_shape(trace_, buffer));
    }
    static std::optional<std::vector<std::int64_t>> known_extent(const Operation& op) {
        std::vector<std::int64_t> extent;
        for (const SymInt& each : op.extent) {
            if (!each.known()) return std::nullopt;
            extent.push_back(each.value);
        }
        return extent;
    }

    void note(TensorId tensor) {
        const std::int64_t bytes = bytes_of(tensor);
        if (bytes <= sum_.largest) return;
        sum_.largest = bytes;
        sum_.largest_tensor = tensor;
    }

    const Trace& trace_;
    const KernelTrace& kernel_;
    std::span<const Site> without_;
    std::vector<std::uint32_t> function_of_;
    std::set<TensorId> read_elsewhere_, buffers_;
    Workspace sum_;
};

}  // namespace

std::int64_t Workspace::bytes_of_function() const {
    return hardware::saturating_add(
        hardware::saturating_add(aligned(inner, kAddressAlignment), aligned(left, kAddressAlignment)),
        hardware::saturating_multiply(largest, buffers));
}

std::int64_t Workspace::bytes(std::int64_t functions, std::int64_t tasks) const {
    const std::int64_t between = hardware::saturating_multiply(largest, (results + buffers) * kBlocksBetweenTasks);
    const std::int64_t one =
        hardware::saturating_add(hardware::saturating_multiply(bytes_of_function(), functions), between);
    return hardware::saturating_multiply(aligned(one, kTaskAlignment), tasks);
}

Workspace workspace(const Trace& trace, const KernelTrace& kernel, std::span<const Site> without) {
    return Sum(trace, kernel, without).run();
}

}  // namespace ptofix::trace
