// What lists, sets and dicts hold, and how they change. `open` says what is not known of one: of a list, what comes
// after its items; of a set or dict, which members it has besides. What is listed is certain.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// A dict or set of more is known to be one, not what is in it: finding a key among n takes n comparisons.
constexpr std::size_t kMaxKeys = 1024;
/// A list that is computed; displays may be longer.
constexpr std::size_t kMaxComputed = 4096;

/// Can the value be told from all others when it is a key?
bool is_definite(const Value& v) {
    return v.tag != Tag::unknown && v.tag != Tag::symbol;
}

}  // namespace

std::optional<bool> Interpreter::decided(Found found) {
    return found == Found::maybe ? std::nullopt : std::optional(found == Found::yes);
}

Interpreter::Found Interpreter::find(const List& list, const Value& item) {
    charge(list.items.size());
    bool undecided = list.open;
    for (const Value& v : list.items) {
        const auto e = equal_item(v, item);
        if (e == true) return Found::yes;
        undecided = undecided || !e;
    }
    return undecided ? Found::maybe : Found::no;
}

Interpreter::Entry Interpreter::find(const Dict& dict, const Value& key) {
    charge(dict.items.size());
    bool undecided = dict.open;
    for (std::size_t i = 0; i < dict.items.size(); ++i) {
        const auto e = equal_item(dict.items[i].first, key);
        if (e == true) return {Found::yes, i};
        undecided = undecided || !e;
    }
    return {undecided ? Found::maybe : Found::no, 0};
}

void Interpreter::put(Dict& dict, const Value& key, const Value& value, NodeId node) {
    const Entry at = find(dict, key);
    if (at.found == Found::yes) {
        dict.items[at.index].second = value;
        return;
    }
    if (!is_definite(key) || (at.found == Found::maybe && std::ranges::any_of(dict.items, [&](const auto& p) {
                                  return !equal_item(p.first, key);
                              }))) {
        // It may be any of the keys that are there, or a new one.
        for (auto& [k, v] : dict.items) {
            if (!equal_item(k, key)) v = join(v, value, node);
        }
        dict.open = true;
        return;
    }
    if (dict.items.size() >= kMaxKeys) {
        dict.items.clear();
        dict.open = true;
        return;
    }
    dict.items.emplace_back(key, value);
}

void Interpreter::put_all(Dict& dict, const Value& other, NodeId node) {
    if (other.tag != Tag::dict) {
        put_unknown(dict, node);
        return;
    }
    const Dict from = *other.as.dict;  // it may be the same one
    if (from.open) put_unknown(dict, node);
    for (const auto& [k, v] : from.items) put(dict, k, v, node);
}

void Interpreter::put_unknown(Dict& dict, NodeId node) {
    dict.open = true;
    for (auto& [k, v] : dict.items) v = unknown(UnknownReason::Why::joined, node);
}

void Interpreter::erase(Dict& dict, const Value& key) {
    const Entry at = find(dict, key);
    if (at.found == Found::yes) {
        dict.items.erase(dict.items.begin() + static_cast<std::ptrdiff_t>(at.index));
        return;
    }
    if (at.found == Found::no) return;
    const auto gone = std::erase_if(dict.items, [&](const auto& p) { return !equal_item(p.first, key); });
    dict.open = dict.open || gone > 0;
}

void Interpreter::add(List& set, const Value& item) {
    const Found found = find(set, item);
    if (found == Found::yes) return;
    if (!is_definite(item) || found == Found::maybe) {
        set.open = true;
        if (!is_definite(item) || std::ranges::any_of(set.items, [&](const Value& v) { return !equal_item(v, item); }))
            return;
    }
    if (set.items.size() >= kMaxKeys) {
        set.items.clear();
        set.open = true;
        return;
    }
    set.items.push_back(item);
}

void Interpreter::add_all(List& set, const Value& other) {
    const auto items = iterate(other, Order::any);
    if (!items) {
        set.open = true;
        if (other.is_sequence()) {  // what is known of an open one is in it all the same
            for (const Value& v : std::vector(other.as.list->items)) add(set, v);
        }
        return;
    }
    for (const Value& v : *items) add(set, v);
}

void Interpreter::discard(List& set, const Value& item) {
    if (!is_definite(item)) {
        set.items.clear();
        set.open = true;
        return;
    }
    const auto gone = std::erase_if(set.items, [&](const Value& v) { return equal_item(v, item) == true; });
    if (gone > 0) return;
    if (std::erase_if(set.items, [&](const Value& v) { return !equal_item(v, item); }) > 0) set.open = true;
}

void Interpreter::extend(List& list, const Value& other) {
    if (list.open) {
        if (!other.is_sequence()) iterate(other);  // uses up an iterator
        return;
    }
    const auto items = iterate(other);
    if (!items) {
        list.open = true;
        if (other.tag == Tag::list || other.tag == Tag::tuple) {
            const std::vector<Value> known = other.as.list->items;
            list.items.insert(list.items.end(), known.begin(), known.end());
        }
        return;
    }
    charge(list.items.size() + items->size());
    list.items.insert(list.items.end(), items->begin(), items->end());
}

void Interpreter::repeat(List& into, const List& list, std::int64_t times) {
    const auto size = static_cast<std::int64_t>(list.items.size());
    into.open = list.open && times > 0;
    if (times == 0) return;
    if (size > 0 && times > static_cast<std::int64_t>(kMaxComputed) / size) {
        into.open = true;
        times = 1;
    }
    if (into.open) times = 1;  // only the beginning is known
    charge(static_cast<std::size_t>(size * times));
    for (std::int64_t i = 0; i < times; ++i) into.items.insert(into.items.end(), list.items.begin(), list.items.end());
}

}  // namespace ptofix::trace
