// Subscripts and slices.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::eval_slice(NodeId node) {
    // start:stop:step, each may be absent; the colons tell which is which.
    Slice s{Value::none(), Value::none(), Value::none()};
    int at = 0;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::colon) {
            ++at;
            continue;
        }
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        Value& part = at == 0 ? s.start : at == 1 ? s.stop : s.step;
        part = eval(c);
        if (part.tag == Tag::none) part = unknown(UnknownReason::Why::unsupported, c);
    }
    Value v = Value::with(Tag::slice);
    v.as.slice = heap_.make<Slice>(s);
    return v.at(here(node));
}

Value Interpreter::eval_key(NodeId subscript) {
    std::vector<Value> keys;
    bool splat = false;
    for (NodeId c : tree_->children(subscript)) {
        if ((*tree_)[c].field != Field::subscript) continue;
        splat = splat || kind(c) == Kind::list_splat;
        keys.push_back(eval(c));
    }
    if (keys.empty() || splat) return unknown(UnknownReason::Why::unsupported, subscript);
    if (keys.size() == 1 && !tree_->has_token(subscript, Kind::comma)) return keys[0];
    return make_list(Tag::tuple, std::move(keys), subscript);
}

Value Interpreter::eval_subscript(NodeId node) {
    const NodeId object_node = tree_->child(node, Field::value);
    if (object_node == kNoNode) return {};
    Value object;
    Value owner;  // of `.shape`: a dim is asked for
    if (kind(object_node) == Kind::attribute && text(tree_->child(object_node, Field::attribute)) == "shape") {
        owner = as_host_tensor(eval(tree_->child(object_node, Field::object)));
        if (!raising_) object = attribute(owner, "shape", object_node);
    } else {
        object = eval(object_node);
    }
    const Value key = eval_key(node);
    if (raising_) return {};
    if (owner.tag == Tag::tensor && key.tag == Tag::integer && object.is_sequence() && object.as.list->open) {
        return Value::of(dim_of(owner.as.tensor, key.as.i)).at(here(node));
    }
    return index(object, key, node);
}

Value Interpreter::index(Value object, Value key, NodeId node) {
    key = plain(key);
    switch (object.tag) {
        case Tag::tensor:
            return tensor_index(object, key, node);
        case Tag::list:
        case Tag::tuple:
            return index_sequence(object, key, node);
        case Tag::string:
            return string_index(object, key, node);
        case Tag::dict: {
            const Dict& dict = *object.as.dict;
            const Entry at = find(dict, key);
            if (at.found == Found::yes) return dict.items[at.index].second;
            note_use(LoopUse::Kind::list_index, key, node);
            if (at.found == Found::no) return definite_error("KeyError", node);
            if (dict.open || dict.items.empty()) {
                for (const auto& [k, v] : dict.items) lose(v);
                return unknown(UnknownReason::Why::joined, node);
            }
            std::vector<Value> values;
            for (const auto& [k, v] : dict.items) values.push_back(v);
            return one_of(values, node);
        }
        case Tag::range:
            return index_range(*object.as.range, key, node);
        case Tag::instance:
            return index_instance(object, key, node);
        case Tag::klass:
            if (object.as.klass->is_enum && key.tag == Tag::string) {
                return class_attribute(object.as.klass, *key.as.text, Value::none(), node);
            }
            return unknown(UnknownReason::Why::unsupported, node);
        case Tag::external:
            if (*object.as.text == "pypto.Tensor" || *object.as.text == "pypto.tensor") {  // pypto.Tensor[[...], dtype]
                Arguments args;
                if (key.tag == Tag::tuple) {
                    args.positional = key.as.list->items;
                } else {
                    args.positional = {key};
                }
                return make_tensor_spec(args, node);
            }
            if (*object.as.text == "os.environ") return unknown(UnknownReason::Why::runtime_value, node);
            return unknown(UnknownReason::Why::external_call, node);
        default:
            note_use(LoopUse::Kind::index_escapes, key, node);
            return unknown(UnknownReason::Why::joined, node);
    }
}

std::optional<std::vector<std::int64_t>> Interpreter::slice_positions(const Slice& s, std::int64_t size) {
    const auto given = [](const Value& v) { return v.tag != Tag::none; };
    for (const Value* part : {&s.start, &s.stop, &s.step}) {
        if (given(*part) && !part->is_int()) return std::nullopt;
    }
    const std::int64_t step = given(s.step) ? s.step.sym().value : 1;
    if (step == 0) return std::nullopt;
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? size : size - 1;
    const auto edge = [&](const Value& v, std::int64_t absent) {
        if (!given(v)) return absent;
        const std::int64_t raw = v.sym().value;
        return std::clamp(raw < 0 ? raw + size : raw, low, high);
    };
    const std::int64_t start = edge(s.start, step > 0 ? low : high);
    const std::int64_t stop = edge(s.stop, step > 0 ? high : low);
    std::vector<std::int64_t> out;
    for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
        out.push_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    charge(out.size());
    return out;
}

Value Interpreter::index_range(const Range& r, const Value& key, NodeId node) {
    if (key.is_int() && r.start.known() && r.stop.known() && r.step.known() && r.step.value != 0) {
        Symbols& s = trace_.symbols;
        const Value length = range_length(r);
        if (length.tag != Tag::integer) return unknown(UnknownReason::Why::joined, node);
        const std::int64_t raw = key.sym().value;
        const std::int64_t i = raw < 0 ? raw + length.as.i : raw;
        if (i < 0 || i >= length.as.i) return definite_error("IndexError", node);
        return Value::of(s.add(r.start, s.multiply(r.step, SymInt::of(i)))).at(here(node));
    }
    return unknown(UnknownReason::Why::joined, node);
}

Value Interpreter::range_length(const Range& r) {
    Symbols& s = trace_.symbols;
    if (r.step.known() && r.step.value < 0) {
        return Value::of(s.max(SymInt::of(0), s.ceil_div(s.subtract(r.start, r.stop), s.negate(r.step))));
    }
    return Value::of(s.max(SymInt::of(0), s.ceil_div(s.subtract(r.stop, r.start), r.step)));
}

Value Interpreter::one_of(const std::vector<Value>& values, NodeId node) {
    if (values.empty()) return unknown(UnknownReason::Why::joined, node);
    Value joined = values[0];
    for (const Value& v : values) {
        if (joined.tag == Tag::unknown) {
            lose(v);
        } else {
            joined = join(joined, v, node);
        }
    }
    return joined;
}

Value Interpreter::index_sequence(const Value& object, const Value& key, NodeId node) {
    const List& list = *object.as.list;
    const auto size = static_cast<std::int64_t>(list.items.size());
    if (key.is_int()) {
        const std::int64_t raw = key.sym().value;
        const std::int64_t i = raw < 0 ? raw + size : raw;
        if (raw >= 0 || !list.open) {
            if (i >= 0 && i < size) return narrowed(list.items[static_cast<std::size_t>(i)]);
            if (!list.open) return definite_error("IndexError", node);
        }
        for (const Value& v : list.items) lose(v);
        return unknown(UnknownReason::Why::joined, node);
    }
    if (key.tag == Tag::slice && !list.open) {
        if (const auto positions = slice_positions(*key.as.slice, size)) {
            std::vector<Value> items;
            for (const std::int64_t i : *positions) items.push_back(list.items[static_cast<std::size_t>(i)]);
            return make_list(object.tag, std::move(items), node);
        }
    }
    note_use(LoopUse::Kind::list_index, key, node);
    if (key.tag == Tag::slice) {
        for (const Value& v : list.items) lose(v);
        // Known to be a list or tuple, and no more.
        Value v = make_list(object.tag, {}, node);
        v.as.list->open = true;
        return v;
    }
    if (list.open) {
        for (const Value& v : list.items) lose(v);
        return unknown(UnknownReason::Why::joined, node);
    }
    return one_of(list.items, node);
}

}  // namespace ptofix::trace
