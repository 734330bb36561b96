#include "rewrites/head_region.h"

#include <algorithm>
#include <set>

#include "rewrites/lines.h"
#include "rewrites/liveness.h"
#include "rewrites/loop_checks.h"
#include "rewrites/operands.h"
#include "rewrites/shape_reads.h"
#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::AxisUse;
using trace::Engine;
using trace::Op;
using trace::Operation;
using trace::Site;
using trace::TensorId;

// Nested device loops that the framework's code generator is made for: MAX_LOOP_DEPTH of codegen.
constexpr int kDeviceLoopDepth = 3;

class Collector {
  public:
    Collector(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence, const std::vector<AxisUse>& uses)
        : trace_(trace),
          evidence_(evidence),
          uses_(uses),
          kernel_(trace.kernels[evidence.kernel]),
          file_(*trace.files[kernel_.site.file]),
          tree_(file_.tree) {}

    HeadRegion run() {
        if (find_statements() && read_uses() && read_operands() && read_others() && check_memory() && check_names())
            check_python();
        return std::move(region_);
    }

  private:
    bool block(std::string_view id, NodeId node, std::string_view key = {}, std::string value = {}) {
        rules::Blocked blocked{{id, {}}, std::nullopt};
        if (!key.empty()) blocked.reason.data.set(std::string(key), std::move(value));
        if (node != kNoNode) blocked.location = rules::Location{kernel_.site.file, tree_.range(node)};
        if (!region_.blocked) region_.blocked = std::move(blocked);
        return false;
    }
    bool not_followed(NodeId node) {
        return block("blocked.not_followed", node, "what", std::string(file_.text(node).substr(0, 40)));
    }

    NodeId in_kernel(const Operation& op) const { return place_in_kernel(trace_, kernel_, op); }

    bool find_statements() {
        const Operation& matmul = trace_.operations[evidence_.matmul];
        const NodeId at = in_kernel(matmul);
        if (at == kNoNode || at != matmul.site.node) {
            return block("PTO104.blocked.in_helper", kNoNode);
        }
        region_.first = region_.last = tree_.statement_of(at);
        const NodeId block_node = tree_.parent(region_.first);
        bool stored = false;
        for (const AxisUse& use : uses_) {
            NodeId statement = in_kernel(trace_.operations[use.op]);
            if (statement == kNoNode) return block("PTO104.blocked.in_helper", kNoNode);
            // A buffer is whole only when all heads are in it.
            if (trace_.tensors[use.tensor].source == trace::TensorSource::buffer) {
                return block("PTO104.blocked.result_used_outside", statement);
            }
            statement = tree_.statement_of(statement);
            if (tree_.parent(statement) != block_node) return block("PTO104.blocked.result_used_outside", statement);
            region_.last = std::max(region_.last, statement);
            stored = stored || use.is_store;
        }
        if (!stored) return block("PTO104.blocked.no_store", region_.first);
        for (NodeId at_statement = region_.first;; at_statement = tree_[at_statement].subtree_end) {
            const Kind kind = tree_.kind(at_statement);
            if (kind != Kind::expression_statement && kind != Kind::comment && tree_[at_statement].named) {
                return not_followed(at_statement);
            }
            if (at_statement == region_.last) break;
        }
        const auto head = file_.lines.full_line_range(file_.lines.line_of(tree_[region_.first].start));
        const auto tail_line = file_.lines.line_of(tree_[region_.last].end);
        const auto tail = file_.lines.full_line_range(tail_line);
        const std::string_view behind = file_.text().substr(
            tree_[region_.last].end, file_.lines.line_range(tail_line).end - tree_[region_.last].end);
        const std::string_view trimmed = behind.substr(std::min(behind.find_first_not_of(" \t\f"), behind.size()));
        if (!begins_its_line(file_, region_.first) || !(trimmed.empty() || trimmed.starts_with('#'))) {
            return block("blocked.statement_shared", region_.first);
        }
        region_.lines = {head.start, tail.end};
        return true;
    }

    bool is_inside(NodeId node) const {
        return node != kNoNode && node >= region_.first && node < tree_[region_.last].subtree_end;
    }

    bool read_uses() {
        for (const AxisUse& use : uses_) {
            const Operation& op = trace_.operations[use.op];
            const NodeId at = in_kernel(op);
            const std::string name(trace::info(op.code).name);
            if (op.branch != trace::kNone && op.branch != trace_.operations[evidence_.matmul].branch)
                return not_followed(at);
            if (use.is_store) {
                if (at != op.site.node) return block("PTO104.blocked.in_helper", at);
                region_.stores.push_back({at, use.op, use.axis});
                continue;
            }
            if (use.result_axis == trace::kAxisGone) {
                return block(op.engine == Engine::view ? "PTO104.blocked.transposed_heads"
                                                       : "PTO104.blocked.consumers_mix_heads",
                             at, "operation", name);
            }
            if (op.engine == Engine::view && !read_shape(op, use, at)) return false;
        }
        return true;
    }

    /// A reshape or view names the number of heads: that number becomes the group's.
    bool read_shape(const Operation& op, const AxisUse& use, NodeId at) {
        if (trace::is(op, Op::squeeze) || trace::is(op, Op::unsqueeze)) return true;
        if (at != op.site.node) return block("PTO104.blocked.in_helper", at);
        if (tree_.kind(at) == Kind::subscript) return read_slice(at, use.axis);
        const NodeId shape = operand_node(trace_, op, "shape");
        if (shape == kNoNode || (tree_.kind(shape) != Kind::list && tree_.kind(shape) != Kind::tuple))
            return not_followed(at);
        const NodeId number = tree_.named_child(shape, static_cast<std::size_t>(use.result_axis));
        if (number == kNoNode) return not_followed(at);
        for (const NodeId child : tree_.children(shape)) {
            if (tree_.kind(child) == Kind::list_splat) return not_followed(at);
        }
        region_.extents.push_back(number);
        return true;
    }

    /// x[:, 0:64] takes all heads whatever their number.
    bool read_slice(NodeId subscript, int axis) {
        int at = 0;
        for (const NodeId child : tree_.children(subscript)) {
            if (tree_[child].field != Field::subscript) continue;
            if (tree_.kind(child) == Kind::ellipsis) return not_followed(subscript);
            if (at++ != axis) continue;
            if (file_.text(child) != ":") return not_followed(subscript);
        }
        return true;
    }

    /// Operands that hold all heads and do not come out of the matmul itself.
    bool read_operands() {
        const Operation& matmul = trace_.operations[evidence_.matmul];
        if (!add_operands(matmul, evidence_.head_axis, trace::kNoTensor)) return false;
        for (const AxisUse& use : uses_) {
            const Operation& op = trace_.operations[use.op];
            if (op.engine != Engine::vector) continue;
            if (!add_operands(op, use.axis, use.tensor)) return false;
        }
        return true;
    }

    /// The axis of the heads in a tensor that comes out of the matmul.
    std::optional<int> carried_axis(TensorId id) const {
        if (id == trace_.operations[evidence_.matmul].output) return evidence_.head_axis;
        for (const AxisUse& u : uses_) {
            if (u.result_axis != trace::kAxisGone && trace_.operations[u.op].output == id) return u.result_axis;
        }
        return std::nullopt;
    }

    bool add_operands(const Operation& op, int axis, TensorId carried) {
        if (op.output == trace::kNoTensor) return false;
        const auto result_rank = trace_.tensors[op.output].type.shape.size();
        for (const auto& [name, value] : op.arguments) {
            if (value.tag != trace::Tag::tensor || value.as.tensor == carried) continue;
            const trace::TensorType& type = trace_.tensors[value.as.tensor].type;
            const NodeId at = in_kernel(op);
            if (const auto own = carried_axis(value.as.tensor)) {
                // Broadcasting lines axes up from the last one.
                const auto rank = carried == trace::kNoTensor ? result_rank : trace_.tensors[carried].type.shape.size();
                if (*own == axis && type.shape.size() == rank) continue;
                return block("PTO104.blocked.consumers_mix_heads", at, "operation",
                             std::string(trace::info(op.code).name));
            }
            if (!type.shape_known()) return block("blocked.shape_unknown", at, "name", std::string(name));
            const bool matmul = op.engine == Engine::cube;
            if (type.shape.size() != result_rank && carried == trace::kNoTensor) return not_followed(at);
            if (static_cast<std::size_t>(axis) >= type.shape.size()) continue;
            if (!type.shape[static_cast<std::size_t>(axis)].is(evidence_.heads)) continue;  // the same for all heads
            if (!matmul && type.shape.size() != trace_.tensors[carried].type.shape.size()) return not_followed(at);
            const NodeId node = at == op.site.node ? operand_node(trace_, op, name) : kNoNode;
            if (node == kNoNode) return block("PTO104.blocked.in_helper", at);
            if (const NodeId made = made_inside(node); made != kNoNode) return not_followed(made);
            region_.operands.push_back({node, value.as.tensor, axis});
        }
        return true;
    }

    /// An operand is put in front of the loop: a name in it that the statements before it bind is not there yet.
    NodeId made_inside(NodeId operand) const {
        for (NodeId at = region_.first; tree_[at].subtree_end <= operand; at = tree_[at].subtree_end) {
            for (const Binding& b : bound_names(file_, at)) {
                if (const NodeId read = find_read(file_, operand, b.name); read != kNoNode) return read;
            }
        }
        return kNoNode;
    }

    /// What else happens between the statements: views and tile settings may run once for each group.
    bool read_others() {
        for (trace::OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            const NodeId at = in_kernel(op);
            const bool known =
                id == evidence_.matmul || std::ranges::any_of(uses_, [&](const AxisUse& u) { return u.op == id; });
            if (known || !is_inside(at)) continue;
            if (at == trace_.operations[evidence_.matmul].site.node) continue;  // another factor of an unrolled loop
            if (std::ranges::any_of(uses_, [&](const AxisUse& u) { return in_kernel(trace_.operations[u.op]) == at; }))
                continue;
            if (op.engine == Engine::view || op.engine == Engine::scalar) continue;
            // What makes an operand goes in front of the loop with it, if the same tile is in force there.
            if (is_in_operand(at) && op.vec_tile == trace_.operations[evidence_.matmul].vec_tile) continue;
            return not_followed(at);
        }
        for (trace::TileId id = 0; id < trace_.tiles.size(); ++id) {
            const Site call = trace_.tiles[id].call;
            if (call.file != kernel_.site.file || !is_inside(call.node)) continue;
            for (trace::OpId op = kernel_.first_op; op < kernel_.end_op; ++op) {
                const bool in_force = trace_.operations[op].vec_tile == id || trace_.operations[op].cube_tile == id;
                if (in_force && !is_inside(in_kernel(trace_.operations[op]))) region_.leaks_tiles = true;
            }
        }
        int depth = 0;
        for (trace::LoopId id = trace_.operations[evidence_.matmul].loop; id != trace::kNone;
             id = trace_.loops[id].parent) {
            const trace::Loop& loop = trace_.loops[id];
            // A Python loop would make the loop over the groups several times, under one name; of nested loops only the
            // innermost may be unrolled.
            const bool unrolled = loop.unroll.size() > 1 || !loop.unroll_known;
            if (!trace::is_device(loop.kind) || unrolled || ++depth >= kDeviceLoopDepth)
                region_.takes_device_loop = false;
        }
        return true;
    }

    trace::TensorId root(TensorId id) const {
        while (trace_.tensors[id].base != trace::kNoTensor) id = trace_.tensors[id].base;
        return id;
    }

    trace::SymInt head_offset(const RegionStore& store) const {
        const Operation& op = trace_.operations[store.op];
        const auto axis = static_cast<std::size_t>(store.axis);
        return axis < op.offsets.size() ? op.offsets[axis] : trace::SymInt::of(0);
    }

    /// One group after the other must come to the same as all at once: nothing reads what the statements write, and
    /// what is written twice is written for the same heads both times.
    bool check_memory() {
        for (const RegionStore& store : region_.stores) {
            const TensorId target = root(trace_.operations[store.op].output);
            for (const RegionStore& other : region_.stores) {
                if (root(trace_.operations[other.op].output) != target) continue;
                const trace::SymInt a = head_offset(store);
                if (store.axis != other.axis || a.unknown() || a != head_offset(other)) return not_followed(store.node);
            }
            for (trace::OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
                const NodeId at = in_kernel(trace_.operations[id]);
                if (!is_inside(at)) continue;
                const auto inputs = trace_.inputs(trace_.operations[id]);
                const bool reads = std::ranges::any_of(inputs, [&](TensorId t) { return root(t) == target; });
                if (reads) return block("PTO104.blocked.result_used_outside", at);
            }
        }
        return true;
    }

    /// What the statements bind must be theirs alone: nothing reads it behind them, or before they have bound it.
    bool check_names() {
        std::vector<std::string_view> bound;
        std::vector<Binding> all;
        for (NodeId at = region_.first;; at = tree_[at].subtree_end) {
            for (const Binding& b : bound_names(file_, at)) all.push_back(b);
            if (at == region_.last) break;
        }
        for (const Binding& binding : all) {
            if (const NodeId read = read_after(file_, region_.last, binding.name); read != kNoNode) {
                return block("PTO104.blocked.result_used_outside", read);
            }
        }
        for (NodeId at = region_.first;; at = tree_[at].subtree_end) {
            for (const Binding& binding : all) {
                if (std::ranges::find(bound, binding.name) != bound.end()) continue;
                const NodeId read = find_read(file_, at, binding.name);
                if (read == kNoNode || is_operand(read)) continue;
                return block("PTO104.blocked.carried_name", read, "name", std::string(binding.name));
            }
            for (const Binding& b : bound_names(file_, at)) bound.push_back(b.name);
            if (at == region_.last) break;
        }
        return true;
    }

    /// Python runs the statements once for each group, or once for all of them: they may change nothing that is older,
    /// nor ask how many heads there are.
    bool check_python() {
        const LoopRegion code(trace_, kernel_, region_.first, region_.last);
        if (auto blocked = check_calls(trace_, code)) {
            if (blocked->reason.id == "PTO201.blocked.list_append") blocked->reason.id = "PTO104.blocked.changes_state";
            region_.blocked = std::move(blocked);
            return false;
        }
        std::set<std::pair<int, std::int64_t>> axes;  // of the heads, with the rank
        const auto note = [&](TensorId tensor, int axis) {
            axes.emplace(axis, static_cast<std::int64_t>(trace_.tensors[tensor].type.shape.size()));
        };
        note(trace_.operations[evidence_.matmul].output, evidence_.head_axis);
        for (const AxisUse& use : uses_) {
            note(use.tensor, use.axis);
            if (use.result_axis != trace::kAxisGone) note(trace_.operations[use.op].output, use.result_axis);
        }
        for (const HeadOperand& operand : region_.operands) note(operand.tensor, operand.axis);
        std::set<std::string_view> bound;
        for (NodeId at = region_.first;; at = tree_[at].subtree_end) {
            for (const Binding& b : bound_names(file_, at)) bound.insert(b.name);
            if (at == region_.last) break;
        }
        KeptShape kept;
        kept.axis = [&](std::int64_t index) {
            return std::ranges::none_of(axes,
                                        [&](const auto& a) { return index == a.first || index == a.first - a.second; });
        };
        for (std::size_t i = 0; i < code.parts.size(); ++i) {
            const Site part = code.parts[i];
            const bool own = i < code.own;
            kept.concerns = [&](std::string_view name) { return !own || bound.contains(name); };
            const NodeId read = find_shape_read(*trace_.files[part.file], part.node, kept);
            if (read == kNoNode) continue;
            region_.blocked = blocked_at(trace_, "blocked.shape_read", {part.file, read});
            return false;
        }
        return true;
    }

    bool is_in_operand(NodeId node) const {
        return std::ranges::any_of(region_.operands,
                                   [&](const HeadOperand& o) { return tree_.is_inside(node, o.node); });
    }

    bool is_operand(NodeId node) const {
        return std::ranges::any_of(region_.operands, [&](const HeadOperand& o) { return o.node == node; });
    }

    const trace::Trace& trace_;
    const rules::HeadGroupEvidence& evidence_;
    const std::vector<AxisUse>& uses_;
    const trace::KernelTrace& kernel_;
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    HeadRegion region_;
};

}  // namespace

NodeId place_in_kernel(const trace::Trace& trace, const trace::KernelTrace& kernel, const Operation& op) {
    Site site = op.site;
    for (trace::FrameId frame = op.frame; frame != trace::kNone; frame = trace.frames[frame].parent) {
        if (trace.frames[frame].function == kernel.function) return site.file == kernel.site.file ? site.node : kNoNode;
        site = trace.frames[frame].call;
    }
    return kNoNode;
}

HeadRegion head_region(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence,
                       const std::vector<AxisUse>& uses) {
    return Collector(trace, evidence, uses).run();
}

}  // namespace ptofix::rewrites
