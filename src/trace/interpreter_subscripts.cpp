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

Value Interpreter::eval_subscript(NodeId node) {
    const NodeId object_node = tree_->child(node, Field::value);
    if (object_node == kNoNode) return {};
    const Value object = eval(object_node);
    std::vector<Value> keys;
    for (NodeId c : tree_->children(node)) {
        if ((*tree_)[c].field == Field::subscript) keys.push_back(eval(c));
    }
    if (keys.empty()) return {};
    if (keys.size() == 1 && !tree_->has_token(node, Kind::comma)) return index(object, keys[0], node);
    return index(object, make_list(Tag::tuple, std::move(keys), node), node);
}

Value Interpreter::index(Value object, Value key, NodeId node) {
    switch (object.tag) {
        case Tag::tensor:
            return tensor_index(object, key, node);
        case Tag::list:
        case Tag::tuple:
            return index_sequence(object, key, node);
        case Tag::string:
            return unknown(UnknownReason::Why::unsupported, node);
        case Tag::dict: {
            bool undecided = object.as.dict->open;
            for (const auto& [k, v] : object.as.dict->items) {
                const auto e = equal(k, key);
                if (e == true) return v;
                if (!e) undecided = true;
            }
            note_use(LoopUse::Kind::list_index, key, node);
            (void)undecided;
            return unknown(UnknownReason::Why::joined, node);
        }
        case Tag::instance:
            if (object.as.instance->klass != nullptr && object.as.instance->klass->is_named_tuple &&
                key.tag == Tag::integer) {
                const auto& attributes = object.as.instance->attributes;
                const std::int64_t i =
                    key.as.i < 0 ? key.as.i + static_cast<std::int64_t>(attributes.size()) : key.as.i;
                if (i >= 0 && i < static_cast<std::int64_t>(attributes.size()))
                    return attributes[static_cast<std::size_t>(i)].second;
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

Value Interpreter::index_sequence(const Value& object, const Value& key, NodeId node) {
    const List& list = *object.as.list;
    const auto size = static_cast<std::int64_t>(list.items.size());
    if (key.tag == Tag::integer || key.tag == Tag::boolean) {
        const std::int64_t raw = key.sym().value;
        if (raw < 0 && list.open) return unknown(UnknownReason::Why::joined, node);
        const std::int64_t i = raw < 0 ? raw + size : raw;
        if (i >= 0 && i < size) return list.items[static_cast<std::size_t>(i)];
        return unknown(list.open ? UnknownReason::Why::joined : UnknownReason::Why::error, node);
    }
    if (key.tag == Tag::slice && !list.open) {
        const auto part = [&](const Value& v, std::int64_t fallback) -> std::optional<std::int64_t> {
            if (v.tag == Tag::none) return fallback;
            if (!v.is_int()) return std::nullopt;
            std::int64_t i = v.sym().value;
            if (i < 0) i += size;
            return std::clamp<std::int64_t>(i, 0, size);
        };
        const Slice& s = *key.as.slice;
        const std::int64_t step = s.step.tag == Tag::none ? 1 : s.step.is_int() ? s.step.sym().value : 0;
        if (step == -1 && s.start.tag == Tag::none && s.stop.tag == Tag::none) {
            std::vector<Value> items(list.items.rbegin(), list.items.rend());
            return make_list(object.tag, std::move(items), node);
        }
        const auto from = part(s.start, 0);
        const auto to = part(s.stop, size);
        if (from && to && step > 0) {
            std::vector<Value> items;
            for (std::int64_t i = *from; i < *to; i += step) items.push_back(list.items[static_cast<std::size_t>(i)]);
            return make_list(object.tag, std::move(items), node);
        }
    }
    note_use(LoopUse::Kind::list_index, key, node);
    if (list.items.empty() || list.open || key.tag == Tag::slice) return unknown(UnknownReason::Why::joined, node);
    Value joined = list.items[0];
    for (const Value& item : list.items) joined = join(joined, item, node);
    return joined;
}

}  // namespace ptofix::trace
