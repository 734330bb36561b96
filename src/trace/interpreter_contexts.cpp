// What a kernel's parameters are in the context of one call: the declaration as the framework reads it, completed by
// what the host's arguments tell. A dim that is declared DYNAMIC stays one whatever the call gives; every other dim is
// compiled as the host tensor has it.
#include <fmt/format.h>

#include <algorithm>

#include "trace/interpreter.h"
#include "trace/some_number.h"

namespace ptofix::trace {

namespace {

bool is_dynamic(const Value& dim) {
    // frontend.dynamic("b") is a symbol already.
    return dim.tag == Tag::symbol || (dim.tag == Tag::marker && (*dim.as.text == "DYNAMIC" || *dim.as.text == "DYN"));
}

std::string dim_name(std::string_view tensor, std::size_t axis) {
    return std::string(tensor) + ".shape[" + std::to_string(axis) + "]";
}

/// The dims as declared, with `...` stretched to the rank; nullopt where the rank cannot be told or does not fit.
std::optional<std::vector<Value>> declared_dims(const TensorSpec& spec, std::optional<std::size_t> host_rank) {
    std::vector<Value> dims = spec.dims;
    const auto dots = std::ranges::find_if(dims, [](const Value& v) { return v.tag == Tag::ellipsis; });
    if (dots == dims.end() && !dims.empty()) {
        if (host_rank && *host_rank != dims.size()) return std::nullopt;
        return dims;
    }
    if (!host_rank || *host_rank + 1 < dims.size()) return std::nullopt;
    const std::size_t stretch = dims.empty() ? *host_rank : *host_rank + 1 - dims.size();
    const auto at = dots == dims.end() ? dims.end() : dims.erase(dots);
    dims.insert(at, stretch, Value{});
    return dims;
}

}  // namespace

SymInt Interpreter::context_dim(SymInt host, std::string name, HostDims& dims) {
    if (host.known()) return host;
    // Dims that are one on the host are one in the kernel, under a name of this context.
    for (const auto& [known, mine] : dims) {
        if (host.symbolic() && known == host) return mine;
    }
    Atom atom{AtomKind::parameter, std::move(name), trace_.symbols.bounds(host), UINT32_MAX, OpaqueOp::none, {}, {}};
    if (host.unknown()) atom.bounds = {0, std::nullopt};
    const SymInt mine = trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom)));
    if (host.symbolic()) dims.emplace_back(host, mine);
    return mine;
}

TensorType Interpreter::context_type(const TensorSpec* spec, const TensorType* host, std::string_view name,
                                     HostDims& dims, std::string& key) {
    TensorType type;
    const auto host_rank = host != nullptr && host->rank_known ? std::optional(host->shape.size()) : std::nullopt;
    type.dtype = spec != nullptr ? spec->dtype : hardware::DType::unknown;
    type.nz = spec != nullptr && spec->nz;
    if (type.dtype == hardware::DType::unknown && host != nullptr) {
        type.dtype = host->dtype;
        key += fmt::format("|{}:d{}", name, static_cast<int>(type.dtype));
    }
    static const TensorSpec kNothing;
    const auto declared = declared_dims(spec != nullptr ? *spec : kNothing, host_rank);
    if (!declared) {
        // The declaration may know the rank where the call contradicts it: the framework will refuse the call.
        if (spec == nullptr || !spec->rank_known) return type;
        return context_type(spec, nullptr, name, dims, key);
    }
    type.rank_known = true;
    for (std::size_t i = 0; i < declared->size(); ++i) {
        const Value& dim = (*declared)[i];
        const auto said = assumed_dim(name, static_cast<std::int64_t>(i), declared->size());
        if (dim.tag == Tag::integer && dim.as.i >= 0) {
            type.shape.push_back(SymInt::of(dim.as.i));
        } else if (dim.tag == Tag::symbol) {
            if (said) give_number(dim.sym(), *said);
            type.shape.push_back(said ? SymInt::of(*said) : trace_.symbols.resolved(dim.sym()));
        } else if (said && is_dynamic(dim)) {
            type.shape.push_back(SymInt::of(*said));
        } else if (is_dynamic(dim)) {
            Atom atom{AtomKind::dynamic_dim, dim_name(name, i), {0, std::nullopt}, UINT32_MAX, OpaqueOp::none, {}, {}};
            type.shape.push_back(trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom))));
        } else {
            SymInt given = host_rank ? trace_.symbols.resolved(host->shape[i]) : SymInt{};
            if (given.known() && type.nz) given = nz_aligned(given, declared->size() - i, type.dtype);
            if (said && !given.known()) {
                if (given.symbolic()) dims.emplace_back(given, SymInt::of(*said));
                given = SymInt::of(*said);
            }
            type.shape.push_back(context_dim(given, dim_name(name, i), dims));
            if (given.known()) key += fmt::format("|{}[{}]={}", name, i, given.value);
        }
    }
    return type;
}

TensorType Interpreter::host_type_of_rank(TensorId id, std::size_t rank) const {
    TensorType type = trace_.tensors[id].type;
    if (type.rank_known || rank == 0) return type;
    // Its rank is the declared one, or the framework refuses the call.
    type.rank_known = true;
    type.shape.assign(rank, SymInt{});
    for (const PartialDim& dim : partial_dims_) {
        const std::int64_t axis = dim.axis < 0 ? dim.axis + static_cast<std::int64_t>(rank) : dim.axis;
        if (dim.tensor != id || axis < 0 || axis >= static_cast<std::int64_t>(rank)) continue;
        type.shape[static_cast<std::size_t>(axis)] = dim.value;
    }
    return type;
}

SymInt Interpreter::nz_aligned(SymInt dim, std::size_t from_end, hardware::DType dtype) {
    // NZ keeps whole blocks: 32 bytes of the last axis, 16 of the one before.
    constexpr std::int64_t kBlockBytes = 32;
    constexpr std::int64_t kBlockRows = 16;
    const int size = hardware::size_of(dtype);
    const std::int64_t to = from_end == 1 && size > 0 ? kBlockBytes / size : from_end == 2 ? kBlockRows : 1;
    return SymInt::of((dim.value + to - 1) / to * to);
}

Value Interpreter::context_value(const Parameter& p, const Value& argument, HostDims& dims, std::string& key) {
    const Value& annotation = p.annotation_value;
    const auto named = [&](std::string_view name) {
        return annotation.tag == Tag::external && *annotation.as.text == name;
    };
    const auto tensor_of = [&](TensorType type, hardware::DType declared) {
        Tensor made;
        made.type = std::move(type);
        made.source = TensorSource::parameter;
        made.name = p.name;
        made.site = here(p.node);
        made.declared = declared;
        return Value::tensor(new_tensor(std::move(made)));
    };
    const bool is_tensor = argument.tag == Tag::tensor;
    TensorType host;
    if (annotation.tag == Tag::tensor_spec) {
        const TensorSpec& spec = *annotation.as.spec;
        if (is_tensor) host = host_type_of_rank(argument.as.tensor, spec.rank_known ? spec.dims.size() : 0);
        return tensor_of(context_type(&spec, is_tensor ? &host : nullptr, p.name, dims, key), spec.dtype);
    }
    if (is_tensor) {
        host = trace_.tensors[argument.as.tensor].type;
        return tensor_of(context_type(nullptr, &host, p.name, dims, key), hardware::DType::unknown);
    }
    if (argument.tag == Tag::symbol) {  // what the host learns of it later is no fact here
        return with_assumption(p.name, Value::of(context_dim(argument.sym(), std::string(p.name), dims)))
            .at(argument.origin());
    }
    if (argument.tag != Tag::unknown) {
        key += argument_key(p.name, argument);
        return argument;
    }
    if (named("builtins.int")) {
        Atom atom{AtomKind::parameter, std::string(p.name), {}, UINT32_MAX, OpaqueOp::none, {}, {}};
        return with_assumption(p.name, Value::of(trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom)))));
    }
    if (assumed(p.name)) return with_assumption(p.name, unknown(UnknownReason::Why::not_given, p.node, p.name));
    // What else is annotated as a number is one, whatever it is: no tensor, whose shape would be open.
    if (named("builtins.float") || named("builtins.bool")) {
        return as_some_number(unknown(UnknownReason::Why::not_given, p.node, p.name));
    }
    if ((p.annotation == kNoNode && !p.has_default) || named("pypto.Tensor") || named("pypto.tensor")) {
        return tensor_of({}, hardware::DType::unknown);
    }
    return unknown(UnknownReason::Why::not_given, p.node, p.name);
}

std::string Interpreter::argument_key(std::string_view name, const Value& v) {
    switch (v.tag) {
        case Tag::integer:
            return fmt::format("|{}={}", name, v.as.i);
        case Tag::boolean:
            return fmt::format("|{}={}", name, v.as.b);
        case Tag::real:
            return fmt::format("|{}={}", name, v.as.f);
        case Tag::string:
            return fmt::format("|{}={}", name, *v.as.text);
        case Tag::dtype:
            return fmt::format("|{}=d{}", name, static_cast<int>(v.as.dtype));
        case Tag::instance:
            return fmt::format("|{}={}", name, static_cast<const void*>(v.as.instance));
        case Tag::list:
        case Tag::tuple:
            return fmt::format("|{}={}", name, static_cast<const void*>(v.as.list));
        case Tag::dict:
            return fmt::format("|{}={}", name, static_cast<const void*>(v.as.dict));
        default:
            return {};
    }
}

}  // namespace ptofix::trace
