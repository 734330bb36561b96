// What host code does with tensors on the way to a kernel: methods, slices, arithmetic. Shapes and dtypes alone; what
// is not here gives a tensor of which nothing is known.
#include <algorithm>
#include <array>

#include "trace/interpreter.h"

namespace ptofix::trace {

using hardware::DType;

namespace {

/// torch's type promotion, as far as it is plain.
DType promoted(DType a, DType b) {
    if (a == b) return a;
    if (a == DType::unknown || b == DType::unknown) return DType::unknown;
    if (a == DType::boolean) return b;
    if (b == DType::boolean) return a;
    const bool fa = hardware::is_float(a);
    const bool fb = hardware::is_float(b);
    if (fa != fb) return fa ? a : b;
    const int sa = hardware::size_of(a);
    const int sb = hardware::size_of(b);
    if (fa) {
        if (sa < 2 || sb < 2) return DType::unknown;
        return sa == sb ? DType::fp32 : sa > sb ? a : b;
    }
    const auto is_unsigned = [](DType d) {
        return d == DType::uint8 || d == DType::uint16 || d == DType::uint32 || d == DType::uint64;
    };
    if (is_unsigned(a) || is_unsigned(b)) return DType::unknown;
    return sa > sb ? a : b;
}

struct Conversion {
    std::string_view method;
    DType dtype;
};
constexpr Conversion kConversions[] = {{"float", DType::fp32},  {"half", DType::fp16}, {"bfloat16", DType::bf16},
                                       {"double", DType::fp64}, {"int", DType::int32}, {"long", DType::int64},
                                       {"short", DType::int16}, {"char", DType::int8}, {"byte", DType::uint8},
                                       {"bool", DType::boolean}};
/// The same elements in the same shape.
constexpr auto kSame = std::to_array<std::string_view>(
    {"npu",          "cuda",         "cpu",   "contiguous", "clone",        "detach",   "requires_grad_",
     "pin_memory",   "numpy",        "copy",  "abs",        "neg",          "clamp",    "clip",
     "tril",         "triu",         "fill_", "zero_",      "copy_",        "uniform_", "normal_",
     "random_",      "clamp_",       "mul_",  "add_",       "sub_",         "div_",     "bernoulli_",
     "exponential_", "masked_fill_", "roll",  "flip",       "share_memory_"});
/// Of whole numbers these make real ones.
constexpr auto kSameOfReals =
    std::to_array<std::string_view>({"exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "sigmoid", "relu", "softmax",
                                     "round", "floor", "ceil", "square", "masked_fill"});

}  // namespace

std::optional<std::size_t> Interpreter::host_axis(const Value* v, std::size_t rank) {
    if (v == nullptr || v->tag != Tag::integer) return std::nullopt;
    const auto size = static_cast<std::int64_t>(rank);
    const std::int64_t at = v->as.i < 0 ? v->as.i + size : v->as.i;
    if (at < 0 || at >= size) return std::nullopt;
    return static_cast<std::size_t>(at);
}

TensorType Interpreter::host_reshaped(const TensorType& type, std::span<const Value> sizes) {
    TensorType out;
    out.dtype = type.dtype;
    auto dims = size_argument(sizes);
    if (!dims) return out;
    Symbols& s = trace_.symbols;
    const auto open = std::ranges::find_if(*dims, [](SymInt d) { return d.is(-1); });
    if (open != dims->end()) {
        *open = SymInt{};
        SymInt all = SymInt::of(1);
        for (const SymInt d : type.shape) all = s.multiply(all, d);
        SymInt rest = SymInt::of(1);
        for (auto it = dims->begin(); it != dims->end(); ++it) {
            if (it != open) rest = s.multiply(rest, *it);
        }
        if (type.rank_known && all.known() && rest.known() && rest.value > 0 && all.value % rest.value == 0) {
            *open = SymInt::of(all.value / rest.value);
        }
    }
    out.shape = std::move(*dims);
    out.rank_known = true;
    return out;
}

Value Interpreter::host_method(const Value& tensor, std::string_view name, Arguments& args, NodeId node) {
    // A copy: making tensors moves the vector.
    const TensorType type = trace_.tensors[tensor.as.tensor].type;
    const std::size_t rank = type.shape.size();
    const auto nothing = [&] { return host_tensor({}, node); };
    const auto result = [&](TensorType t) { return host_tensor(std::move(t), node); };
    if (args.open) return nothing();
    if (std::ranges::find(kSame, name) != kSame.end()) return result(type);
    if (std::ranges::find(kSameOfReals, name) != kSameOfReals.end()) {
        TensorType t = type;
        if (!hardware::is_float(t.dtype)) t.dtype = DType::unknown;
        return result(std::move(t));
    }
    for (const Conversion& c : kConversions) {
        if (name != c.method || !args.positional.empty()) continue;
        TensorType t = type;
        t.dtype = c.dtype;
        return result(std::move(t));
    }
    if (name == "to" || name == "type" || name == "astype" || name == "type_as") {
        TensorType t = type;
        const Value* given = args.find("dtype");
        for (const Value& v : args.positional) {
            if (v.tag == Tag::dtype) given = &v;
            if (const TensorType* other = host_type(&v)) t.dtype = other->dtype;
            if (v.tag == Tag::unknown) t.dtype = DType::unknown;  // a device or a dtype: who knows
        }
        if (given != nullptr) t.dtype = given->tag == Tag::dtype ? given->as.dtype : DType::unknown;
        return result(std::move(t));
    }
    if (name == "view" || name == "reshape") {
        if (args.positional.size() == 1 && args.positional[0].tag == Tag::dtype) return nothing();  // bytes seen anew
        return result(host_reshaped(type, args.positional));
    }
    if (name == "numel" || name == "nelement") {
        SymInt all = SymInt::of(1);
        for (const SymInt d : type.shape) all = trace_.symbols.multiply(all, d);
        return type.rank_known ? Value::of(all) : unknown(UnknownReason::Why::runtime_value, node, name);
    }
    if (name == "element_size") {
        const int size = hardware::size_of(type.dtype);
        return size > 0 ? Value::integer(size) : unknown(UnknownReason::Why::runtime_value, node, name);
    }
    if (name == "item" || name == "tolist" || name == "data_ptr" || name == "is_contiguous" || name == "get_device") {
        return unknown(UnknownReason::Why::runtime_value, node, name);
    }
    if (name.starts_with("new_")) {  // new_zeros, new_empty, new_ones, new_full
        TensorType t;
        t.dtype = type.dtype;
        if (const Value* d = args.find("dtype"); d != nullptr)
            t.dtype = d->tag == Tag::dtype ? d->as.dtype : DType::unknown;
        const bool full = name == "new_full";
        const auto sizes = std::span<const Value>(args.positional)
                               .first(full ? std::min<std::size_t>(1, args.positional.size()) : args.positional.size());
        if (name != "new_tensor" && !sizes.empty()) {
            if (auto dims = size_argument(sizes)) {
                t.shape = std::move(*dims);
                t.rank_known = true;
            }
        }
        return result(std::move(t));
    }
    if (!type.rank_known) {
        TensorType t;
        t.dtype = type.dtype;
        static constexpr auto kMoves =
            std::to_array<std::string_view>({"transpose", "permute", "t", "unsqueeze", "squeeze", "flatten"});
        if (std::ranges::find(kMoves, name) == kMoves.end()) t.dtype = DType::unknown;
        return result(std::move(t));
    }
    TensorType t = type;
    if (name == "unsqueeze") {
        const Value* at = args.get(0, "dim");
        if (const auto axis = host_axis(at, rank + 1)) {
            t.shape.insert(t.shape.begin() + static_cast<std::ptrdiff_t>(*axis), SymInt::of(1));
            return result(std::move(t));
        }
        return nothing();
    }
    if (name == "squeeze") {
        const auto axis = host_axis(args.get(0, "dim"), rank);
        if (!axis || !t.shape[*axis].known()) return nothing();
        if (t.shape[*axis].is(1)) t.shape.erase(t.shape.begin() + static_cast<std::ptrdiff_t>(*axis));
        return result(std::move(t));
    }
    if (name == "transpose" || name == "swapaxes") {
        const auto a = host_axis(args.get(0, "dim0"), rank);
        const auto b = host_axis(args.get(1, "dim1"), rank);
        if (!a || !b) return nothing();
        std::swap(t.shape[*a], t.shape[*b]);
        return result(std::move(t));
    }
    if (name == "t") {
        std::ranges::reverse(t.shape);
        return rank <= 2 ? result(std::move(t)) : nothing();
    }
    if (name == "permute") {
        const auto order = size_argument(args.positional);
        if (!order || order->size() != rank) return nothing();
        for (std::size_t i = 0; i < rank; ++i) {
            const Value v = Value::of((*order)[i]);
            const auto from = host_axis(&v, rank);
            if (!from) return nothing();
            t.shape[i] = type.shape[*from];
        }
        return result(std::move(t));
    }
    if (name == "expand") {
        const auto sizes = size_argument(args.positional);
        if (!sizes || sizes->size() < rank) return nothing();
        t.shape = *sizes;
        for (std::size_t i = 0; i < rank; ++i) {
            SymInt& d = t.shape[t.shape.size() - 1 - i];
            if (d.is(-1)) d = type.shape[rank - 1 - i];
        }
        return result(std::move(t));
    }
    if (name == "repeat") {
        const auto times = size_argument(args.positional);
        if (!times || times->size() < rank) return nothing();
        t.shape = *times;
        for (std::size_t i = 0; i < rank; ++i) {
            SymInt& d = t.shape[t.shape.size() - 1 - i];
            d = trace_.symbols.multiply(d, type.shape[rank - 1 - i]);
        }
        return result(std::move(t));
    }
    if (name == "flatten" && args.positional.empty() && args.keyword.empty()) {
        SymInt all = SymInt::of(1);
        for (const SymInt d : type.shape) all = trace_.symbols.multiply(all, d);
        t.shape = {all};
        return result(std::move(t));
    }
    if (name == "sum" || name == "mean" || name == "amax" || name == "amin") {
        const auto axis = host_axis(args.get(0, "dim"), rank);
        const Value* keep = args.get(1, "keepdim");
        const auto keeps = keep == nullptr ? std::optional(false) : truth(*keep);
        if (!axis || !keeps) return nothing();
        if (name == "sum" && !hardware::is_float(t.dtype)) t.dtype = DType::unknown;
        if (*keeps) {
            t.shape[*axis] = SymInt::of(1);
        } else {
            t.shape.erase(t.shape.begin() + static_cast<std::ptrdiff_t>(*axis));
        }
        return result(std::move(t));
    }
    return nothing();
}

Value Interpreter::host_binary(const Value& a, const Value& b, NodeId node) {
    const TensorType* x = host_type(&a);
    const TensorType* y = host_type(&b);
    TensorType out;
    if (x != nullptr && y != nullptr) {
        out.dtype = promoted(x->dtype, y->dtype);
        if (x->rank_known && y->rank_known) {
            const std::size_t rank = std::max(x->shape.size(), y->shape.size());
            out.rank_known = true;
            out.shape.assign(rank, SymInt{});
            for (std::size_t i = 0; i < rank; ++i) {
                const SymInt p = i < x->shape.size() ? x->shape[x->shape.size() - 1 - i] : SymInt::of(1);
                const SymInt q = i < y->shape.size() ? y->shape[y->shape.size() - 1 - i] : SymInt::of(1);
                SymInt& d = out.shape[rank - 1 - i];
                if (p.is(1))
                    d = q;
                else if (q.is(1) || p == q)
                    d = p;
                else if (p.known() && !q.known() && p.value != 1)
                    d = p;
                else if (q.known() && !p.known() && q.value != 1)
                    d = q;
            }
        }
    } else {
        const TensorType* t = x != nullptr ? x : y;
        const Value& other = x != nullptr ? b : a;
        if (t == nullptr) return unknown(UnknownReason::Why::external_call, node);
        if (other.tag == Tag::unknown) return host_tensor(out, node);
        out = *t;
        // A number keeps the tensor's kind. A real one makes whole tensors real, torch's otherwise than NumPy's.
        const bool widens = other.tag == Tag::real ? !hardware::is_float(out.dtype)
                                                   : out.dtype == DType::boolean && other.tag != Tag::boolean;
        if (widens) out.dtype = DType::unknown;
    }
    return host_tensor(std::move(out), node);
}

Value Interpreter::host_matmul(const Value& a, const Value& b, NodeId node) {
    const TensorType* x = host_type(&a);
    const TensorType* y = host_type(&b);
    TensorType out;
    if (x != nullptr && y != nullptr) {
        out.dtype = x->dtype == y->dtype ? x->dtype : DType::unknown;
        const std::size_t rank = x->shape.size();
        const auto same_batch = [&] {
            return std::equal(x->shape.begin(), x->shape.end() - 2, y->shape.begin(),
                              [](SymInt p, SymInt q) { return p == q && !p.unknown(); });
        };
        if (x->rank_known && y->rank_known && rank >= 2 && rank == y->shape.size() && same_batch()) {
            out.shape = x->shape;
            out.shape.back() = y->shape.back();
            out.rank_known = true;
        }
    }
    return host_tensor(std::move(out), node);
}

Value Interpreter::host_operator(std::string_view operation, const Value& a, const Value& b, NodeId node) {
    if (b.tag == Tag::none) {
        const TensorType* t = host_type(&a);
        return t == nullptr ? unknown(UnknownReason::Why::external_call, node) : host_tensor(TensorType(*t), node);
    }
    if (operation == "matmul") return host_matmul(a, b, node);
    const Value out = host_binary(a, b, node);
    if (out.tag != Tag::tensor) return out;
    TensorType& type = trace_.tensors[out.as.tensor].type;
    static constexpr auto kArithmetic = std::to_array<std::string_view>({"add", "sub", "mul"});
    static constexpr auto kComparisons = std::to_array<std::string_view>({"eq", "ne", "lt", "le", "gt", "ge"});
    if (std::ranges::find(kComparisons, operation) != kComparisons.end()) {
        type.dtype = DType::boolean;
    } else if (operation == "div") {
        if (!hardware::is_float(type.dtype)) type.dtype = DType::unknown;
    } else if (std::ranges::find(kArithmetic, operation) == kArithmetic.end()) {
        type.dtype = DType::unknown;
    }
    return out;
}

Value Interpreter::host_attribute(const Value& tensor, std::string_view name, NodeId node) {
    const TensorType type = trace_.tensors[tensor.as.tensor].type;
    if (name == "T" || name == "mT") {
        TensorType t = type;
        if (name == "T" || t.shape.size() == 2) {
            std::ranges::reverse(t.shape);
        } else if (t.shape.size() > 2) {
            std::swap(t.shape[t.shape.size() - 1], t.shape[t.shape.size() - 2]);
        }
        return host_tensor(std::move(t), node);
    }
    if (name == "data") return tensor;
    if (name == "device") {
        Value v = Value::with(Tag::external);
        v.as.text = heap_.intern("torch.device()");
        return v.at(here(node));
    }
    Value v = Value::with(Tag::bound_method);
    v.as.method = heap_.make<BoundMethod>(BoundMethod{tensor, {}, name});
    return v.at(here(node));
}

Value Interpreter::host_index(const Value& tensor, const Value& key, NodeId node) {
    const TensorType type = trace_.tensors[tensor.as.tensor].type;
    std::vector<SymInt> offsets;
    std::vector<SymInt> extent;
    std::vector<bool> dropped;
    bool whole = false;
    TensorType out;
    out.dtype = type.dtype;
    // A tensor, a list or None as an index is another matter, as is what we know nothing of.
    const auto plain = [](const Value& k) {
        return k.tag == Tag::integer || k.tag == Tag::symbol || k.tag == Tag::slice || k.tag == Tag::ellipsis;
    };
    const bool understood = (key.tag == Tag::tuple ? std::ranges::all_of(key.as.list->items, plain) : plain(key)) &&
                            read_subscript(key, type, offsets, extent, dropped, whole);
    if (understood) {
        for (std::size_t i = 0; i < extent.size(); ++i) {
            if (!dropped[i]) out.shape.push_back(extent[i]);
        }
        out.rank_known = true;
    }
    return host_tensor(std::move(out), node);
}

}  // namespace ptofix::trace
