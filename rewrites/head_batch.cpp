#include "rewrites/head_batch.h"

#include <algorithm>
#include <array>
#include <optional>

#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using trace::BranchId;
using trace::code_of;
using trace::Engine;
using trace::kNoTensor;
using trace::Loop;
using trace::LoopId;
using trace::Op;
using trace::OpCode;
using trace::Operation;
using trace::OpId;
using trace::Symbols;
using trace::SymInt;
using trace::Tag;
using trace::TensorId;
using trace::TensorSource;
using trace::TensorType;
using trace::Trace;

/// What works element by element, whatever the axes.
constexpr auto kElementwise = [] {
    constexpr std::array ops{Op::abs, Op::add, Op::cast, Op::ceil, Op::div,        Op::exp,     Op::floor,  Op::log,
                             Op::mul, Op::neg, Op::pow,  Op::relu, Op::reciprocal, Op::rsqrt,   Op::round,  Op::sigmoid,
                             Op::sin, Op::cos, Op::sqrt, Op::sub,  Op::tanh,       Op::maximum, Op::minimum};
    std::array<OpCode, ops.size()> codes{};
    for (std::size_t i = 0; i < ops.size(); ++i) codes[i] = code_of(ops[i]);
    return codes;
}();

class Reader {
  public:
    Reader(const Trace& trace, LoopId id) : trace_(trace), loop_(trace.loops[id]), id_(id), symbols_(trace.symbols) {}

    std::optional<HeadBatch> read() {
        if (!loop_.start.is(0) || !loop_.step.is(1) || !loop_.trips.known()) return std::nullopt;
        batch_.heads = loop_.trips.value;
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            const bool plain = op.loop == id_ && op.frame == loop_.frame && op.branch == first_branch();
            if (!plain || !read(at, op)) return std::nullopt;
        }
        if (batch_.matmuls.empty() || batch_.stores.empty()) return std::nullopt;
        return std::move(batch_);
    }

  private:
    BranchId first_branch() const { return trace_.operations[loop_.first_op].branch; }

    const TensorType& type(TensorId t) const { return trace_.tensors[t].type; }
    const HeadValue* value(TensorId t) const {
        const auto found = batch_.values.find(t);
        return found == batch_.values.end() ? nullptr : &found->second;
    }

    bool read(OpId id, const Operation& op) {
        switch (op.engine) {
            case Engine::control:
            case Engine::scalar:
                return true;
            case Engine::view:
                return is(op, Op::view) ? read_view(op) : is(op, Op::reshape) && read_reshape(op);
            case Engine::cube:
                return is(op, Op::matmul) && read_matmul(id, op);
            case Engine::vector:
                return read_vector(id, op);
            case Engine::movement:
                return read_store(id, op);
            case Engine::create:
                return false;
        }
        return false;
    }

    /// The numbers of a shape; empty when one is not known.
    static std::vector<std::int64_t> numbers(const std::vector<SymInt>& dims) {
        std::vector<std::int64_t> out;
        for (SymInt d : dims) {
            if (!d.known()) return {};
            out.push_back(d.value);
        }
        return out;
    }

    struct Stretch {
        std::int64_t elements = 0;  // of one trip
        bool leading_axis = false;  // axis 0, one step a trip
    };
    /// Does trip h take the h-th of equal stretches of memory that make up all of the tensor?
    std::optional<Stretch> stretch(TensorId tensor, const std::vector<SymInt>& offsets,
                                   const std::vector<SymInt>& extent) {
        const std::vector<std::int64_t> dims = numbers(type(tensor).shape);
        const std::vector<std::int64_t> part = numbers(extent);
        if (type(tensor).nz || dims.empty() || part.size() != dims.size() || offsets.size() != dims.size())
            return std::nullopt;
        std::optional<std::size_t> axis;
        Stretch result{1, false};
        for (std::size_t i = 0; i < dims.size(); ++i) {
            result.elements *= part[i];
            if (offsets[i].is(0) && part[i] == dims[i]) continue;
            // Above the heads' axis only axes of one element, below it whole ones.
            const auto split = symbols_.split(offsets[i], loop_.index);
            if (axis || !split || !split->rest.is(0) || split->coefficient != part[i]) return std::nullopt;
            if (part[i] * batch_.heads != dims[i]) return std::nullopt;
            if (!std::all_of(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(i),
                             [](auto d) { return d == 1; })) {
                return std::nullopt;
            }
            axis = i;
            result.leading_axis = i == 0 && part[i] == 1;
        }
        if (!axis) return std::nullopt;
        return result;
    }

    /// The matrix that a shape of one trip is: its last two axes, when the axes before have one element.
    static std::optional<std::pair<std::int64_t, std::int64_t>> matrix(const std::vector<std::int64_t>& shape) {
        if (shape.size() < 2) return std::nullopt;
        for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
            if (shape[i] != 1) return std::nullopt;
        }
        return std::pair(shape[shape.size() - 2], shape.back());
    }

    bool lies_in_memory(TensorId t) const {
        const TensorSource source = trace_.tensors[t].source;
        return source == TensorSource::parameter || source == TensorSource::buffer;
    }

    bool read_view(const Operation& op) {
        const auto inputs = trace_.inputs(op);
        if (inputs.size() != 1 || op.output == kNoTensor || !op.valid_shape.empty() || value(inputs[0]) != nullptr)
            return false;
        if (type(op.output).dtype != type(inputs[0]).dtype || !lies_in_memory(inputs[0])) return false;
        const auto part = stretch(inputs[0], op.offsets, op.extent);
        const auto shape = matrix(numbers(type(op.output).shape));
        if (!part) return false;
        HeadValue head{HeadValue::Kind::slice, inputs[0], false, 0, 0};
        if (shape) {
            head.rows = shape->first;
            head.columns = shape->second;
        }
        head.whole = part->leading_axis && type(inputs[0]).shape.size() == 3;
        batch_.values.emplace(op.output, head);  // a block of another rank: the reshape that follows says which matrix
        return true;
    }

    bool read_reshape(const Operation& op) {
        const auto inputs = trace_.inputs(op);
        if (inputs.size() != 1 || op.output == kNoTensor || !op.valid_shape.empty()) return false;
        const HeadValue* from = value(inputs[0]);
        const auto shape = matrix(numbers(type(op.output).shape));
        if (from == nullptr || !shape || from->kind == HeadValue::Kind::shared) return false;
        HeadValue head = *from;
        if (head.kind == HeadValue::Kind::computed) {
            if (head.rows != shape->first || head.columns != shape->second) return false;  // only axes of one element
        } else if (head.rows != shape->first || head.columns != shape->second) {
            head.whole = false;
        }
        head.rows = shape->first;
        head.columns = shape->second;
        batch_.values.emplace(op.output, head);
        return true;
    }

    /// An operand of a matmul: of this trip, or a matrix in memory that all trips share.
    bool read_operand(TensorId t) {
        if (const HeadValue* head = value(t)) return head->rows > 0 && type(t).shape.size() == 2;
        const std::vector<std::int64_t> shape = numbers(type(t).shape);
        if (shape.size() != 2 || !lies_in_memory(t) || type(t).nz) return false;
        batch_.values.emplace(t, HeadValue{HeadValue::Kind::shared, t, false, shape[0], shape[1]});
        return true;
    }

    bool read_matmul(OpId id, const Operation& op) {
        const auto inputs = trace_.inputs(op);
        if (inputs.size() != 2 || op.output == kNoTensor) return false;
        for (const auto& [name, argument] : op.arguments) {
            const bool plain =
                name == "input" || name == "mat2" || name == "out_dtype" || name == "a_trans" || name == "b_trans";
            if (!plain && argument.tag != Tag::none) return false;
        }
        if (!read_operand(inputs[0]) || !read_operand(inputs[1])) return false;
        const auto shared = [&](TensorId t) { return value(t)->kind == HeadValue::Kind::shared; };
        if (shared(inputs[0]) && shared(inputs[1])) return false;
        const std::vector<std::int64_t> shape = numbers(type(op.output).shape);
        if (shape.size() != 2) return false;
        batch_.values.emplace(op.output, HeadValue{HeadValue::Kind::computed, kNoTensor, false, shape[0], shape[1]});
        batch_.matmuls.push_back(id);
        return true;
    }

    /// Element by element: the same on every head of a batch. What reduces an axis is more than slice, matmul, store.
    bool read_vector(OpId id, const Operation& op) {
        if (std::ranges::find(kElementwise, op.code) == kElementwise.end()) return false;
        const auto inputs = trace_.inputs(op);
        if (inputs.empty() || op.output == kNoTensor) return false;
        std::size_t rank = 0;
        for (TensorId t : inputs) {
            const HeadValue* head = value(t);
            if (head == nullptr || head->kind == HeadValue::Kind::shared || head->rows == 0) return false;
            if (rank != 0 && rank != type(t).shape.size()) return false;
            rank = type(t).shape.size();
        }
        const auto shape = matrix(numbers(type(op.output).shape));
        if (!shape || (rank != 2 && rank != 3)) return false;
        batch_.values.emplace(op.output,
                              HeadValue{HeadValue::Kind::computed, kNoTensor, false, shape->first, shape->second});
        batch_.vectors.push_back(id);
        return true;
    }

    bool read_store(OpId id, const Operation& op) {
        if (!is(op, Op::assemble)) return false;
        const auto inputs = trace_.inputs(op);
        if (inputs.size() != 1 || op.output == kNoTensor || !lies_in_memory(op.output)) return false;
        const HeadValue* head = value(inputs[0]);
        const auto part = stretch(op.output, op.offsets, op.extent);
        if (head == nullptr || head->rows == 0 || head->kind == HeadValue::Kind::shared || !part) return false;
        if (part->elements != head->rows * head->columns || type(op.output).dtype != type(inputs[0]).dtype)
            return false;
        const bool whole = part->leading_axis && type(op.output).shape.size() == 3 &&
                           type(op.output).shape[1].is(head->rows) && type(op.output).shape[2].is(head->columns);
        batch_.stores.push_back({id, op.output, whole});
        return true;
    }

    const Trace& trace_;
    const Loop& loop_;
    const LoopId id_;
    Symbols symbols_;
    HeadBatch batch_;
};

}  // namespace

std::optional<HeadBatch> head_batch(const Trace& trace, LoopId loop) {
    return Reader(trace, loop).read();
}

}  // namespace ptofix::rewrites
