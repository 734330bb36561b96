// Methods of Python's lists, tuples, dicts and sets.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::list_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    List& list = *self.as.list;
    const Value* first = args.get(0, "object");
    const auto size = static_cast<std::int64_t>(list.items.size());
    // Python keeps an index inside the list for some methods and raises for others.
    const auto position = [&](const Value& v) -> std::optional<std::int64_t> {
        if (!v.is_int() || (list.open && v.sym().value < 0)) return std::nullopt;
        const std::int64_t raw = v.sym().value;
        return raw < 0 ? raw + size : raw;
    };
    const auto forget_items = [&] {
        for (const Value& v : list.items) lose(v);
        list.items.clear();
        list.open = true;
    };
    if (name == "index" && first != nullptr && args.positional.size() == 1) {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const auto e = equal_item(list.items[i], *first);
            if (e == true) return Value::integer(static_cast<std::int64_t>(i));
            if (!e) return unknown(UnknownReason::Why::joined, node);
        }
        return list.open ? unknown(UnknownReason::Why::joined, node) : definite_error("ValueError", node);
    }
    if (name == "count" && first != nullptr) {
        std::int64_t count = 0;
        for (const Value& v : list.items) {
            const auto e = equal_item(v, *first);
            if (!e) return unknown(UnknownReason::Why::joined, node);
            count += *e;
        }
        return list.open ? unknown(UnknownReason::Why::joined, node) : Value::integer(count);
    }
    if (self.tag == Tag::tuple) return unknown(UnknownReason::Why::unsupported, node, name);
    if (name == "copy") return copy(self, 1);

    change(list, node);
    if (name == "append" && first != nullptr) {
        if (list.open) {
            lose(*first);
        } else {
            list.items.push_back(*first);
        }
        return Value::none();
    }
    if (name == "extend" && first != nullptr) {
        extend(list, *first);
        return Value::none();
    }
    if (name == "insert" && args.positional.size() == 2) {
        const auto at = position(args.positional[0]);
        if (!at || (list.open && *at > size)) {
            lose(args.positional[1]);
            forget_items();
        } else {
            const auto i = std::clamp<std::int64_t>(*at, 0, size);
            list.items.insert(list.items.begin() + static_cast<std::ptrdiff_t>(i), args.positional[1]);
        }
        return Value::none();
    }
    if (name == "pop") {
        const auto at = first == nullptr ? (list.open ? std::nullopt : std::optional(size - 1)) : position(*first);
        if (!at || (list.open && *at >= size)) {
            forget_items();  // also the last one: the list may be no longer than what is known of it
            return unknown(UnknownReason::Why::joined, node);
        }
        if (*at < 0 || *at >= size) return definite_error("IndexError", node);
        const Value out = list.items[static_cast<std::size_t>(*at)];
        list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(*at));
        return out;
    }
    if (name == "remove" && first != nullptr) {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const auto e = equal_item(list.items[i], *first);
            if (e == false) continue;
            if (!e) break;
            list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(i));
            return Value::none();
        }
        if (!list.open && find(list, *first) == Found::no) return definite_error("ValueError", node);
        forget_items();
        return Value::none();
    }
    if (name == "reverse") {
        if (list.open) {
            forget_items();
        } else {
            std::ranges::reverse(list.items);
        }
        return Value::none();
    }
    if (name == "sort") {
        if (list.open || !sort_items(list.items, args, node)) forget_items();
        return Value::none();
    }
    if (name == "clear") {
        list.items.clear();
        list.open = false;
        return Value::none();
    }
    forget_items();
    return unknown(UnknownReason::Why::unsupported, node, name);
}

bool Interpreter::sort_items(std::vector<Value>& items, const Arguments& args, NodeId node) {
    if (args.open) return false;
    bool reverse = false;
    if (const Value* r = args.find("reverse"); r != nullptr) {
        const auto t = truth(*r);
        if (!t) return false;
        reverse = *t;
    }
    const Value* key = args.find("key");
    std::vector<std::pair<Value, Value>> keyed;
    for (const Value& item : items) {
        keyed.emplace_back(key == nullptr || key->tag == Tag::none ? item : call_with(*key, {item}, node), item);
    }
    charge(keyed.size() * 8);
    for (std::size_t i = 1; i < keyed.size(); ++i) {
        // All comparable: then an order of neighbours is an order of all, for numbers, texts and tuples of them.
        if (!order(keyed[i - 1].first, keyed[i].first)) return false;
    }
    bool comparable = true;
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        const auto o = order(a.first, b.first);
        comparable = comparable && o.has_value();
        return o && (reverse ? *o > 0 : *o < 0);
    });
    if (!comparable) return false;
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = keyed[i].second;
    return true;
}

Value Interpreter::dict_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    Dict& dict = *self.as.dict;
    const auto view = [&](View::Kind kind) {
        Value v = Value::with(Tag::view);
        v.as.view = heap_.make<View>(View{kind, &dict});
        return v.at(here(node));
    };
    if (name == "items") return view(View::Kind::items);
    if (name == "keys") return view(View::Kind::keys);
    if (name == "values") return view(View::Kind::values);
    if (name == "copy") return copy(self, 1);
    if ((name == "get" || name == "pop" || name == "setdefault") && !args.positional.empty()) {
        const Value key = args.positional[0];
        note_use(LoopUse::Kind::list_index, key, node);
        const Value* given = args.get(1, "default");
        const Value fallback = given != nullptr ? *given : Value::none();
        const Entry at = find(dict, key);
        const std::optional<Value> found =
            at.found == Found::yes ? std::optional(dict.items[at.index].second) : std::nullopt;
        if (name == "pop") {
            if (at.found == Found::no && given == nullptr) return definite_error("KeyError", node);
            change(dict, node);
            if (at.found == Found::maybe) lose_values(dict);
            erase(dict, key);
        } else if (name == "setdefault" && at.found != Found::yes) {
            change(dict, node);
            if (at.found == Found::no) {
                put(dict, key, fallback, node);
            } else {
                dict.open = true;  // it may have been added
                lose(fallback);
            }
        }
        if (found) return *found;
        if (at.found == Found::no) return fallback;
        lose_values(dict);
        lose(fallback);
        return unknown(UnknownReason::Why::joined, node);
    }
    change(dict, node);
    if (name == "update") {
        if (const Value* other = args.positional.empty() ? nullptr : &args.positional[0]; other != nullptr) {
            if (other->tag == Tag::dict) {
                put_all(dict, *other, node);
            } else {
                put_pairs(dict, *other, node);
            }
        }
        for (const auto& [k, v] : args.keyword) put(dict, string_value(k, node), v, node);
        if (args.open) put_unknown(dict, node);
        return Value::none();
    }
    if (name == "clear") {
        dict.items.clear();
        dict.open = false;
        return Value::none();
    }
    if (name == "popitem" && !dict.open && !dict.items.empty()) {
        const auto [k, v] = dict.items.back();
        dict.items.pop_back();
        return make_list(Tag::tuple, {k, v}, node);
    }
    lose_values(dict);
    dict.items.clear();
    dict.open = true;
    return unknown(UnknownReason::Why::unsupported, node, name);
}

void Interpreter::put_pairs(Dict& dict, const Value& pairs, NodeId node) {
    const auto items = iterate(pairs);
    if (!items) {
        put_unknown(dict, node);
        return;
    }
    for (const Value& p : *items) {
        const auto pair = iterate(p);
        if (pair && pair->size() == 2) {
            put(dict, (*pair)[0], (*pair)[1], node);
        } else {
            put_unknown(dict, node);
        }
    }
}

void Interpreter::lose_values(const Dict& dict) {
    for (const auto& [k, v] : dict.items) lose(v);
}

Value Interpreter::set_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    List& set = *self.as.list;
    const auto as_set = [&](const Value& v) {
        Value out = make_list(Tag::set, {}, node);
        add_all(*out.as.list, v);
        return out;
    };
    const auto folded = [&](Kind op) {
        Value out = copy(self, 1).at(here(node));
        for (const Value& v : args.positional) {
            const auto r = combine_sets(op, out, as_set(v), node);
            if (!r) return unknown(UnknownReason::Why::unsupported, node, name);
            out = *r;
        }
        return out;
    };
    const bool one = args.positional.size() == 1;
    if (name == "copy") return copy(self, 1);
    if (name == "union") return folded(Kind::bar);
    if (name == "intersection") return folded(Kind::ampersand);
    if (name == "difference") return folded(Kind::minus);
    if (name == "symmetric_difference" && one) return folded(Kind::caret);
    if ((name == "issubset" || name == "issuperset" || name == "isdisjoint") && one) {
        const Value other = as_set(args.positional[0]);
        std::optional<bool> r;
        if (name == "isdisjoint") {
            const auto shared = combine_sets(Kind::ampersand, self, other, node);
            const auto some = shared ? truth(*shared) : std::nullopt;
            if (some) r = !*some;
        } else {
            r = relate_sets(name == "issubset" ? Kind::less_equal : Kind::greater_equal, set, *other.as.list);
        }
        return r ? Value::boolean(*r) : unknown(UnknownReason::Why::joined, node);
    }
    change(set, node);
    if (name == "add" && one) {
        add(set, args.positional[0]);
        return Value::none();
    }
    if (name == "update") {
        for (const Value& v : args.positional) add_all(set, v);
        return Value::none();
    }
    if (name == "intersection_update" || name == "difference_update" || name == "symmetric_difference_update") {
        const Value r = folded(name[0] == 'i' ? Kind::ampersand : name[0] == 'd' ? Kind::minus : Kind::caret);
        if (r.tag == Tag::set) {
            set.items = r.as.list->items;
            set.open = r.as.list->open;
            return Value::none();
        }
    }
    if ((name == "discard" || name == "remove") && one) {
        if (name == "remove" && find(set, args.positional[0]) == Found::no) return definite_error("KeyError", node);
        discard(set, args.positional[0]);
        return Value::none();
    }
    if (name == "clear") {
        set.items.clear();
        set.open = false;
        return Value::none();
    }
    if (name == "pop" && !set.open && set.items.size() == 1) {
        const Value only = set.items[0];
        set.items.clear();
        return only;
    }
    set.items.clear();
    set.open = true;
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::instance_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    // Methods that objects have from Python itself.
    Class* k = self.as.instance->klass;
    if (k != nullptr && k->is_named_tuple && !args.open) {
        if (name == "_replace" && args.positional.empty()) {
            Value v = copy(self, 1);
            for (const auto& [n, value] : args.keyword) {
                for (auto& [attribute_name, old] : v.as.instance->attributes) {
                    if (attribute_name == n) old = value;
                }
            }
            return v.at(here(node));
        }
        if (name == "_asdict" && args.positional.empty()) {
            Value v = make_dict(node);
            for (const auto& [n, value] : self.as.instance->attributes)
                put(*v.as.dict, string_value(n, node), value, node);
            return v;
        }
    }
    if (name == "__init__" || name == "__post_init__") return Value::none();
    if (name == "__setattr__" && args.positional.size() == 2 && args.positional[0].tag == Tag::string) {
        set_attribute(self, *heap_.intern(*args.positional[0].as.text), args.positional[1], node);
        return Value::none();
    }
    lose(self);
    lose(args);
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::class_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    (void)self;
    lose(args);
    return unknown(UnknownReason::Why::unsupported, node, name);
}

}  // namespace ptofix::trace
