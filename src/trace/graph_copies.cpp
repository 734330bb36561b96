#include "trace/graph_copies.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>

#include "trace/operations.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::trace {

namespace {

using Shape = std::vector<std::int64_t>;

bool is_reshape(const Operation& op) {
    return is(op, Op::reshape) || is(op, Op::squeeze) || is(op, Op::unsqueeze);
}
bool is_view(const Operation& op) {
    return op.engine == Engine::view && !is_reshape(op);
}
bool is_store(const Operation& op) {
    return is(op, Op::assemble) || is(op, Op::move);
}

/// Axes of two shapes of the same elements, paired off in groups whose products agree.
struct AxisGroup {
    std::size_t from, from_end, to, to_end;
};
std::optional<std::vector<AxisGroup>> paired(const Shape& from, const Shape& to) {
    std::vector<AxisGroup> groups;
    std::size_t i = 0, j = 0;
    while (i < from.size() && j < to.size()) {
        AxisGroup group{i, i + 1, j, j + 1};
        std::int64_t a = from[i++], b = to[j++];
        while (a != b) {
            if (a < b ? i == from.size() : j == to.size()) return std::nullopt;
            std::int64_t& smaller = a < b ? a : b;
            const std::int64_t factor = a < b ? from[i++] : to[j++];
            if (factor <= 0 || __builtin_mul_overflow(smaller, factor, &smaller)) return std::nullopt;
        }
        group.from_end = i;
        group.to_end = j;
        groups.push_back(group);
    }
    return i == from.size() && j == to.size() ? std::optional(groups) : std::nullopt;
}

class Rewriter {
  public:
    Rewriter(const Trace& trace, const GraphFunction& function, const std::function<bool(TensorId)>& outside,
             const std::function<std::int64_t(OpId)>& copies)
        : trace_(trace), function_(function), outside_(outside), copies_(copies) {}

    GraphCopies run() {
        for (const OpId id : function_.operations) {
            const Operation& op = trace_.operations[id];
            has_matmul_ = has_matmul_ || op.engine == Engine::cube;
            has_layout_ = has_layout_ || is_reshape(op) || is_store(op) || is_batched(op);
        }
        if (!has_layout_) return {};
        for (const OpId id : function_.operations) {
            for (const TensorId input : trace_.inputs(trace_.operations[id])) readers_[input].push_back(id);
        }
        if (has_matmul_ && shapes_allow() && has_cascade()) {
            reorder();
        } else {
            copy_reshapes();
        }
        copy_stores();
        return std::move(result_);
    }

  private:
    const Operation& operation(OpId id) const { return trace_.operations[id]; }
    const TensorType& type(TensorId id) const { return trace_.tensors[id].type; }
    /// The operation of this function that made the tensor; null for what comes from outside.
    const Operation* producer(TensorId tensor) const {
        if (outside_(tensor) || trace_.tensors[tensor].producer == kNone) return nullptr;
        return &operation(trace_.tensors[tensor].producer);
    }
    bool is_batched(const Operation& op) const {
        return info(op.code).shape == ShapeRule::matmul && op.input_count > 1 &&
               type(trace_.inputs(op)[0]).shape.size() > 2;
    }

    /// Every tensor at the edge has known axes but the first.
    bool shapes_allow() const {
        for (const auto& [tensor, by] : readers_) {
            if (!outside_(tensor)) continue;
            const auto& shape = type(tensor).shape;
            if (std::ranges::any_of(shape.begin() + (shape.empty() ? 0 : 1), shape.end(),
                                    [](SymInt d) { return !d.known(); })) {
                return false;
            }
        }
        return true;
    }

    /// A reshape of a view of a view: a part of a parameter is one, for the parameter itself is viewed where it comes
    /// in.
    bool has_cascade() const {
        const auto viewed_twice = [&](TensorId part) {
            if (outside_(part)) return false;
            const Operation* view = producer(part);
            if (view == nullptr || !is_view(*view) || view->input_count == 0) return false;
            const TensorId base = trace_.inputs(*view)[0];
            const Operation* before = producer(base);
            return outside_(base) || (before != nullptr && is_view(*before));
        };
        return std::ranges::any_of(function_.operations, [&](OpId id) {
            const Operation& op = operation(id);
            if (op.input_count == 0) return false;
            if (is_reshape(op)) return viewed_twice(trace_.inputs(op)[0]);
            if (!is_batched(op)) return false;
            return std::ranges::any_of(trace_.inputs(op), [&](TensorId operand) {
                const Operation* before = producer(operand);
                return outside_(operand) || (before != nullptr && is_view(*before));
            });
        });
    }

    /// Views of views become one, and of reshapes that are stored side by side in one tensor a single one is left.
    void reorder() {
        for (const auto& [tensor, by] : readers_) {
            const bool viewed_only = std::ranges::all_of(by, [&](OpId id) {
                return is_view(operation(id)) || (is_batched(operation(id)) && operation(id).input_count <= 2);
            });
            if (!viewed_only) continue;
            if (outside_(tensor)) {
                --result_.fixed;
            } else if (const Operation* view = producer(tensor); view != nullptr && is_view(*view)) {
                const OpId id = trace_.tensors[tensor].producer;
                result_.per_copy.emplace_back(id, -copies_(id));
            }
        }
        std::map<std::pair<TensorId, std::size_t>, bool> groups;
        for (const OpId id : function_.operations) {
            const Operation& op = operation(id);
            if (is_batched(op)) {
                std::int64_t batches = 1;
                const auto& shape = type(op.output).shape;
                for (std::size_t i = 0; i + 2 < shape.size(); ++i) batches *= shape[i].known() ? shape[i].value : 1;
                result_.per_copy.emplace_back(id, -(batches - 1) * copies_(id));
            }
            const Operation* store = is_reshape(op) ? store_behind(op) : nullptr;
            if (store == nullptr) continue;
            result_.per_copy.emplace_back(id, -copies_(id));
            if (groups.emplace(std::pair(store->output, type(trace_.inputs(op)[0]).shape.size()), true).second) {
                ++result_.fixed;
            }
        }
    }

    /// The store that takes a reshape's result and nothing else does, when both can change places.
    const Operation* store_behind(const Operation& reshape) const {
        if (reshape.output == kNoTensor || reshape.input_count == 0) return nullptr;
        const auto by = readers_.find(reshape.output);
        if (by == readers_.end() || by->second.size() != 1) return nullptr;
        const Operation& store = operation(by->second[0]);
        if (!is(store, Op::assemble) || store.output == kNoTensor) return nullptr;
        const Operation* before = producer(trace_.inputs(reshape)[0]);
        if (before != nullptr && is(*before, Op::sub)) return nullptr;  // the pass leaves these alone
        const auto from = known_shape(trace_, trace_.inputs(reshape)[0]);
        const auto to = known_shape(trace_, reshape.output);
        const auto& into = type(store.output).shape;
        if (!from || !to || into.size() != to->size()) return nullptr;
        const auto groups = paired(*from, *to);
        if (!groups) return nullptr;
        for (const AxisGroup& group : *groups) {
            if (group.from_end - group.from == group.to_end - group.to) continue;
            if (group.from_end - group.from != 1) return nullptr;
            // The part is one piece: ones in front, one axis cut, whole axes behind.
            std::size_t cut = group.to;
            while (cut + 1 < group.to_end && (*to)[cut] == 1) ++cut;
            for (std::size_t i = cut + 1; i < group.to_end; ++i) {
                if (!into[i].is((*to)[i])) return nullptr;
            }
        }
        return &store;
    }

    /// Where a tensor's memory is that of one that comes from outside: through views, reshapes and stores.
    TensorId memory_of(TensorId tensor) const {
        for (int steps = 0; steps < 64 && !outside_(tensor); ++steps) {
            const Operation* by = producer(tensor);
            if (by == nullptr || by->engine != Engine::view || by->input_count == 0) return kNoTensor;
            const TensorId before = trace_.inputs(*by)[0];
            // A reshape that copies its operand first begins new memory; so does one in front of which a copy is put.
            if (is_reshape(*by) && expanded_operations(trace_, *by).value_or(1) != 1) return kNoTensor;
            if (is_reshape(*by) && copied_.contains(by)) return kNoTensor;
            tensor = before;
        }
        return outside_(tensor) ? tensor : kNoTensor;
    }

    /// Where a tensor goes whole: the parameter or buffer it is stored in, by way of reshapes.
    TensorId stored_in(TensorId tensor) const {
        for (int steps = 0; steps < 64; ++steps) {
            const auto by = readers_.find(tensor);
            if (by == readers_.end() || by->second.size() != 1) return kNoTensor;
            const Operation& op = operation(by->second[0]);
            if (is_store(op)) return op.output;
            if (!is_reshape(op) || op.output == kNoTensor) return kNoTensor;
            tensor = op.output;
        }
        return kNoTensor;
    }

    bool differs_in_size(TensorId a, TensorId b) const {
        const auto elements = [&](TensorId id) -> std::optional<std::int64_t> {
            std::int64_t product = 1;
            for (const SymInt d : type(id).shape) {
                if (!d.known() || __builtin_mul_overflow(product, d.value, &product)) return std::nullopt;
            }
            return product;
        };
        const auto x = elements(a), y = elements(b);
        return !x || !y || *x != *y;
    }

    /// The pass leaves reshapes alone that belong to a matmul of single batches.
    bool belongs_to_matmul(const Operation& reshape) const {
        const auto from = type(trace_.inputs(reshape)[0]).shape;
        const auto to = type(reshape.output).shape;
        if (from.size() == to.size() || from.size() < 2 || to.size() < 2) return false;
        const auto& longer = from.size() > to.size() ? from : to;
        const auto& shorter = from.size() > to.size() ? to : from;
        const std::size_t more = longer.size() - shorter.size();
        const bool ones = std::all_of(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(more),
                                      [](SymInt d) { return d.is(1); });
        if (more > 2 || !ones ||
            !std::equal(shorter.begin(), shorter.end(), longer.begin() + static_cast<std::ptrdiff_t>(more))) {
            return false;
        }
        const auto by = readers_.find(reshape.output);
        const Operation* before = producer(trace_.inputs(reshape)[0]);
        if (before == nullptr || by == readers_.end()) return false;
        if (is_view(*before)) {
            const bool feeds =
                std::ranges::any_of(by->second, [&](OpId id) { return operation(id).engine == Engine::cube; });
            const bool viewed = std::ranges::all_of(by->second, [&](OpId id) { return is_view(operation(id)); });
            return feeds || viewed;
        }
        if (before->engine != Engine::cube && !is(*before, Op::add)) return false;
        return std::ranges::all_of(by->second, [&](OpId id) { return is(operation(id), Op::assemble); });
    }

    void copy_reshapes() {
        for (const OpId id : function_.operations) {
            const Operation& op = operation(id);
            if (!is_reshape(op) || op.input_count == 0 || op.output == kNoTensor) continue;
            if (expanded_operations(trace_, op).value_or(1) != 1) continue;  // it copies by itself
            const TensorId input = trace_.inputs(op)[0];
            const TensorId source = memory_of(input);
            if (source != kNoTensor && differs_in_size(source, op.output) && !belongs_to_matmul(op)) {
                copied_[&op] = true;
                const Operation* before = producer(input);
                put_copy(id, input, {before != nullptr ? before->vec_tile : kNone, op.vec_tile});
            }
            const TensorId target = stored_in(op.output);
            if (target != kNoTensor && differs_in_size(input, target) && !belongs_to_matmul(op)) {
                const OpId reader = readers_.at(op.output)[0];
                put_copy(id, op.output, {operation(reader).vec_tile, kNone});
            }
        }
    }

    /// A part of one tensor stored in another without work in between is copied. What scatter_update has put its rows
    /// into never is: the rows are, where all of it is moved into another tensor.
    void copy_stores() {
        std::unordered_map<TensorId, const Operation*> scattered;
        for (const OpId id : function_.operations) {
            const Operation& op = operation(id);
            if (is(op, Op::scatter_update)) {
                scattered[op.output] = &op;
                continue;
            }
            if (!is_store(op) || op.input_count == 0 || op.output == kNoTensor) continue;
            const TensorId input = trace_.inputs(op)[0];
            const auto by_rows = scattered.find(input);
            const Operation* scatter = by_rows == scattered.end() ? nullptr : by_rows->second;
            scattered.erase(op.output);
            if (scatter != nullptr) {
                if (is(op, Op::move) && op.output != input) put_copy_of_rows(id, *scatter);
                continue;
            }
            const TensorId source = memory_of(input);
            if (source == kNoTensor || source == op.output) continue;
            const Operation* before = producer(input);
            put_copy(id, input, {before != nullptr ? before->vec_tile : kNone, kNone});
        }
    }

    void put_copy_of_rows(OpId id, const Operation& scatter) {
        const TensorId rows = trace_.inputs(scatter).back();
        const Operation* before = producer(rows);
        put_copy(id, rows, {before != nullptr ? before->vec_tile : kNone, kNone});
    }

    /// Under the first of these tiles that has as many axes as the tensor; under a tile of the pass's own otherwise.
    void put_copy(OpId id, TensorId tensor, std::initializer_list<TileId> tiles) {
        const auto shape = known_shape(trace_, tensor);
        if (!shape) return;
        std::optional<Shape> tile;
        for (const TileId candidate : tiles) {
            if (tile) break;
            tile = known_tile(trace_, candidate);
            if (tile && tile->size() != shape->size()) tile.reset();
        }
        const auto cost = copy_of(tile ? *tile : own_tile(*shape), *shape);
        if (cost) result_.per_copy.emplace_back(id, *cost * copies_(id));
    }

    /// infer_memory_conflict.cpp, SetDefaultShape: powers of two from the last axis on, 16384 elements together.
    static Shape own_tile(const Shape& shape) {
        std::int64_t left = 16'384;
        constexpr std::int64_t kLeastTail = 32;
        Shape tile(shape.size(), 1);
        for (std::size_t i = shape.size(); i-- > 0;) {
            auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(shape[i])));
            if (i + 1 == shape.size()) size = std::max(size, kLeastTail);
            tile[i] = std::max<std::int64_t>(std::min(left, size), 1);
            left /= tile[i];
        }
        return tile;
    }

    const Trace& trace_;
    const GraphFunction& function_;
    const std::function<bool(TensorId)>& outside_;
    const std::function<std::int64_t(OpId)>& copies_;
    bool has_matmul_ = false, has_layout_ = false;
    std::unordered_map<TensorId, std::vector<OpId>> readers_;
    std::unordered_map<const Operation*, bool> copied_;
    GraphCopies result_;
};

}  // namespace

GraphCopies graph_copies(const Trace& trace, const GraphFunction& function,
                         const std::function<bool(TensorId)>& comes_from_outside,
                         const std::function<std::int64_t(OpId)>& copies) {
    return Rewriter(trace, function, comes_from_outside, copies).run();
}

}  // namespace ptofix::trace
