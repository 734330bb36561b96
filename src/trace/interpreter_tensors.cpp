// Attributes, methods, slices and slice assignment of tensors.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// x[:], x[:, :]: the whole tensor, written with no bound at all.
bool is_whole_key(const Value& key) {
    const auto open = [](const Value& v) {
        return v.tag == Tag::slice && v.as.slice->start.tag == Tag::none && v.as.slice->stop.tag == Tag::none &&
               v.as.slice->step.tag == Tag::none;
    };
    if (key.tag == Tag::tuple) return std::ranges::all_of(key.as.list->items, open);
    return open(key);
}

}  // namespace

Value Interpreter::shape_value(TensorId id, NodeId node) {
    const TensorType& type = trace_.tensors[id].type;
    std::vector<Value> dims;
    for (const SymInt& d : type.shape) dims.push_back(Value::of(trace_.symbols.resolved(d)));
    // The framework has a list, torch a tuple.
    const bool host = trace_.tensors[id].source == TensorSource::host;
    Value v = make_list(host ? Tag::tuple : Tag::list, std::move(dims), node);
    v.as.list->open = !type.rank_known;
    // An operation's result makes the list anew each time; a declared tensor may hand out the one it was declared with.
    if (trace_.tensors[id].source != TensorSource::operation) v.as.list->birth = 0;
    return v;
}

Value Interpreter::tensor_attribute(const Value& tensor, std::string_view name, NodeId node) {
    const Tensor& t = trace_.tensors[tensor.as.tensor];
    if (name == "shape" || name == "valid_shape") {
        if (name == "valid_shape" && t.base != kNoTensor) return unknown(UnknownReason::Why::runtime_value, node);
        return shape_value(tensor.as.tensor, node);
    }
    if (name == "dtype") {
        return t.type.dtype == hardware::DType::unknown ? unknown(UnknownReason::Why::joined, node)
                                                        : Value::of(t.type.dtype);
    }
    if (name == "ndim") {
        return t.type.rank_known ? Value::integer(static_cast<std::int64_t>(t.type.shape.size()))
                                 : unknown(UnknownReason::Why::joined, node);
    }
    if (name == "name") return t.name.empty() ? unknown(UnknownReason::Why::joined, node) : string_value(t.name, node);
    if (t.source == TensorSource::host) return host_attribute(tensor, name, node);
    Value v = Value::with(Tag::bound_method);
    v.as.method = heap_.make<BoundMethod>(BoundMethod{tensor, {}, name});
    return v.at(here(node));
}

Value Interpreter::tensor_method(const Value& tensor, std::string_view name, Arguments& args, NodeId node) {
    const Tensor& t = trace_.tensors[tensor.as.tensor];
    if (name == "dim" && args.positional.empty()) {
        return t.type.rank_known ? Value::integer(static_cast<std::int64_t>(t.type.shape.size()))
                                 : unknown(UnknownReason::Why::joined, node);
    }
    if (name == "size") {
        if (!t.type.rank_known && args.positional.size() == 1 && args.positional[0].tag == Tag::integer) {
            return Value::of(dim_of(tensor.as.tensor, args.positional[0].as.i)).at(here(node));
        }
        Value shape = shape_value(tensor.as.tensor, node);
        if (args.positional.empty()) return shape;
        return index_sequence(shape, args.positional[0], node);
    }
    if (kernel_ == kNone) {
        return t.source == TensorSource::host ? host_method(tensor, name, args, node)
                                              : unknown(UnknownReason::Why::library_value, node, name);
    }
    if (const auto code = find_tensor_method(name)) return call_operation(*code, args, node, &tensor);
    if (const auto code = find_operation(name)) return call_operation(*code, args, node, &tensor);
    return unknown(UnknownReason::Why::library_value, node, name);
}

bool Interpreter::read_subscript(const Value& key, const TensorType& type, std::vector<SymInt>& offsets,
                                 std::vector<SymInt>& extent, std::vector<bool>& dropped, bool& whole) {
    std::vector<Value> keys;
    if (key.tag == Tag::tuple) {
        keys = key.as.list->items;
    } else {
        keys = {key};
    }
    if (!type.rank_known) return false;
    const std::size_t rank = type.shape.size();
    const auto ellipsis = std::ranges::count_if(keys, [](const Value& v) { return v.tag == Tag::ellipsis; });
    if (ellipsis > 1 || keys.size() - static_cast<std::size_t>(ellipsis) > rank) return false;
    const Value all = [&] {
        Value v = Value::with(Tag::slice);
        v.as.slice = heap_.make<Slice>(Slice{Value::none(), Value::none(), Value::none()});
        return v;
    }();
    std::vector<Value> full;
    for (const Value& k : keys) {
        if (k.tag != Tag::ellipsis) {
            full.push_back(k);
            continue;
        }
        for (std::size_t i = keys.size() - 1; i < rank; ++i) full.push_back(all);
    }
    while (full.size() < rank) full.push_back(all);
    Symbols& s = trace_.symbols;
    whole = true;
    for (std::size_t i = 0; i < rank; ++i) {
        const SymInt dim = type.shape[i];
        const auto from_end = [&](SymInt v) {
            const Bounds b = s.bounds(v);
            return b.high && *b.high < 0 ? s.add(dim, v) : v;
        };
        if (full[i].tag == Tag::slice) {
            const Slice& slice = *full[i].as.slice;
            const bool open_start = slice.start.tag == Tag::none;
            const bool open_stop = slice.stop.tag == Tag::none;
            whole = whole && open_start && open_stop;
            const SymInt start = open_start ? SymInt::of(0) : from_end(slice.start.sym());
            SymInt stop = open_stop ? dim : from_end(slice.stop.sym());
            // x[0:64] of a dim of 32 reads 32: Python's rule, the framework's too.
            if (stop.known() && dim.known()) stop = s.min(stop, dim);
            offsets.push_back(start);
            extent.push_back(s.subtract(stop, start));
            dropped.push_back(false);
            if (slice.step.tag != Tag::none && !slice.step.sym().is(1)) return false;
        } else {
            const SymInt at = full[i].sym();
            if (at.unknown() && full[i].tag != Tag::unknown) return false;
            whole = false;
            offsets.push_back(from_end(at));
            extent.push_back(SymInt::of(1));
            dropped.push_back(true);
        }
    }
    return true;
}

Value Interpreter::tensor_index(const Value& tensor, const Value& key, NodeId node) {
    if (kernel_ == kNone) {
        return host_type(&tensor) != nullptr ? host_index(tensor, key, node)
                                             : unknown(UnknownReason::Why::library_value, node);
    }
    if (is_whole_key(key)) return tensor;
    const TensorType type = trace_.tensors[tensor.as.tensor].type;
    std::vector<SymInt> offsets;
    std::vector<SymInt> extent;
    std::vector<bool> dropped;
    bool whole = false;
    const bool understood = read_subscript(key, type, offsets, extent, dropped, whole);
    if (understood && std::ranges::all_of(dropped, [](bool d) { return d; })) {  // one element: a number at run time
        const Tensor& t = trace_.tensors[tensor.as.tensor];
        Atom atom{
            AtomKind::opaque, std::string(text(node).substr(0, 40)), {}, UINT32_MAX, OpaqueOp::other, offsets[0], {}};
        (void)t;
        return Value::of(trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom)))).at(here(node));
    }
    const auto code = find_operation("view");
    if (!code) return {};
    BoundCall call;
    call.arguments.emplace_back("input", tensor);
    const auto as_list = [&](const std::vector<SymInt>& dims) {
        std::vector<Value> items;
        for (const SymInt& d : dims) items.push_back(Value::of(d));
        return make_list(Tag::list, std::move(items), node);
    };
    if (understood) {
        for (const SymInt& e : extent) note_use(LoopUse::Kind::index_in_shape, e, node);
        call.arguments.emplace_back("shape", as_list(extent));
        call.arguments.emplace_back("offsets", as_list(offsets));
    }
    Value out = record(*code, std::move(call), node);
    if (understood && out.tag == Tag::tensor && std::ranges::any_of(dropped, [](bool d) { return d; })) {
        std::vector<Value> kept;
        for (std::size_t i = 0; i < extent.size(); ++i) {
            if (!dropped[i]) kept.push_back(Value::of(extent[i]));
        }
        BoundCall reshape;
        reshape.arguments.emplace_back("input", out);
        reshape.arguments.emplace_back("shape", make_list(Tag::list, std::move(kept), node));
        if (const auto r = find_operation("reshape")) out = record(*r, std::move(reshape), node);
    }
    return out;
}

void Interpreter::tensor_store(const Value& tensor, const Value& key, Value value, NodeId node) {
    if (kernel_ == kNone) return;
    const TensorType type = trace_.tensors[tensor.as.tensor].type;
    std::vector<SymInt> offsets;
    std::vector<SymInt> extent;
    std::vector<bool> dropped;
    bool whole = false;
    const bool understood = read_subscript(key, type, offsets, extent, dropped, whole);
    const bool bare = is_whole_key(key);
    BoundCall call;
    const auto code = find_operation(bare ? "move" : "assemble");
    if (!code) return;
    if (bare) {
        call.arguments.emplace_back("self", tensor);
        call.arguments.emplace_back("other", value);
        record(*code, std::move(call), node);
        return;
    }
    call.arguments.emplace_back("input", value);
    if (understood) {
        std::vector<Value> items;
        for (const SymInt& d : offsets) items.push_back(Value::of(d));
        call.arguments.emplace_back("offsets", make_list(Tag::list, std::move(items), node));
    }
    call.arguments.emplace_back("out", tensor);
    record(*code, std::move(call), node);
    if (understood && !trace_.operations.empty() && trace_.operations.back().site == here(node)) {
        trace_.operations.back().extent = extent;
    }
}

}  // namespace ptofix::trace
