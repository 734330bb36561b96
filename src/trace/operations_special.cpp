// Shapes and types that follow no common rule: one operation each.
#include <algorithm>

#include "trace/some_number.h"

#include "trace/operations_infer.h"

namespace ptofix::trace {

using hardware::DType;

namespace {

/// quant_mx shares an exponent among 32 values and stores them by pairs (vector/quantization.cpp).
constexpr int kMxValuesPerScalePair = 64;
constexpr int kMxScalePair = 2;

/// gathermask keeps every second value for patterns 1 and 2, every fourth for 3 to 6, all for 7.
constexpr int kLastHalfPattern = 2, kLastQuarterPattern = 6, kWholePattern = 7;

}  // namespace

Inference::MaybeShape Inference::with_last(const TensorType* type, int multiply, int divide) {
    auto s = shape_of(type);
    if (!s || s->empty()) return {};
    s->back() = last_axis_scaled(s->back(), multiply, divide);
    return s;
}

Inference::MaybeShape Inference::arange_shape() {
    const Value* end = argument("end");
    const auto of = [&](std::string_view name, std::int64_t otherwise) {
        const Value* v = argument(name);
        return v != nullptr ? v->sym() : SymInt::of(otherwise);
    };
    const SymInt start = of("start", 0), step = of("step", 1);
    if (end == nullptr || !step.known() || step.is(0)) return Shape(1);
    // ceil((end - start) / step)
    return Shape{symbols_.negate(symbols_.floor_div(symbols_.subtract(start, end->sym()), step))};
}

Inference::MaybeShape Inference::conv_shape() {
    const auto in = shape_of(tensor("input_conv")), weight = shape_of(tensor("weight"));
    if (!in && !weight) return {};
    if (in && weight && in->size() != weight->size()) return {};
    const std::size_t rank = in ? in->size() : weight->size();
    if (rank < 3 || rank > 5) return {};
    Shape out(rank);
    if (in) out[0] = (*in)[0];
    if (weight) out[1] = (*weight)[0];
    const auto strides = list("strides"), paddings = list("paddings"), dilations = list("dilations");
    const std::size_t axes = rank - 2;
    if (!in || !weight || !strides || !paddings || !dilations || axes > 2) return out;
    if (strides->size() != axes || dilations->size() != axes || paddings->size() != 2 * axes) return {};
    for (std::size_t i = 0; i < axes; ++i) {  // (in + before + after - dilation * (kernel - 1) - 1) // stride + 1
        const SymInt padded = symbols_.add((*in)[i + 2], symbols_.add((*paddings)[2 * i], (*paddings)[2 * i + 1]));
        const SymInt span = symbols_.multiply((*dilations)[i], symbols_.add((*weight)[i + 2], SymInt::of(-1)));
        const SymInt room = symbols_.subtract(padded, symbols_.add(span, SymInt::of(1)));
        out[i + 2] = symbols_.add(symbols_.floor_div(room, (*strides)[i]), SymInt::of(1));
    }
    return out;
}

Inference::MaybeShape Inference::from_torch_shape() {
    auto s = shape_of(first());
    if (!s || !given("dynamic_axis")) return s;
    const auto axes = list("dynamic_axis");
    if (!axes) return Shape(s->size());
    for (SymInt a : *axes) {
        if (!a.known()) return Shape(s->size());
        if (a.value < 0) a.value += std::ssize(*s);
        if (a.value < 0 || a.value >= std::ssize(*s)) return {};
        (*s)[static_cast<std::size_t>(a.value)] = {};
    }
    return s;
}

Inference::MaybeShape Inference::index_select_shape() {
    const auto s = shape_of(tensor("input")), index = shape_of(tensor("index"));
    if (!s || !index) return {};
    const auto at = axis("dim", s->size(), {});
    if (!at) return number("dim") ? MaybeShape{} : Shape(s->size() - 1 + index->size());
    Shape out(s->begin(), s->begin() + static_cast<std::ptrdiff_t>(*at));
    out.insert(out.end(), index->begin(), index->end());
    out.insert(out.end(), s->begin() + static_cast<std::ptrdiff_t>(*at) + 1, s->end());
    return out;
}

Inference::MaybeShape Inference::pad_shape() {
    auto s = shape_of(tensor("x"));
    if (!s || s->empty()) return {};
    const auto amounts = list("padding");
    if (!amounts) {
        s->back() = {};
        if (s->size() > 1) (*s)[s->size() - 2] = {};
        return s;
    }
    // (left, right) of the last axis, then (top, bottom) of the one before
    if (amounts->size() != 2 && amounts->size() != 4) return {};
    for (std::size_t i = 0; i < amounts->size(); i += 2) {
        if (i / 2 >= s->size()) return {};
        SymInt& d = (*s)[s->size() - 1 - i / 2];
        d = symbols_.add(d, symbols_.add((*amounts)[i], (*amounts)[i + 1]));
    }
    return s;
}

Inference::MaybeShape Inference::quant_mx_scale_shape() {
    auto s = shape_of(tensor("input"));
    if (!s || s->empty()) return {};
    const auto at = axis("axis", s->size(), -1);
    if (!at) return Shape(s->size() + 1);
    SymInt& d = (*s)[*at];
    d = symbols_.ceil_div(d, SymInt::of(kMxValuesPerScalePair));
    s->push_back(SymInt::of(kMxScalePair));
    return s;
}

Inference::MaybeShape Inference::special_shape(std::size_t result) {
    const auto rows_and_columns = [&](const TensorType* rows, std::size_t row_axis, SymInt columns) -> MaybeShape {
        const auto s = shape_of(rows);
        return Shape{s && s->size() > row_axis ? (*s)[row_axis] : SymInt{}, columns};
    };
    switch (op_) {
        case Op::arange:
            return arange_shape();
        case Op::conv:
            return conv_shape();
        case Op::from_torch:
            return from_torch_shape();
        case Op::index_select:
            return index_select_shape();
        case Op::pad:
            return pad_shape();
        case Op::gather:
            return shape_of(tensor("index"));
        case Op::sort32:
            return with_last(tensor("input"), 2, 1);  // values and indices side by side
        case Op::topk: {
            auto s = shape_of(tensor("input"));
            if (!s || s->empty()) return {};
            const auto at = axis("dim", s->size(), -1);
            if (!at) return number("dim", -1) ? MaybeShape{} : Shape(s->size());
            (*s)[*at] = dim("k");
            return s;
        }
        case Op::one_hot: {
            auto s = shape_of(tensor("input"));
            if (s) s->push_back(dim("num_classes"));
            return s;
        }
        case Op::gathermask: {
            const auto pattern = number("pattern_mode");
            const TensorType* t = tensor("self");
            if (!pattern) {
                auto s = shape_of(t);
                if (s && !s->empty()) s->back() = {};
                return s;
            }
            if (*pattern < 1 || *pattern > kWholePattern) return {};
            return with_last(t, 1, *pattern <= kLastHalfPattern ? 2 : *pattern <= kLastQuarterPattern ? 4 : 1);
        }
        case Op::pack: {
            const TensorType* t = tensor("input");
            const auto s = shape_of(t);
            if (!s || hardware::size_of(t->dtype) == 0) return Shape(1);
            return Shape{symbols_.multiply(product(*s), SymInt::of(hardware::size_of(t->dtype)))};
        }
        case Op::unpack: {
            const auto s = shape_of(tensor("input"));
            const int size = hardware::size_of(dtype_argument(DType::unknown));
            if (!s || s->size() != 1 || size == 0) return Shape(1);
            return Shape{last_axis_scaled((*s)[0], 1, size)};
        }
        case Op::deinterleave:
            return given("other") ? shape_of(tensor("input")) : with_last(tensor("input"), 1, 2);
        case Op::quant_mx:
            return result == 0 ? shape_of(tensor("input")) : quant_mx_scale_shape();
        case Op::online_softmax: {
            auto s = shape_of(tensor("scores"));
            if (s && s->size() != 2) return {};
            if (s && result > 0) (*s)[0] = SymInt::of(1);
            return s;
        }
        case Op::online_softmax_update: {
            constexpr std::string_view kSources[] = {"previous_max", "previous_sum", "previous_output"};
            return shape_of(tensor(kSources[result]));
        }
        case Op::transposed_batchmatmul: {
            const auto a = shape_of(tensor("tensor_a")), b = shape_of(tensor("tensor_b"));  // (M, B, K) and (B, K, N)
            if (!a || !b || a->size() != 3 || b->size() != 3) return {};
            const auto batch = same((*a)[1], (*b)[0]);
            if (!batch || !same((*a)[2], (*b)[1])) return {};
            return Shape{(*a)[0], *batch, (*b)[2]};
        }
        case Op::gather_in_l1:
            return rows_and_columns(tensor("indices"), 1, dim("size"));
        case Op::gather_in_ub: {
            const auto source = shape_of(tensor("param"));
            return rows_and_columns(tensor("indices"), 1, source && source->size() == 2 ? (*source)[1] : SymInt{});
        }
        case Op::nop:
            return Shape{SymInt::of(1), SymInt::of(1)};
        default:
            return {};
    }
}

DType Inference::pow_dtype() const {
    const TensorType* base = tensor("base");
    const Value* exponent = argument("other");
    if (base == nullptr || exponent == nullptr) return DType::unknown;
    const DType a = base->dtype;
    if (exponent->is_int() || exponent->is(Tag::symbol)) return a;
    if (exponent->is(Tag::real)) return a == DType::int32 ? DType::fp32 : a;
    if (is_some_number(*exponent)) return a == DType::int32 ? DType::unknown : a;  // an integer, or not
    const TensorType* other = tensor(exponent);
    if (other == nullptr || a == DType::unknown || other->dtype == DType::unknown) return DType::unknown;
    const DType b = other->dtype;
    if (a == b) return a;
    if (a == DType::int32) return b;
    if (b == DType::int32) return a;
    // two floating types that differ: 16 bits beside 16 or 32 bits make FP32
    const auto common = [](DType d) { return hardware::is_half(d) || d == DType::fp32; };
    return common(a) && common(b) ? DType::fp32 : DType::unknown;
}

DType Inference::where_dtype() const {
    bool numbers = true;
    for (const std::string_view name : {"input", "other"}) {
        const Value* v = argument(name);
        if (const TensorType* t = tensor(v); t != nullptr && t->dtype != DType::unknown) return t->dtype;
        numbers = numbers && v != nullptr && is_numeric(*v);
    }
    return numbers ? DType::fp32 : DType::unknown;  // plain numbers are FP32; an Element says its own type
}

DType Inference::special_dtype(std::size_t result) const {
    const auto first_dtype = [&] { return first() != nullptr ? first()->dtype : DType::unknown; };
    switch (op_) {
        case Op::pow:
            return pow_dtype();
        case Op::where:
            return where_dtype();
        case Op::topk:
            return result == 0 ? first_dtype() : DType::int32;
        case Op::view:
            return dtype_argument(first_dtype());
        case Op::pack:
            return DType::uint8;
        case Op::quant_mx:
            return result == 0 ? dtype_argument(DType::fp8e4m3) : DType::fp8e8m0;
        case Op::online_softmax:
            return result == 0 ? DType::bf16 : DType::fp32;
        case Op::arange: {
            // From zero upwards the end is the number of elements, and a tensor holds no more than INT32 can count.
            const bool counts = !given("start") && !given("step");
            bool integers = true;
            for (const std::string_view name : {"start", "end", "step"}) {
                const Value* v = argument(name);
                if (v == nullptr) continue;
                if (v->is(Tag::real)) return DType::fp32;
                const SymInt s = v->sym();
                const bool fits = s.known() ? s.value >= INT32_MIN && s.value <= INT32_MAX : s.symbolic() && counts;
                integers = integers && fits;
            }
            return integers ? DType::int32 : DType::unknown;
        }
        case Op::from_torch:
            return dtype_argument(first_dtype());
        default:
            return DType::unknown;
    }
}

}  // namespace ptofix::trace
