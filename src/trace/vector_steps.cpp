#include "trace/vector_steps.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "hardware/tile.h"
#include "trace/operations.h"

namespace ptofix::trace {

namespace {

using hardware::DType;
using hardware::Soc;
using Shape = std::vector<std::int64_t>;

/// One of the framework's opcodes, with what its tables say (framework/src/interface/operation/opcode.{h,cpp}).
struct Primitive {
    std::string_view name;
    bool reuses;  // no excludeBufferReuse
    // No instruction for this type (UNSUPPORT_*_OPS, UNSUPPORT_*_ARCH35_OPS): casts to FP32 are put around it.
    bool widens_bf16, widens_fp16, widens_bf16_on_950, widens_fp16_on_950;
};

constexpr Primitive kAdd{"ADD", true, true, true, true, true};
constexpr Primitive kSub{"SUB", true, true, true, true, true};
constexpr Primitive kMul{"MUL", true, true, true, true, true};
constexpr Primitive kDiv{"DIV", true, true, false, true, false};
constexpr Primitive kMaximum{"MAXIMUM", true, true, false, false, false};
constexpr Primitive kMinimum{"MINIMUM", true, true, false, false, false};
constexpr Primitive kAdds{"ADDS", true, true, true, true, true};
constexpr Primitive kSubs{"SUBS", true, true, true, true, true};
constexpr Primitive kMuls{"MULS", true, true, true, true, true};
constexpr Primitive kDivs{"DIVS", false, true, false, true, false};
constexpr Primitive kMaxs{"MAXS", true, true, false, false, false};
constexpr Primitive kMins{"MINS", true, true, false, false, false};
constexpr Primitive kExp{"EXP", true, true, false, true, false};
constexpr Primitive kSqrt{"SQRT", true, true, false, true, false};
constexpr Primitive kLn{"LN", true, true, false, false, false};
constexpr Primitive kAbs{"ABS", true, true, false, true, false};
constexpr Primitive kRelu{"RELU", true, true, false, true, false};
constexpr Primitive kReciprocal{"RECIPROCAL", false, true, false, true, false};
constexpr Primitive kCeil{"CEIL", true, false, false, false, false};
constexpr Primitive kFloor{"FLOOR", true, false, false, false, false};
constexpr Primitive kTrunc{"TRUNC", true, false, false, false, false};
constexpr Primitive kCast{"CAST", true, false, false, false, false};
constexpr Primitive kExpand{"EXPAND", true, false, false, false, false};
constexpr Primitive kVecDup{"VEC_DUP", true, false, false, false, false};
constexpr Primitive kWhereTensors{"WHERE_TT", true, true, false, false, false};
constexpr Primitive kWhereTensor{"WHERE_TS", true, true, false, false, false};
constexpr Primitive kWhereNumbers{"WHERE_SS", true, true, false, false, false};
constexpr Primitive kCompare{"CMP", true, false, false, false, false};
constexpr Primitive kCompareNumber{"CMPS", true, false, false, false, false};

/// One reduction by its three opcodes: two tiles into one, a whole row, and across rows.
struct Reduction {
    Primitive pair, row, line;
    bool works_across_rows;  // the third needs a work space
};
constexpr Reduction kMax{{"PAIRMAX", false, false, false, false, false},
                         {"ROWMAX_SINGLE", false, true, false, true, false},
                         {"ROWMAXLINE", true, true, false, true, false},
                         false};
constexpr Reduction kMin{{"PAIRMIN", false, false, false, false, false},
                         {"ROWMIN_SINGLE", false, true, false, true, false},
                         {"ROWMINLINE", true, true, false, true, false},
                         false};
constexpr Reduction kSum{{"PAIRSUM", false, false, false, false, false},
                         {"ROWSUM_SINGLE", false, true, false, true, false},
                         {"ROWSUMLINE", true, true, false, true, false},
                         true};
constexpr Reduction kProd{{"PAIRPROD", false, false, false, false, false},
                          {"ROWPROD_SINGLE", false, true, false, true, false},
                          {"ROWPRODLINE", true, true, false, true, false},
                          false};

// Bytes of one vector instruction's round (REPEAT_BYTE), and the lanes to which a work space across rows is padded.
constexpr std::int64_t kRepeatBytes = 256;
constexpr std::int64_t kLineLanes = 8;
// Work spaces of fixed size, written out in compare.cpp (by element size) and where.cpp.
constexpr std::int64_t kCompareChunk = 4096;
constexpr std::int64_t kCompareSlack = 64;
constexpr std::int64_t kSelectConditions = 2 * 1024 * 2 + 128 + 32;
constexpr std::int64_t kSelectValues = 2 * 1024;
// A narrowing cast without saturation works in INT32, at most so many rows at a time.
constexpr std::int64_t kCastSlack = 64;
constexpr std::int64_t kCastRows = 255;

std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

bool widens(const Primitive& p, DType dtype, Soc soc) {
    const bool is_950 = soc == Soc::ascend950;
    const bool is_lite = soc == Soc::kirin_x90 || soc == Soc::kirin_9030;  // these leave FP16 alone
    if (dtype == DType::bf16) return is_950 ? p.widens_bf16_on_950 : p.widens_bf16;
    if (dtype == DType::fp16) return is_950 ? p.widens_fp16_on_950 : !is_lite && p.widens_fp16;
    return false;
}

/// The arithmetic opcodes of an operation on two tensors, and on a tensor and a number.
struct Arithmetic {
    Op op;
    Primitive tensors, number;
};
constexpr Arithmetic kArithmetic[] = {
    {Op::add, kAdd, kAdds}, {Op::sub, kSub, kSubs},         {Op::mul, kMul, kMuls},
    {Op::div, kDiv, kDivs}, {Op::maximum, kMaximum, kMaxs}, {Op::minimum, kMinimum, kMins},
};
struct Single {
    Op op;
    Primitive primitive;
};
constexpr Single kSingle[] = {{Op::exp, kExp},   {Op::sqrt, kSqrt}, {Op::abs, kAbs},
                              {Op::relu, kRelu}, {Op::neg, kMuls},  {Op::reciprocal, kReciprocal}};
constexpr Op kCompares[] = {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge};

/// What an operation of one step is; nullptr: it has several, or is not known.
const Primitive* only_primitive(const Operation& op) {
    for (const Arithmetic& a : kArithmetic) {
        if (is(op, a.op)) return op.input_count > 1 ? &a.tensors : &a.number;
    }
    for (const Single& s : kSingle) {
        if (is(op, s.op)) return &s.primitive;
    }
    return nullptr;
}

/// What takes the operands first.
const Primitive* first_primitive(const Operation& op) {
    if (is(op, Op::amax)) return &kMax.row;
    if (is(op, Op::amin)) return &kMin.row;
    if (is(op, Op::sum)) return &kSum.row;
    if (is(op, Op::prod)) return &kProd.row;
    return only_primitive(op);
}

/// A tensor on its way through the steps.
struct Tile {
    Shape shape;
    DType dtype = DType::unknown;
    bool once = false;
    bool wide = false;  // a 16-bit tensor of which the FP32 copy exists
    TensorId id = kNoTensor;
};

class Lowering {
  public:
    Lowering(const Trace& trace, const Operation& op, std::span<const std::int64_t> tile, const StepContext& context)
        : trace_(trace), op_(op), tile_(tile), context_(context) {}

    std::optional<std::vector<VectorStep>> run() {
        if (!lower() || failed_) return std::nullopt;
        return std::move(steps_);
    }

  private:
    // ---- operands

    const Value* argument(std::string_view name) const {
        for (const auto& [n, v] : op_.arguments) {
            if (n == name) return &v;
        }
        return nullptr;
    }
    const Value* argument_at(std::size_t index) const {
        const auto parameters = info(op_.code).parameters;
        return index < parameters.size() ? argument(parameters[index].name) : nullptr;
    }

    std::optional<Tile> tensor(TensorId id) const {
        auto shape = context_.shape_of(id);
        const TensorType& type = trace_.tensors[id].type;
        if (!shape || type.dtype == DType::unknown || shape->empty() || shape->size() > tile_.size())
            return std::nullopt;
        Tile t{*std::move(shape), type.dtype, context_.readers.count[id] == 1, false, id};
        t.wide = hardware::is_half(type.dtype) && comes_widened(id);
        return t;
    }
    std::optional<Tile> operand(std::size_t index) const {
        const Value* v = argument_at(index);
        return v != nullptr && v->is(Tag::tensor) ? tensor(v->as.tensor) : std::nullopt;
    }
    std::optional<double> number(const Value* v) const {
        if (v == nullptr) return std::nullopt;
        if (v->is(Tag::real)) return v->as.f;
        return v->is(Tag::integer) ? std::optional(static_cast<double>(v->as.i)) : std::nullopt;
    }
    bool is_number(std::size_t index) const {
        const Value* v = argument_at(index);
        return v != nullptr && (v->is(Tag::real) || v->is(Tag::integer) || v->is(Tag::boolean) || v->is(Tag::symbol));
    }

    /// Is the tensor the FP32 result of an operation that was widened too? Then no cast stands between the two.
    bool comes_widened(TensorId id) const {
        const Tensor& t = trace_.tensors[id];
        if (t.source != TensorSource::operation || t.producer == kNone) return false;
        const Operation& producer = trace_.operations[t.producer];
        if (producer.kernel != op_.kernel || producer.loop != op_.loop) return false;
        const Primitive* last = only_primitive(producer);
        return last != nullptr && widens(*last, t.type.dtype, context_.soc);
    }

    // ---- buffers

    std::int64_t clipped(const Shape& shape, std::size_t axis) const { return std::min(shape[axis], tile_[axis]); }

    StepBuffer buffer(const Tile& t, DType dtype, std::span<const std::int64_t> tile) {
        StepBuffer out;
        const auto bytes = hardware::vec_tile_bytes(tile, t.shape, dtype);
        if (!bytes) {
            failed_ = true;
            return out;
        }
        out.most = out.least = *bytes;
        out.dtype = dtype;
        for (std::size_t i = 0; i < t.shape.size(); ++i) out.extent.push_back(std::min(t.shape[i], tile[i]));
        out.once = t.once;
        if (t.shape.back() == 1 && t.shape.size() > 1) {
            // The rows lie side by side where every user of the tensor can take them so (axis combining, on by
            // default).
            Shape turned(t.shape.begin(), t.shape.end() - 1);
            const auto packed = hardware::vec_tile_bytes(tile, turned, dtype);
            if (packed) out.least = std::min(out.least, *packed);
        }
        return out;
    }
    StepBuffer buffer(const Tile& t, DType dtype) { return buffer(t, dtype, tile_); }

    /// In what type an operation takes or makes it.
    DType held_by(const Primitive& p, const Tile& t) const {
        return widens(p, t.dtype, context_.soc) ? DType::fp32 : t.dtype;
    }

    void push(const Primitive& p, std::vector<StepBuffer> inputs, StepBuffer output, std::int64_t workspace = 0) {
        steps_.push_back({p.name, std::move(inputs), std::move(output), workspace, p.reuses});
    }

    /// The pass that puts casts around an operation gives them the last axes of the tile, where it has too many.
    std::span<const std::int64_t> tile_of_inserted_cast(const Tile& t) const {
        return tile_.last(std::min(tile_.size(), t.shape.size()));
    }
    void widen(Tile& t) {
        if (t.wide) return;
        const auto tile = tile_of_inserted_cast(t);
        StepBuffer wide = buffer(t, DType::fp32, tile);
        push(kCast, {buffer(t, t.dtype, tile)}, wide);
        t.wide = true;
        t.once = true;
    }
    /// Whether anything takes the 16-bit result of a widened operation.
    void narrow(const Tile& t) {
        if (!t.wide) return;
        const auto tile = tile_of_inserted_cast(t);
        push(kCast, {buffer(t, DType::fp32, tile)}, buffer(t, t.dtype, tile));
    }

    // ---- single steps

    Tile apply(const Primitive& p, std::initializer_list<Tile*> operands, Shape shape, DType dtype,
               std::int64_t workspace = 0) {
        std::vector<StepBuffer> inputs;
        std::vector<TensorId> seen;
        for (Tile* t : operands) {
            if (widens(p, t->dtype, context_.soc)) widen(*t);
            if (t->id != kNoTensor && std::ranges::find(seen, t->id) != seen.end()) continue;
            seen.push_back(t->id);
            inputs.push_back(buffer(*t, held_by(p, *t)));
        }
        Tile result{std::move(shape), dtype, true, widens(p, dtype, context_.soc), kNoTensor};
        push(p, std::move(inputs), buffer(result, held_by(p, result)), workspace);
        return result;
    }
    Tile single(const Primitive& p, Tile& t) { return apply(p, {&t}, t.shape, t.dtype); }

    Tile cast(Tile& t, DType dtype, bool saturates = true) {
        if (t.dtype == dtype) return t;
        t.wide = false;  // a cast takes what is declared
        std::int64_t workspace = 0;
        const bool to_int16 = dtype == DType::int16 && (t.dtype == DType::fp32 || t.dtype == DType::fp16);
        if (!saturates && (to_int16 || (t.dtype == DType::fp16 && dtype == DType::int8))) {
            const std::size_t rank = t.shape.size();
            const std::int64_t wide = hardware::round_up(add(clipped(t.shape, rank - 1), kCastSlack), 8);
            const std::int64_t rows = rank > 1 ? std::min(clipped(t.shape, rank - 2), kCastRows) : 1;
            workspace = hardware::saturating_multiply(hardware::saturating_multiply(wide, rows), 4);
        }
        return apply(kCast, {&t}, t.shape, dtype, workspace);
    }
    Tile ones(const Tile& like) { return fill(like.shape, like.dtype); }
    Tile fill(const Shape& shape, DType dtype) { return apply(kVecDup, {}, shape, dtype); }

    Tile reduce(const Reduction& r, Tile& t, std::size_t axis) {
        const std::size_t rank = t.shape.size();
        const std::int64_t whole = t.shape[axis], part = tile_[axis];
        if (widens(r.row, t.dtype, context_.soc)) widen(t);
        const DType dtype = held_by(r.row, t);
        Tile piece = t;
        piece.once = true;
        if (whole > part) {
            Tile second = piece, result = piece;
            piece.shape[axis] = result.shape[axis] = part;
            second.shape[axis] = std::min(part, whole - part);
            push(r.pair, {buffer(piece, dtype), buffer(second, dtype)}, buffer(result, dtype));
        }
        const std::int64_t length = std::min(whole, part);
        piece.shape[axis] = length;
        std::int64_t workspace = 0;
        const int element = hardware::size_of(dtype);
        const bool last = axis + 1 == rank;
        if (last) {
            const std::int64_t lanes = kRepeatBytes / element;
            std::int64_t rows = rank > 1 ? clipped(t.shape, rank - 2) : 1;
            std::int64_t row = hardware::kVectorBlockBytes;
            if (length <= lanes) {
                rows = 1;
            } else {
                row = length <= 2 * lanes ? kRepeatBytes : length * element / kRepeatBytes / 2 * kRepeatBytes;
            }
            workspace = hardware::saturating_multiply(rows, row);
        } else if (r.works_across_rows) {
            const std::int64_t columns = hardware::round_up(clipped(t.shape, rank - 1), kLineLanes) * element;
            workspace = hardware::saturating_multiply((length + 1) / 2,
                                                      hardware::round_up(columns, hardware::kVectorBlockBytes));
        }
        Tile result{t.shape, t.dtype, true, widens(r.row, t.dtype, context_.soc), kNoTensor};
        result.shape[axis] = 1;
        push(last ? r.row : r.line, {buffer(piece, dtype)}, buffer(result, dtype), workspace);
        return result;
    }

    // ---- operations

    bool finish(const Tile& result) {
        if (result.wide && takes_narrow(op_.output)) narrow(result);
        return true;
    }
    /// Does something read the result as it is declared, not its FP32 copy?
    bool takes_narrow(TensorId id) const { return context_.readers.narrow[id]; }

    bool lower() {
        if (op_.engine != Engine::vector && op_.engine != Engine::create) return false;
        if (op_.output == kNoTensor || tile_.empty()) return false;
        // The compiler refuses such a tile; nothing is cut by it.
        if (std::ranges::any_of(tile_, [](std::int64_t number) { return number <= 0; })) return false;
        for (const Arithmetic& a : kArithmetic) {
            if (is(op_, a.op)) return arithmetic(a);
        }
        for (const Single& s : kSingle) {
            if (is(op_, s.op)) {
                auto t = operand(0);
                return t && finish(single(s.primitive, *t));
            }
        }
        if (std::ranges::any_of(kCompares, [&](Op o) { return is(op_, o); })) return compare();
        switch (static_cast<Op>(op_.code)) {
            case Op::cast:
                return lower_cast();
            case Op::ceil:
                return rounded(kCeil);
            case Op::floor:
                return rounded(kFloor);
            case Op::trunc:
                return rounded(kTrunc);
            case Op::log:
                return logarithm(false);
            case Op::log2:
            case Op::log10:
                return logarithm(true);
            case Op::rsqrt:
                return in_fp32([&](Tile& t) {
                    Tile root = single(kSqrt, t);
                    Tile one = ones(root);
                    return apply(kDiv, {&one, &root}, root.shape, root.dtype);
                });
            case Op::sigmoid:
                return in_fp32([&](Tile& t) {
                    Tile a = single(kMuls, t);
                    Tile b = single(kExp, a);
                    Tile c = single(kAdds, b);
                    Tile one = ones(c);
                    return apply(kDiv, {&one, &c}, c.shape, c.dtype);
                });
            case Op::softmax:
                return softmax();
            case Op::amax:
                return reduction(kMax);
            case Op::amin:
                return reduction(kMin);
            case Op::sum:
                return reduction(kSum);
            case Op::prod:
                return reduction(kProd);
            case Op::clip:
                return clip();
            case Op::pow:
                return power();
            case Op::where:
                return where();
            case Op::expand_clone:
                return expand();
            case Op::full:
            case Op::zeros:
            case Op::ones: {
                auto t = tensor(op_.output);
                if (!t) return false;
                fill(t->shape, t->dtype);
                return true;
            }
            default:
                return false;
        }
    }

    bool arithmetic(const Arithmetic& a) {
        auto result = tensor(op_.output);
        if (!result) return false;
        auto x = operand(0);
        auto y = operand(1);
        if (x && y) {
            if (x->shape.size() != y->shape.size() || x->dtype != y->dtype) return false;
            if (is(op_, Op::div) && !hardware::is_float(x->dtype)) return false;
            // A last axis of one element is laid out anew for the other operand's: a block a row (BRCB) or all of it
            // (EXPAND).
            Tile sum = apply(a.tensors, {&*x, &*y}, result->shape, result->dtype);
            if (failed_) return false;  // a buffer of no size has no axes
            for (StepBuffer& b : steps_.back().inputs) {
                if (b.extent.back() == 1 && steps_.back().output.extent.back() != 1) b.most = steps_.back().output.most;
            }
            return finish(sum);
        }
        if (x && is_number(1)) {
            if (is(op_, Op::div) && !hardware::is_float(x->dtype)) return false;
            return finish(single(a.number, *x));
        }
        if (!y || !is_number(0)) return false;
        // number - x is -(x - number), number / x is number times the reciprocal
        if (is(op_, Op::sub)) {
            Tile difference = single(kSubs, *y);
            return finish(single(kMuls, difference));
        }
        if (is(op_, Op::div)) {
            if (!hardware::is_float(y->dtype)) return false;
            Tile inverse = single(kReciprocal, *y);
            return finish(single(kMuls, inverse));
        }
        return finish(single(a.number, *y));
    }

    bool lower_cast() {
        auto x = operand(0);
        const DType to = trace_.tensors[op_.output].type.dtype;
        if (!x || to == DType::unknown) return false;
        const Value* mode = argument("satmode");
        const bool saturates =
            mode != nullptr;  // OFF is the default; ON needs no work space, anything else is not known
        cast(*x, to, saturates);
        return true;
    }

    /// x to FP32 where it has 16 bits, the steps, and back.
    template <typename Steps>
    bool in_fp32(Steps steps) {
        auto x = operand(0);
        if (!x || !hardware::is_float(x->dtype) || hardware::size_of(x->dtype) > 4) return false;
        const DType own = x->dtype;
        Tile t = *x;
        if (own != DType::fp32) {
            t = cast(t, DType::fp32);
        }
        Tile result = steps(t);
        cast(result, own);
        return true;
    }
    bool rounded(const Primitive& p) {
        auto x = operand(0);
        if (x && hardware::is_integer(x->dtype)) return finish(single(p, *x));
        return in_fp32([&](Tile& t) { return single(p, t); });
    }
    bool logarithm(bool divides) {
        return in_fp32([&](Tile& t) {
            Tile natural = single(kLn, t);
            return divides ? single(kDivs, natural) : natural;
        });
    }

    std::optional<std::size_t> axis_of(const Tile& t) const {
        std::int64_t axis = op_.axis;
        if (axis == INT32_MAX) return std::nullopt;
        if (axis < 0) axis += static_cast<std::int64_t>(t.shape.size());
        if (axis < 0 || axis >= static_cast<std::int64_t>(t.shape.size())) return std::nullopt;
        return static_cast<std::size_t>(axis);
    }
    bool reduction(const Reduction& r) {
        auto x = operand(0);
        if (!x) return false;
        const auto axis = axis_of(*x);
        if (!axis) return false;
        const Tile result = reduce(r, *x, *axis);
        return op_.keepdim ? finish(result) : true;
    }
    bool softmax() {
        auto x = operand(0);
        if (!x) return false;
        const auto axis = axis_of(*x);
        if (!axis || !hardware::is_float(x->dtype)) return false;
        const DType own = x->dtype;
        Tile t = own == DType::fp32 ? *x : cast(*x, DType::fp32);
        t.once = false;  // the maximum and the difference read it
        Tile greatest = reduce(kMax, t, *axis);
        Tile difference = apply(kSub, {&t, &greatest}, t.shape, t.dtype);
        Tile power = single(kExp, difference);
        power.once = false;
        Tile total = reduce(kSum, power, *axis);
        Tile result = apply(kDiv, {&power, &total}, power.shape, power.dtype);
        cast(result, own);
        return true;
    }
    bool clip() {
        auto x = operand(0);
        if (!x) return false;
        Tile t = *x;
        bool any = false;
        for (const auto& [name, primitive] : {std::pair("min", &kMaxs), std::pair("max", &kMins)}) {
            const Value* bound = argument(name);
            if (bound == nullptr || bound->is(Tag::none)) continue;
            if (!number(bound)) return false;
            t = single(*primitive, t);
            any = true;
        }
        return any && finish(t);
    }
    bool power() {
        const auto exponent = number(argument_at(1));
        if (!exponent) return false;
        return in_fp32([&](Tile& t) {
            if (*exponent == 0.5) return single(kSqrt, t);
            if (*exponent != 2.0 && *exponent != 3.0) failed_ = true;
            Tile same = t;
            if (same.id == kNoTensor) same.id = t.id = 0;  // one buffer, read twice
            Tile square = apply(kMul, {&t, &same}, t.shape, t.dtype);
            return *exponent == 3.0 ? apply(kMul, {&square, &same}, t.shape, t.dtype) : square;
        });
    }
    bool expand() {
        auto x = operand(0);
        auto result = tensor(op_.output);
        if (!x || !result || x->shape.size() != result->shape.size()) return false;
        apply(kExpand, {&*x}, result->shape, result->dtype);
        return true;
    }
    bool compare() {
        auto result = tensor(op_.output);
        auto x = operand(0), y = operand(1);
        if (!result) return false;
        if (!x && !y) return false;
        const int element = hardware::size_of((x ? x : y)->dtype);
        if (element == 0) return false;
        const std::int64_t bits = hardware::round_up(hardware::ceil_div(kCompareChunk / element, 8), 32);
        const std::int64_t workspace = bits + 3 * kCompareChunk + (x && y ? kCompareSlack : kCompareSlack / 2);
        if (x && y) {
            if (x->shape != result->shape || y->shape != result->shape) return false;  // expanded first
            apply(kCompare, {&*x, &*y}, result->shape, result->dtype, workspace);
            return true;
        }
        if (!is_number(x ? 1 : 0)) return false;
        apply(kCompareNumber, {x ? &*x : &*y}, result->shape, result->dtype, workspace);
        return true;
    }
    bool where() {
        auto condition = operand(0), x = operand(1), y = operand(2);
        auto result = tensor(op_.output);
        if (!condition || !result || condition->dtype != DType::boolean || condition->shape != result->shape)
            return false;
        for (const auto* t : {&x, &y}) {
            if (*t && (*t)->shape != result->shape) return false;
        }
        const std::int64_t element =
            result->dtype == DType::fp32 || result->dtype == DType::bf16 ? sizeof(float) : sizeof(std::int16_t);
        const std::int64_t workspace = kSelectConditions + kSelectValues * element;
        if (x && y)
            return finish(apply(kWhereTensors, {&*condition, &*x, &*y}, result->shape, result->dtype, workspace));
        if (x) return finish(apply(kWhereTensor, {&*condition, &*x}, result->shape, result->dtype, workspace));
        if (y) return finish(apply(kWhereTensor, {&*condition, &*y}, result->shape, result->dtype, workspace));
        return finish(apply(kWhereNumbers, {&*condition}, result->shape, result->dtype, workspace));
    }

    const Trace& trace_;
    const Operation& op_;
    const std::span<const std::int64_t> tile_;
    const StepContext& context_;
    std::vector<VectorStep> steps_;
    bool failed_ = false;
};

bool can_take(const VectorStep& step, const StepBuffer& input) {
    return step.reuses && input.most == step.output.most &&
           hardware::size_of(input.dtype) == hardware::size_of(step.output.dtype);
}

}  // namespace

bool VectorStep::output_counts() const {
    return std::ranges::none_of(inputs, [&](const StepBuffer& b) { return can_take(*this, b); });
}

std::int64_t VectorStep::least() const {
    std::int64_t sum = workspace;
    for (const StepBuffer& b : inputs) sum = add(sum, b.least);
    return output_counts() ? add(sum, output.least) : sum;
}

std::int64_t VectorStep::most() const {
    std::int64_t sum = workspace;
    for (const StepBuffer& b : inputs) sum = add(sum, b.most);
    const bool taken = std::ranges::any_of(inputs, [&](const StepBuffer& b) { return b.once && can_take(*this, b); });
    return taken ? sum : add(sum, output.most);
}

TensorReaders tensor_readers(const Trace& trace, Soc soc) {
    TensorReaders readers{std::vector<std::uint32_t>(trace.tensors.size(), 0),
                          std::vector<bool>(trace.tensors.size(), false)};
    for (const Operation& op : trace.operations) {
        const auto inputs = trace.inputs(op);
        const Primitive* first = inputs.empty() ? nullptr : first_primitive(op);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto earlier = inputs.first(i);  // once an operation
            if (std::ranges::find(earlier, inputs[i]) != earlier.end()) continue;
            ++readers.count[inputs[i]];
            const DType dtype = trace.tensors[inputs[i]].type.dtype;
            if (first == nullptr || !widens(*first, dtype, soc)) readers.narrow[inputs[i]] = true;
        }
    }
    return readers;
}

std::optional<std::vector<VectorStep>> vector_steps(const Trace& trace, const Operation& op,
                                                    std::span<const std::int64_t> tile, const StepContext& context) {
    return Lowering(trace, op, tile, context).run();
}

}  // namespace ptofix::trace
