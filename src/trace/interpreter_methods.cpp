// Methods of Python's lists, dicts, sets and strings.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::list_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    List& list = *self.as.list;
    const auto change = [&] {
        note_mutation(list.birth, node);
        trail_.before({Place::Kind::list, &list});
    };
    const Value* first = args.get(0, "object");
    if (name == "append" && first != nullptr) {
        change();
        if (!list.open) list.items.push_back(*first);
        return Value::none();
    }
    if (name == "extend" && first != nullptr) {
        change();
        if (auto items = iterate(*first); items && !list.open) {
            list.items.insert(list.items.end(), items->begin(), items->end());
        } else {
            list.open = true;
        }
        return Value::none();
    }
    if (name == "insert" && args.positional.size() == 2) {
        change();
        const Value& at = args.positional[0];
        if (!list.open && at.tag == Tag::integer && at.as.i >= 0) {
            const auto i = std::min<std::size_t>(static_cast<std::size_t>(at.as.i), list.items.size());
            list.items.insert(list.items.begin() + static_cast<std::ptrdiff_t>(i), args.positional[1]);
        } else {
            list.open = true;
            list.items.clear();
        }
        return Value::none();
    }
    if (name == "pop") {
        change();
        if (list.open || list.items.empty() || (first != nullptr && first->tag != Tag::integer)) {
            list.open = true;
            list.items.clear();
            return unknown(UnknownReason::Why::joined, node);
        }
        const auto size = static_cast<std::int64_t>(list.items.size());
        std::int64_t i = first == nullptr ? size - 1 : first->as.i;
        if (i < 0) i += size;
        if (i < 0 || i >= size) return unknown(UnknownReason::Why::error, node);
        const Value out = list.items[static_cast<std::size_t>(i)];
        list.items.erase(list.items.begin() + i);
        return out;
    }
    if (name == "copy") return copy(self, 1);
    if (name == "index" && first != nullptr && !list.open) {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const auto e = equal(list.items[i], *first);
            if (e == true) return Value::integer(static_cast<std::int64_t>(i));
            if (!e) break;
        }
        return unknown(UnknownReason::Why::joined, node);
    }
    if (name == "count" || name == "index") return unknown(UnknownReason::Why::joined, node);
    if (name == "reverse" && !list.open) {
        change();
        std::ranges::reverse(list.items);
        return Value::none();
    }
    change();  // sort, remove, clear and what we do not know
    if (name == "clear") {
        list.items.clear();
        list.open = false;
        return Value::none();
    }
    list.items.clear();
    list.open = true;
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::dict_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    Dict& dict = *self.as.dict;
    const auto find = [&](const Value& key) -> std::optional<Value> {
        for (const auto& [k, v] : dict.items) {
            if (equal(k, key) == true) return v;
        }
        return std::nullopt;
    };
    const auto all_decided = [&](const Value& key) {
        return !dict.open &&
               std::ranges::all_of(dict.items, [&](const auto& p) { return equal(p.first, key).has_value(); });
    };
    const auto listed = [&](auto project) {
        std::vector<Value> items;
        for (const auto& p : dict.items) items.push_back(project(p));
        Value v = make_list(Tag::list, std::move(items), node);
        v.as.list->open = dict.open;
        return v;
    };
    if (name == "items") {
        return listed([&](const auto& p) { return make_list(Tag::tuple, {p.first, p.second}, node); });
    }
    if (name == "keys") return listed([](const auto& p) { return p.first; });
    if (name == "values") return listed([](const auto& p) { return p.second; });
    if (name == "copy") return copy(self, 1);
    if ((name == "get" || name == "pop" || name == "setdefault") && !args.positional.empty()) {
        const Value& key = args.positional[0];
        note_use(LoopUse::Kind::list_index, key, node);
        const auto v = find(key);
        const Value* fallback = args.get(1, "default");
        if (name != "get") {
            note_mutation(dict.birth, node);
            trail_.before({Place::Kind::dict, &dict});
            if (name == "pop") {
                std::erase_if(dict.items, [&](const auto& p) { return equal(p.first, key) == true; });
            } else if (!v && all_decided(key)) {
                dict.items.emplace_back(key, fallback != nullptr ? *fallback : Value::none());
            }
        }
        if (v) return *v;
        if (!all_decided(key)) return unknown(UnknownReason::Why::joined, node);
        return fallback != nullptr ? *fallback : Value::none();
    }
    if (name == "update") {
        note_mutation(dict.birth, node);
        trail_.before({Place::Kind::dict, &dict});
        const auto put = [&](const Value& k, const Value& v) {
            for (auto& p : dict.items) {
                if (equal(p.first, k) == true) {
                    p.second = v;
                    return;
                }
            }
            dict.items.emplace_back(k, v);
        };
        if (const Value* other = args.get(0, ""); other != nullptr) {
            if (other->tag == Tag::dict) {
                for (const auto& [k, v] : std::vector(other->as.dict->items)) put(k, v);
                dict.open = dict.open || other->as.dict->open;
            } else {
                dict.open = true;
                for (auto& p : dict.items) p.second = unknown(UnknownReason::Why::joined, node);
            }
        }
        for (const auto& [k, v] : args.keyword) put(string_value(k, node), v);
        return Value::none();
    }
    note_mutation(dict.birth, node);
    trail_.before({Place::Kind::dict, &dict});
    dict.items.clear();
    dict.open = name != "clear";
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::set_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    List& set = *self.as.list;
    note_mutation(set.birth, node);
    trail_.before({Place::Kind::list, &set});
    const auto add = [&](const Value& v) {
        if (std::ranges::none_of(set.items, [&](const Value& o) { return equal(o, v) == true; }))
            set.items.push_back(v);
    };
    if (name == "add" && args.positional.size() == 1) {
        add(args.positional[0]);
        return Value::none();
    }
    if (name == "update" && args.positional.size() == 1) {
        if (auto items = iterate(args.positional[0])) {
            for (const Value& v : *items) add(v);
        } else {
            set.open = true;
        }
        return Value::none();
    }
    if ((name == "discard" || name == "remove") && args.positional.size() == 1 && !set.open) {
        std::erase_if(set.items, [&](const Value& v) { return equal(v, args.positional[0]) == true; });
        return Value::none();
    }
    set.items.clear();
    set.open = true;
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::string_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    const std::string& s = *self.as.text;
    const Value* first = args.get(0, "");
    const bool text_argument = first != nullptr && first->tag == Tag::string;
    if (name == "format" || name == "join") {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_in_text, v, node);
        return unknown(UnknownReason::Why::unsupported, node, name);
    }
    const auto mapped = [&](int (*f)(int)) {
        std::string out = s;
        for (char& c : out) c = static_cast<char>(f(static_cast<unsigned char>(c)));
        return string_value(out, node);
    };
    if (name == "lower") return mapped(std::tolower);
    if (name == "upper") return mapped(std::toupper);
    if (name == "startswith" && text_argument) return Value::boolean(s.starts_with(*first->as.text));
    if (name == "endswith" && text_argument) return Value::boolean(s.ends_with(*first->as.text));
    if (name == "strip" && first == nullptr) {
        const auto from = s.find_first_not_of(" \t\n\r");
        if (from == std::string::npos) return string_value("", node);
        return string_value(std::string_view(s).substr(from, s.find_last_not_of(" \t\n\r") - from + 1), node);
    }
    if (name == "split" && text_argument && !first->as.text->empty() && args.positional.size() == 1) {
        std::vector<Value> parts;
        std::size_t from = 0;
        while (true) {
            const auto to = s.find(*first->as.text, from);
            parts.push_back(
                string_value(std::string_view(s).substr(from, to == std::string::npos ? to : to - from), node));
            if (to == std::string::npos) break;
            from = to + first->as.text->size();
        }
        return make_list(Tag::list, std::move(parts), node);
    }
    return unknown(UnknownReason::Why::unsupported, node, name);
}

}  // namespace ptofix::trace
