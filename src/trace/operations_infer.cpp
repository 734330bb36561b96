#include "trace/operations_infer.h"

#include <algorithm>

#include "trace/some_number.h"

namespace ptofix::trace {

using hardware::DType;

std::vector<TensorType> infer_results(OpCode code, const BoundCall& call, Trace& trace) {
    return Inference(code, call, trace).results();
}

std::vector<TensorType> Inference::results() {
    std::vector<TensorType> out(about_.results);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (auto s = shape(i)) {
            out[i].shape = std::move(*s);
            out[i].rank_known = true;
        }
        out[i].dtype = dtype(i);
    }
    // What only looks at a tensor differently keeps its layout.
    if (about_.engine == Engine::view && !out.empty()) {
        if (const TensorType* t = first()) out[0].nz = t->nz;
    }
    return out;
}

// Arguments

bool Inference::given(std::string_view name) const {
    const Value* v = argument(name);
    return v != nullptr && !v->is(Tag::none);
}

const TensorType* Inference::tensor(const Value* value) const {
    return value != nullptr && value->is(Tag::tensor) ? &trace_.tensors[value->as.tensor].type : nullptr;
}

const TensorType* Inference::first() const {
    return about_.parameters.empty() ? nullptr : tensor(about_.parameters[0].name);
}

std::vector<Value> Inference::operands() const {
    std::vector<Value> out;
    for (const ParameterInfo& p : about_.parameters) {
        const Value* v = p.tensor ? argument(p.name) : nullptr;
        if (v == nullptr || v->is(Tag::none)) continue;
        if (v->is_sequence()) {
            out.insert(out.end(), v->as.list->items.begin(), v->as.list->items.end());
            if (v->as.list->open) out.emplace_back();
        } else {
            out.push_back(*v);
        }
    }
    return out;
}

std::optional<bool> Inference::truth(std::string_view name, bool otherwise) const {
    const Value* v = argument(name);
    if (v == nullptr || v->is(Tag::none)) return v == nullptr ? std::optional(otherwise) : std::optional(false);
    if (v->is(Tag::boolean)) return v->as.b;
    if (v->is(Tag::integer)) return v->as.i != 0;
    return {};
}

std::optional<std::int64_t> Inference::number(std::string_view name, std::optional<std::int64_t> otherwise) const {
    if (!given(name)) return otherwise;
    const SymInt s = argument(name)->sym();
    return s.known() ? std::optional(s.value) : std::nullopt;
}

SymInt Inference::dim(std::string_view name) const {
    const Value* v = argument(name);
    return v != nullptr ? v->sym() : SymInt{};
}

Inference::MaybeShape Inference::list(const Value* value) const {
    if (value == nullptr || !value->is_sequence() || value->is(Tag::set) || value->as.list->open) return {};
    Shape out;
    for (const Value& v : value->as.list->items) out.push_back(v.sym());
    return out;
}

DType Inference::dtype_argument(DType otherwise) const {
    for (const std::string_view name : {"dtype", "out_dtype", "otype", "quant_dtype"}) {
        const Value* v = argument(name);
        if (v == nullptr || v->is(Tag::none)) continue;
        return v->is(Tag::dtype) ? v->as.dtype : DType::unknown;
    }
    return otherwise;
}

// Shapes

Inference::MaybeShape Inference::shape_of(const TensorType* type) {
    // PyPTO has no tensors without axes: an empty list of dims declares "any shape".
    return type != nullptr && type->rank_known && !type->shape.empty() ? MaybeShape(type->shape) : std::nullopt;
}

std::optional<std::size_t> Inference::axis(std::string_view name, std::size_t rank,
                                           std::optional<std::int64_t> otherwise) const {
    auto at = number(name, otherwise);
    if (!at) return {};
    const auto size = static_cast<std::int64_t>(rank);
    if (*at < 0) *at += size;
    if (*at < 0 || *at >= size) return {};
    return static_cast<std::size_t>(*at);
}

std::optional<SymInt> Inference::same(SymInt a, SymInt b) {
    if (a.known() && b.known()) return a == b ? std::optional(a) : std::nullopt;
    if (a.known() || b.unknown()) return a;
    if (b.known() || a.unknown()) return b;
    return a;  // two symbols: equal whenever the program runs
}

std::optional<SymInt> Inference::broadcast(SymInt a, SymInt b) {
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    if (a.known() && b.known()) return a == b ? std::optional(a) : std::nullopt;
    // A dim that is not 1 decides: the other one is equal or 1.
    const auto not_one = [&](SymInt d) { return !d.unknown() && symbols_.equal(d, SymInt::of(1)) == false; };
    if (a.known() || (not_one(a) && !b.known())) return a;
    if (b.known() || not_one(b)) return b;
    return a == b && !a.unknown() ? a : SymInt{};
}

Inference::MaybeShape Inference::broadcast(const Shape& a, const Shape& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    Shape out(rank);
    for (std::size_t i = 0; i < rank; ++i) {  // aligned at the last axis
        const SymInt x = i + a.size() < rank ? SymInt::of(1) : a[i + a.size() - rank];
        const SymInt y = i + b.size() < rank ? SymInt::of(1) : b[i + b.size() - rank];
        const auto d = broadcast(x, y);
        if (!d) return {};
        out[i] = *d;
    }
    return out;
}

SymInt Inference::product(std::span<const SymInt> dims) {
    SymInt out = SymInt::of(1);
    for (const SymInt d : dims) out = symbols_.multiply(out, d);
    return out;
}

Inference::MaybeShape Inference::broadcast_shape() {
    MaybeShape out;
    bool any = false;
    for (const Value& v : operands()) {
        if (const TensorType* t = tensor(&v)) {
            const auto s = shape_of(t);
            if (!s) return {};
            out = any ? broadcast(*out, *s) : s;
            if (!out) return {};
            any = true;
        } else if (v.is(Tag::unknown) && !is_some_number(v)) {
            return {};  // may be a tensor of any shape
        }
    }
    return out;
}

Inference::MaybeShape Inference::reduce_shape() {
    auto s = shape_of(first());
    const auto keep = truth("keepdim", false);
    if (!s || s->empty()) return {};
    std::vector<bool> reduced(s->size(), false);
    bool axes_known = true;
    const Value* axes = argument("dim");
    if (axes != nullptr && (axes->is(Tag::list) || axes->is(Tag::tuple))) {
        const auto known = list(axes);
        if (!known) return {};
        for (SymInt a : *known) {
            if (!a.known()) return {};
            if (a.value < 0) a.value += std::ssize(*s);
            if (a.value < 0 || a.value >= std::ssize(*s)) return {};
            reduced[static_cast<std::size_t>(a.value)] = true;
        }
        if (known->empty()) reduced.assign(s->size(), true);
    } else if (op_ == Op::var && !given("dim")) {
        reduced.assign(s->size(), true);
    } else {
        const bool argument_of_order = op_ == Op::argmax || op_ == Op::argmin;
        const auto at = axis("dim", s->size(), argument_of_order ? std::optional<std::int64_t>(-1) : std::nullopt);
        const bool out_of_range = !at && number("dim").has_value();
        if (out_of_range) return {};
        axes_known = at.has_value();
        if (at) reduced[*at] = true;
    }
    if (!keep) return {};
    if (*keep || s->size() == 1) {  // a vector reduces to one element, not to a tensor without axes
        for (std::size_t i = 0; i < s->size(); ++i) {
            if (!axes_known) {
                (*s)[i] = s->size() == 1 ? SymInt::of(1) : SymInt{};
            } else if (reduced[i]) {
                (*s)[i] = SymInt::of(1);
            }
        }
        return s;
    }
    if (!axes_known) return Shape(s->size() - 1);
    Shape out;
    for (std::size_t i = 0; i < s->size(); ++i) {
        if (!reduced[i]) out.push_back((*s)[i]);
    }
    if (out.empty()) out.push_back(SymInt::of(1));
    return out;
}

Inference::MaybeShape Inference::matmul_shape(const TensorType* a, const TensorType* b) {
    const auto left = shape_of(a), right = shape_of(b);
    const auto a_trans = truth("a_trans", false), b_trans = truth("b_trans", false);
    if (!left || !right || left->size() != right->size() || left->size() < 2 || left->size() > 4) return {};
    const std::size_t rank = left->size();
    Shape out(rank);
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        const auto d = broadcast((*left)[i], (*right)[i]);
        if (!d) return {};
        out[i] = *d;
    }
    if (a_trans && b_trans) {
        const SymInt ka = (*left)[rank - (*a_trans ? 2 : 1)], kb = (*right)[rank - (*b_trans ? 1 : 2)];
        if (!same(ka, kb)) return {};
    }
    if (a_trans) out[rank - 2] = (*left)[rank - (*a_trans ? 1 : 2)];
    if (b_trans) out[rank - 1] = (*right)[rank - (*b_trans ? 2 : 1)];
    return out;
}

Inference::MaybeShape Inference::transpose_shape() {
    auto s = shape_of(first());
    if (!s) return {};
    const auto a = axis("dim0", s->size(), {}), b = axis("dim1", s->size(), {});
    if (!a || !b) {
        const bool out_of_range = (!a && number("dim0")) || (!b && number("dim1"));
        return out_of_range ? MaybeShape{} : Shape(s->size());
    }
    std::swap((*s)[*a], (*s)[*b]);
    return s;
}

Inference::MaybeShape Inference::permute_shape() {
    const auto s = shape_of(first());
    if (!s) return {};
    const auto order = list("dims");
    if (!order) return Shape(s->size());
    if (order->size() != s->size()) return {};
    Shape out(s->size());
    std::vector<bool> used(s->size(), false);
    for (std::size_t i = 0; i < out.size(); ++i) {
        SymInt at = (*order)[i];
        if (!at.known()) continue;
        if (at.value < 0) at.value += std::ssize(*s);
        if (at.value < 0 || at.value >= std::ssize(*s) || used[static_cast<std::size_t>(at.value)]) return {};
        used[static_cast<std::size_t>(at.value)] = true;
        out[i] = (*s)[static_cast<std::size_t>(at.value)];
    }
    return out;
}

Inference::MaybeShape Inference::reshape_shape() {
    auto out = list("shape");
    if (!out) return {};
    const auto from = shape_of(first());
    const SymInt total = from ? product(*from) : SymInt{};
    std::optional<std::size_t> open;
    SymInt others = SymInt::of(1);
    for (std::size_t i = 0; i < out->size(); ++i) {
        const SymInt d = (*out)[i];
        if (d.is(-1)) {
            if (open) return {};
            open = i;
        } else {
            others = symbols_.multiply(others, d);
        }
    }
    if (!open) {
        if (symbols_.equal(total, others) == false) return {};
        return out;
    }
    if (total.known() && others.known() && (others.value <= 0 || total.value % others.value != 0)) return {};
    // The framework demands that it divides, so the quotient is exact.
    (*out)[*open] = symbols_.floor_div(total, others);
    return out;
}

Inference::MaybeShape Inference::view_shape() {
    if (given("dtype")) {
        const TensorType* t = first();
        const DType to = dtype_argument(DType::unknown);
        auto s = shape_of(t);
        if (!s || s->empty()) return {};
        const int from_size = hardware::size_of(t->dtype), to_size = hardware::size_of(to);
        s->back() = from_size == 0 || to_size == 0 ? SymInt{} : last_axis_scaled(s->back(), from_size, to_size);
        return s;
    }
    return list("shape");
}

SymInt Inference::last_axis_scaled(SymInt last, int multiply, int divide) {
    const SymInt bytes = symbols_.multiply(last, SymInt::of(multiply));
    if (symbols_.equal(symbols_.mod(bytes, SymInt::of(divide)), SymInt::of(0)) == false) return {};
    return symbols_.floor_div(bytes, SymInt::of(divide));
}

Inference::MaybeShape Inference::size_shape() {
    if (about_.parameters[0].variadic) {  // zeros(2, 3) and zeros([2, 3])
        Shape out;
        for (const auto& [name, value] : call_.arguments) {
            if (name != about_.parameters[0].name) continue;
            if (value.is_sequence()) return list(&value);
            if (value.is(Tag::unknown)) return {};
            out.push_back(value.sym());
        }
        return out.empty() ? MaybeShape{} : out;
    }
    return list(argument("size") != nullptr ? "size" : "shape");
}

Inference::MaybeShape Inference::concat_shape() {
    MaybeShape out;
    const auto items = operands();
    const Value* all = argument("tensors");
    if (all == nullptr || !all->is_sequence() || items.empty()) return {};
    SymInt sum = SymInt::of(0);
    std::optional<std::size_t> at;
    for (const Value& v : items) {
        const auto s = shape_of(tensor(&v));
        if (!s) return {};
        if (!out) {
            out = s;
            at = axis("dim", s->size(), 0);
            if (!at) return number("dim", 0) ? MaybeShape{} : Shape(s->size());
        }
        if (s->size() != out->size()) return {};
        for (std::size_t i = 0; i < s->size(); ++i) {
            if (i == *at) {
                sum = symbols_.add(sum, (*s)[i]);
                continue;
            }
            const auto d = same((*out)[i], (*s)[i]);
            if (!d) return {};
            (*out)[i] = *d;
        }
    }
    (*out)[*at] = sum;
    return out;
}

Inference::MaybeShape Inference::unsqueeze_shape() {
    auto s = shape_of(first());
    if (!s) return {};
    const auto at = axis("dim", s->size() + 1, {});
    if (!at) return number("dim") ? MaybeShape{} : Shape(s->size() + 1);
    s->insert(s->begin() + static_cast<std::ptrdiff_t>(*at), SymInt::of(1));
    return s;
}

Inference::MaybeShape Inference::squeeze_shape() {
    auto s = shape_of(first());
    if (!s) return {};
    std::vector<bool> asked(s->size(), !given("dim"));
    if (given("dim")) {
        const Value* v = argument("dim");
        const auto axes = v->is_sequence() ? list(v) : MaybeShape(Shape{v->sym()});
        if (!axes) return {};
        for (SymInt a : *axes) {
            if (!a.known()) return {};
            if (a.value < 0) a.value += std::ssize(*s);
            if (a.value < 0 || a.value >= std::ssize(*s)) return {};
            asked[static_cast<std::size_t>(a.value)] = true;
        }
    }
    Shape out;
    for (std::size_t i = 0; i < s->size(); ++i) {
        if (asked[i] && !(*s)[i].known() && symbols_.equal((*s)[i], SymInt::of(1)) != false) return {};
        if (!asked[i] || !(*s)[i].is(1)) out.push_back((*s)[i]);
    }
    if (out.empty()) out.push_back(SymInt::of(1));
    return out;
}

Inference::MaybeShape Inference::expand_shape() {
    auto out = list("shape");
    const auto from = shape_of(first());
    if (!out) return {};
    if (from && from->size() != out->size()) return {};
    for (std::size_t i = 0; from && i < out->size(); ++i) {
        const SymInt a = (*from)[i], b = (*out)[i];
        if (a.known() && !a.is(1) && b.known() && a != b) return {};
    }
    return out;
}

Inference::MaybeShape Inference::shape(std::size_t result) {
    switch (about_.shape) {
        case ShapeRule::unknown:
        case ShapeRule::none:
            return {};
        case ShapeRule::same_as_first:
            return shape_of(first());
        case ShapeRule::broadcast:
            return broadcast_shape();
        case ShapeRule::reduce:
            return reduce_shape();
        case ShapeRule::matmul:
            return op_ == Op::scaled_mm ? matmul_shape(tensor("mat_a"), tensor("mat_b"))
                                        : matmul_shape(tensor("input"), tensor("mat2"));
        case ShapeRule::transpose:
            return transpose_shape();
        case ShapeRule::permute:
            return permute_shape();
        case ShapeRule::reshape:
            return reshape_shape();
        case ShapeRule::view:
            return view_shape();
        case ShapeRule::from_size:
            return size_shape();
        case ShapeRule::concat:
            return concat_shape();
        case ShapeRule::unsqueeze:
            return unsqueeze_shape();
        case ShapeRule::squeeze:
            return squeeze_shape();
        case ShapeRule::expand:
            return expand_shape();
        case ShapeRule::special:
            return special_shape(result);
    }
    return {};
}

// Types

/// The dtype of the tensor operands, which the framework demands to be one; numbers take the tensor's.
DType Inference::common_dtype() const {
    DType out = DType::unknown;
    for (const Value& v : operands()) {
        const TensorType* t = tensor(&v);
        if (t == nullptr || t->dtype == DType::unknown) continue;
        if (out != DType::unknown && out != t->dtype) return DType::unknown;
        out = t->dtype;
    }
    return out;
}

DType Inference::dtype(std::size_t result) const {
    const auto first_dtype = [&] { return first() != nullptr ? first()->dtype : DType::unknown; };
    switch (about_.dtype) {
        case DTypeRule::unknown:
        case DTypeRule::none:
            return DType::unknown;
        case DTypeRule::same_as_first:
            return first_dtype();
        case DTypeRule::promote:
            return common_dtype();
        case DTypeRule::from_argument:
            if (op_ == Op::matmul && !given("out_dtype")) {
                // a @ b: the type of b, INT32 for INT8 (Tensor.__matmul__)
                const TensorType* b = tensor("mat2");
                if (b == nullptr) return DType::unknown;
                if (b->dtype == DType::int8) return DType::int32;
                const bool allowed = hardware::is_half(b->dtype) || b->dtype == DType::fp32;
                return allowed ? b->dtype : DType::unknown;
            }
            return dtype_argument(DType::unknown);
        case DTypeRule::argument_or_fp32:
            return dtype_argument(DType::fp32);
        case DTypeRule::boolean:
            return DType::boolean;
        case DTypeRule::integer32:
            return DType::int32;
        case DTypeRule::integer64:
            return DType::int64;
        case DTypeRule::fp32:
            return DType::fp32;
        case DTypeRule::floating: {
            const DType d = common_dtype();
            return hardware::is_integer(d) ? DType::fp32 : d;
        }
        case DTypeRule::cumulative: {
            const DType d = first_dtype();
            return d == DType::int16 || d == DType::int32 ? DType::int64 : d;
        }
        case DTypeRule::special:
            return special_dtype(result);
    }
    return DType::unknown;
}

}  // namespace ptofix::trace
