// torch and numpy as host code uses them before it calls a kernel: the tensors they make, with shape and dtype and no
// data.
#include <algorithm>
#include <array>

#include "trace/interpreter.h"

namespace ptofix::trace {

using hardware::DType;

namespace {

bool is_one_of(std::string_view name, std::span<const std::string_view> list) {
    return std::ranges::find(list, name) != list.end();
}

/// The size comes as one sequence or as numbers, from position 0.
constexpr auto kFilled = std::to_array<std::string_view>({"zeros", "ones", "empty", "rand", "randn"});
/// Of a tensor that is given first: the same shape and dtype unless the call says otherwise.
constexpr auto kLike = std::to_array<std::string_view>(
    {"zeros_like", "ones_like", "empty_like", "rand_like", "randn_like", "full_like", "randint_like"});
/// Element by element on the first argument, dtype kept.
constexpr auto kElementwise =
    std::to_array<std::string_view>({"abs", "neg", "clamp", "clip", "tril", "triu", "clone", "contiguous", "detach",
                                     "roll", "flip", "sort", "nan_to_num", "npu_format_cast", "ascontiguousarray"});
/// The same, for real numbers; of whole ones they make real ones.
constexpr auto kRealElementwise =
    std::to_array<std::string_view>({"exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "sigmoid", "relu", "silu",
                                     "gelu", "softmax", "log_softmax", "round", "floor", "ceil", "square"});
constexpr auto kPairwise = std::to_array<std::string_view>(
    {"add", "sub", "mul", "div", "maximum", "minimum", "multiply", "subtract", "true_divide"});

}  // namespace

Value Interpreter::host_tensor(TensorType type, NodeId node) {
    Tensor t;
    t.type = std::move(type);
    t.source = TensorSource::host;
    t.site = here(node);
    return Value::tensor(new_tensor(std::move(t))).at(here(node));
}

const TensorType* Interpreter::host_type(const Value* v) const {
    if (v == nullptr || v->tag != Tag::tensor) return nullptr;
    const Tensor& t = trace_.tensors[v->as.tensor];
    return t.source == TensorSource::host ? &t.type : nullptr;
}

std::optional<std::vector<SymInt>> Interpreter::size_argument(std::span<const Value> values) const {
    if (values.size() == 1 && values[0].is_sequence() && values[0].tag != Tag::set) {
        if (values[0].as.list->open) return std::nullopt;
        return size_argument_items(values[0].as.list->items);
    }
    return size_argument_items(values);
}

std::optional<std::vector<SymInt>> Interpreter::size_argument_items(std::span<const Value> values) {
    std::vector<SymInt> dims;
    for (const Value& v : values) {
        // A nested sequence is no size; what is not known may be one, of unknown length.
        if (v.tag != Tag::integer && v.tag != Tag::boolean && v.tag != Tag::symbol && v.tag != Tag::unknown)
            return std::nullopt;
        if (v.tag == Tag::unknown && values.size() == 1) return std::nullopt;
        dims.push_back(v.sym());
    }
    return dims;
}

TensorType Interpreter::type_of_data(const Value& data, bool is_numpy) const {
    TensorType type;
    std::vector<SymInt> shape;
    Value at = data;
    while (at.is_sequence() && at.tag != Tag::set) {
        if (at.as.list->open) return type;
        shape.push_back(SymInt::of(static_cast<std::int64_t>(at.as.list->items.size())));
        if (at.as.list->items.empty()) break;
        at = at.as.list->items.front();
    }
    if (const TensorType* inner = host_type(&at); inner != nullptr) {  // torch.tensor(array)
        if (!shape.empty()) return type;
        return *inner;
    }
    if (at.tag == Tag::real) type.dtype = is_numpy ? DType::fp64 : DType::fp32;
    if (at.tag == Tag::integer || at.tag == Tag::symbol) type.dtype = DType::int64;
    if (at.tag == Tag::boolean) type.dtype = DType::boolean;
    // [1, 2.0] is real: only the first element was looked at.
    if (type.dtype == DType::int64 && data.is_sequence()) {
        const auto& items = data.as.list->items;
        if (shape.size() != 1 || std::ranges::any_of(items, [](const Value& v) { return !v.is_int(); })) {
            type.dtype = DType::unknown;
        }
    }
    if (at.tag == Tag::unknown) return type;
    type.shape = std::move(shape);
    type.rank_known = true;
    return type;
}

std::optional<Value> Interpreter::call_torch(std::string_view full_name, Arguments& args, NodeId node) {
    if (kernel_ != kNone || args.open) return std::nullopt;
    const bool is_numpy = full_name.starts_with("numpy.");
    const std::size_t dot = full_name.rfind('.');
    const std::string_view name = full_name.substr(dot + 1);
    const auto given_dtype = [&](DType otherwise) {
        const Value* v = args.find("dtype");
        if (v == nullptr || v->tag == Tag::none) return otherwise;
        return v->tag == Tag::dtype ? v->as.dtype : DType::unknown;
    };
    const DType real = is_numpy ? DType::fp64 : DType::fp32;
    const auto made = [&](std::optional<std::vector<SymInt>> shape, DType dtype) {
        TensorType type;
        type.dtype = dtype;
        if (shape) {
            type.shape = std::move(*shape);
            type.rank_known = true;
        }
        return host_tensor(std::move(type), node);
    };
    const auto size_at = [&](std::size_t from, std::string_view keyword) -> std::optional<std::vector<SymInt>> {
        for (const std::string_view k : {keyword, std::string_view("size"), std::string_view("shape")}) {
            if (const Value* v = args.find(k); v != nullptr) return size_argument({v, 1});
        }
        if (args.positional.size() <= from) return std::nullopt;
        const auto rest = std::span<const Value>(args.positional).subspan(from);
        // numpy takes one size only, and a dtype behind it.
        return size_argument(is_numpy ? rest.first(1) : rest);
    };
    const Value* first = args.get(0, "input");
    if (is_one_of(name, kFilled) && !full_name.starts_with("numpy.random.")) {
        DType dtype = given_dtype(real);
        if (is_numpy && args.positional.size() > 1) {
            dtype = args.positional[1].tag == Tag::dtype ? args.positional[1].as.dtype : DType::unknown;
        }
        return made(size_at(0, "size"), dtype);
    }
    if (name == "full") {
        const Value* fill = args.get(1, "fill_value");
        DType dtype = DType::unknown;
        if (fill != nullptr) dtype = type_of_data(*fill, is_numpy).dtype;
        const Value* size = args.get(0, "size");
        return made(size == nullptr ? std::nullopt : size_argument({size, 1}), given_dtype(dtype));
    }
    if (name == "randint") {  // randint(high, size), randint(low, high, size)
        const Value* size = args.find("size");
        if (size == nullptr && args.positional.size() >= 2 && args.positional.size() <= 3) {
            size = &args.positional[args.positional.size() - 1];
        }
        if (size == nullptr) return std::nullopt;
        return made(size_argument({size, 1}), given_dtype(DType::int64));
    }
    if (full_name.starts_with("numpy.random.")) {
        if (name == "rand" || name == "randn") return made(size_argument(args.positional), DType::fp64);
        if (name == "uniform" || name == "normal") {
            const Value* size = args.get(2, "size");
            return size == nullptr ? std::nullopt : std::optional(made(size_argument({size, 1}), DType::fp64));
        }
        return std::nullopt;
    }
    if (name == "arange") {
        // Only whole numbers; the length is the ceiling of the span by the step.
        const auto& p = args.positional;
        if (p.empty() || p.size() > 3 || args.find("start") != nullptr || args.find("end") != nullptr)
            return std::nullopt;
        const SymInt start = p.size() > 1 ? p[0].sym() : SymInt::of(0);
        const SymInt stop = p.size() > 1 ? p[1].sym() : p[0].sym();
        const SymInt step = p.size() > 2 ? p[2].sym() : SymInt::of(1);
        std::vector<SymInt> shape{SymInt{}};
        if (step.known() && step.value > 0)
            shape[0] = trace_.symbols.ceil_div(trace_.symbols.subtract(stop, start), step);
        const bool whole = std::ranges::none_of(p, [](const Value& v) { return v.sym().unknown(); });
        return made(shape, given_dtype(whole ? DType::int64 : DType::unknown));
    }
    if (name == "tensor" || name == "as_tensor" || name == "array" || name == "asarray" || name == "from_numpy") {
        if (first == nullptr) return std::nullopt;
        TensorType type = type_of_data(*first, is_numpy);
        type.dtype = given_dtype(type.dtype);
        return host_tensor(std::move(type), node);
    }
    if (name == "eye" && first != nullptr) {
        const Value* columns = args.get(1, "m");
        const SymInt n = first->sym();
        return made(std::vector<SymInt>{n, columns != nullptr && columns->is_int() ? columns->sym() : n},
                    given_dtype(real));
    }
    const TensorType* type = host_type(first);
    if (type == nullptr) return std::nullopt;
    if (is_one_of(name, kLike)) {
        TensorType out = *type;
        out.dtype = given_dtype(out.dtype);
        return host_tensor(std::move(out), node);
    }
    if (is_one_of(name, kPairwise)) {
        const Value* other = args.get(1, "other");
        return other == nullptr ? std::nullopt : std::optional(host_binary(*first, *other, node));
    }
    if (name == "matmul" || name == "mm" || name == "bmm") {
        const Value* other = args.get(1, name == "matmul" ? "other" : "mat2");
        return other == nullptr ? std::nullopt : std::optional(host_matmul(*first, *other, node));
    }
    const bool is_real = is_one_of(name, kRealElementwise);
    if (is_one_of(name, kElementwise) || is_real) {
        TensorType out = *type;
        if (is_real && !hardware::is_float(out.dtype)) out.dtype = DType::unknown;
        if (name == "sort" && !is_numpy) {
            TensorType order = out;
            order.dtype = DType::int64;
            return make_list(Tag::tuple, {host_tensor(std::move(out), node), host_tensor(std::move(order), node)},
                             node);
        }
        out.dtype = given_dtype(out.dtype);
        return host_tensor(std::move(out), node);
    }
    // torch.reshape(x, ...), torch.transpose(x, 0, 1): the method of the same name.
    Arguments rest = args;
    rest.positional.erase(rest.positional.begin());
    if (!rest.positional_sites.empty()) rest.positional_sites.erase(rest.positional_sites.begin());
    if (!rest.splat_sites.empty()) rest.splat_sites.erase(rest.splat_sites.begin());
    static constexpr auto kAlsoMethods = std::to_array<std::string_view>(
        {"reshape", "transpose", "permute", "unsqueeze", "squeeze", "flatten", "t", "sum", "mean", "amax", "amin"});
    if (!is_numpy && first == args.positional.data() && is_one_of(name, kAlsoMethods)) {
        return host_method(*first, name, rest, node);
    }
    return std::nullopt;
}

}  // namespace ptofix::trace
