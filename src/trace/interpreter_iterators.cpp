// Iteration: what `for` and Python's functions read from a value, item by item or all at once, lazily and once where
// Python does so.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// What is read at once from one value.
constexpr std::size_t kMaxRead = 4096;

}  // namespace

Value Interpreter::make_iterator(Iterator it, NodeId node) {
    static_cast<Shared&>(it) = fresh();
    Value v = Value::with(Tag::iterator);
    v.as.iterator = heap_.make<Iterator>(std::move(it));
    return v.at(here(node));
}

Value Interpreter::unknown_iterator(NodeId node) {
    return make_iterator(Iterator{}, node);
}

Value Interpreter::iterator_over(const Value& v, NodeId node) {
    Iterator it;
    const auto over_items = [&](const List* list, Iterator::Kind kind) {
        it.kind = kind;
        it.list = list;
        return make_iterator(std::move(it), node);
    };
    switch (v.tag) {
        case Tag::iterator:
            return v;
        case Tag::list:
            return over_items(v.as.list, Iterator::Kind::live_list);
        case Tag::tuple:
            return over_items(v.as.list, Iterator::Kind::items);
        case Tag::dict:
        case Tag::view:
            it.kind = Iterator::Kind::live_dict;
            it.dict = v.tag == Tag::dict ? v.as.dict : v.as.view->dict;
            it.view = v.tag == Tag::dict ? View::Kind::keys : v.as.view->kind;
            return make_iterator(std::move(it), node);
        case Tag::range: {
            const Range& r = *v.as.range;
            if (!r.start.known() || !r.stop.known() || !r.step.known() || r.step.value == 0) break;
            it.kind = Iterator::Kind::range;
            it.next = r.start.value;
            it.stop = r.stop.value;
            it.step = r.step.value;
            return make_iterator(std::move(it), node);
        }
        default:
            if (const auto items = iterate(v)) {
                return over_items(make_list(Tag::tuple, *items, node).as.list, Iterator::Kind::items);
            }
            break;
    }
    return unknown_iterator(node);
}

std::optional<std::size_t> Interpreter::items_left(const Iterator& it) const {
    const auto of_list = [&](const List& list) { return list.items.size() - std::min(it.at, list.items.size()); };
    switch (it.kind) {
        case Iterator::Kind::items:
        case Iterator::Kind::live_list:
            return it.list->open ? std::nullopt : std::optional(of_list(*it.list));
        case Iterator::Kind::live_dict:
            if (it.dict->open) return std::nullopt;
            return it.dict->items.size() - std::min(it.at, it.dict->items.size());
        case Iterator::Kind::range: {
            const bool up = it.step > 0;
            if (up ? it.next >= it.stop : it.next <= it.stop) return 0;
            const auto low = static_cast<std::uint64_t>(up ? it.next : it.stop);
            const auto high = static_cast<std::uint64_t>(up ? it.stop : it.next);
            const auto step = up ? static_cast<std::uint64_t>(it.step) : 0 - static_cast<std::uint64_t>(it.step);
            return (high - low - 1) / step + 1;
        }
        case Iterator::Kind::map:
        case Iterator::Kind::zip: {
            std::optional<std::size_t> least;
            for (const Value& source : it.sources) {
                const auto n = items_left(*source.as.iterator);
                if (!n) return std::nullopt;
                least = least ? std::min(*least, *n) : n;
            }
            return least ? least : std::optional<std::size_t>(0);
        }
        case Iterator::Kind::enumerate:
            return items_left(*it.sources[0].as.iterator);
        default:
            return std::nullopt;
    }
}

void Interpreter::exhaust(Iterator& it, NodeId node) {
    change(it, node);
    it.kind = Iterator::Kind::items;
    it.list = make_list(Tag::tuple, {}, node).as.list;
    it.at = 0;
}

void Interpreter::lose_track(Iterator& it, NodeId node) {
    change(it, node);
    lose_sources(it);
    for (const Value& source : it.sources) {
        if (source.tag == Tag::iterator) lose_track(*source.as.iterator, node);
    }
    if (it.function.tag == Tag::function || it.function.tag == Tag::bound_method) forget(it.function, node);
    if (it.kind == Iterator::Kind::comprehension) forget_effects(it.site, it.scope, node);
    it.kind = Iterator::Kind::unknown;
}

Interpreter::Step Interpreter::advance(Iterator& it, NodeId node) {
    const Step done{Step::Kind::done, {}};
    const Step unsure{Step::Kind::unknown, {}};
    if (out_of_budget() || !deeper()) {
        lose_track(it, node);
        return unsure;
    }
    Step step = done;
    switch (it.kind) {
        case Iterator::Kind::items:
        case Iterator::Kind::live_list:
            if (it.at < it.list->items.size()) {
                change(it, node);
                step = {Step::Kind::item, it.list->items[it.at++]};
            } else if (it.list->open) {
                step = unsure;
            }
            break;
        case Iterator::Kind::live_dict:
            if (it.dict->open) {
                step = unsure;
            } else if (it.at < it.dict->items.size()) {
                change(it, node);
                step = {Step::Kind::item, view_item(*it.dict, it.view, it.at++, node)};
            }
            break;
        case Iterator::Kind::range:
            if (it.step > 0 ? it.next < it.stop : it.next > it.stop) {
                change(it, node);
                step = {Step::Kind::item, Value::integer(it.next)};
                if (__builtin_add_overflow(it.next, it.step, &it.next)) it.next = it.stop;
            }
            break;
        case Iterator::Kind::zip:
        case Iterator::Kind::map: {
            std::vector<Value> row;
            step.kind = it.sources.empty() ? Step::Kind::done : Step::Kind::item;
            for (const Value& source : std::vector(it.sources)) {
                Step s = advance(*source.as.iterator, node);
                if (s.kind != Step::Kind::item) {
                    step.kind = s.kind;
                    break;
                }
                row.push_back(s.value);
            }
            if (step.kind != Step::Kind::item) break;
            step.value = it.kind == Iterator::Kind::zip ? make_list(Tag::tuple, std::move(row), node)
                                                        : call_with(it.function, std::move(row), node);
            break;
        }
        case Iterator::Kind::filter:
            while (true) {
                step = advance(*it.sources[0].as.iterator, node);
                if (step.kind != Step::Kind::item) break;
                const auto keep = truth_of(
                    it.function.tag == Tag::none ? step.value : call_with(it.function, {step.value}, node), node);
                if (!keep) {
                    lose(step.value);
                    step = unsure;
                }
                if (keep != false) break;
            }
            break;
        case Iterator::Kind::enumerate:
            step = advance(*it.sources[0].as.iterator, node);
            if (step.kind == Step::Kind::item) {
                change(it, node);
                step.value = make_list(Tag::tuple, {Value::integer(it.next++), step.value}, node);
            }
            break;
        case Iterator::Kind::comprehension:
            step = advance_comprehension(it, node);
            break;
        case Iterator::Kind::unknown:
            step = unsure;
            break;
    }
    --depth_;
    if (step.kind == Step::Kind::unknown) lose_track(it, node);
    if (step.kind == Step::Kind::done && it.kind != Iterator::Kind::unknown) exhaust(it, node);
    return step;
}

Value Interpreter::view_item(const Dict& dict, View::Kind view, std::size_t at, NodeId node) {
    const auto& [k, v] = dict.items[at];
    if (view == View::Kind::keys) return k;
    if (view == View::Kind::values) return v;
    return make_list(Tag::tuple, {k, v}, node);
}

Value Interpreter::call_with(const Value& function, std::vector<Value> values, NodeId node) {
    Arguments args;
    for (const Value& v : values) {
        args.positional_sites.push_back(v.origin());
        args.splat_sites.push_back({});
    }
    args.positional = std::move(values);
    return call(function, args, node);
}

std::optional<std::vector<Value>> Interpreter::iterate(const Value& v, Order order) {
    switch (v.tag) {
        case Tag::list:
        case Tag::tuple:
            if (v.as.list->open) return std::nullopt;
            charge(v.as.list->items.size());
            return v.as.list->items;
        case Tag::set:
            // In which order Python goes through a set is its own affair.
            if (v.as.list->open || (order == Order::python && v.as.list->items.size() > 1)) return std::nullopt;
            return v.as.list->items;
        case Tag::dict:
        case Tag::view: {
            const Dict& dict = v.tag == Tag::dict ? *v.as.dict : *v.as.view->dict;
            if (dict.open) return std::nullopt;
            const View::Kind view = v.tag == Tag::dict ? View::Kind::keys : v.as.view->kind;
            std::vector<Value> items;
            charge(dict.items.size());
            for (std::size_t i = 0; i < dict.items.size(); ++i) items.push_back(view_item(dict, view, i, v.node));
            return items;
        }
        case Tag::string: {
            if (v.as.text->size() > kMaxRead) return std::nullopt;
            std::vector<Value> characters;
            charge(v.as.text->size());
            for (const char& c : *v.as.text) {
                if (static_cast<unsigned char>(c) >= 0x80) return std::nullopt;
                characters.push_back(string_value(std::string_view(&c, 1), v.node));
            }
            return characters;
        }
        case Tag::range: {
            const Range& r = *v.as.range;
            if (!r.start.known() || !r.stop.known() || !r.step.known() || r.step.value == 0) return std::nullopt;
            std::vector<Value> items;
            std::int64_t i = r.start.value;
            while (r.step.value > 0 ? i < r.stop.value : i > r.stop.value) {
                if (items.size() >= kMaxRead) return std::nullopt;
                items.push_back(Value::integer(i));
                if (__builtin_add_overflow(i, r.step.value, &i)) break;
            }
            charge(items.size());
            return items;
        }
        case Tag::instance:
            return iterate_instance(v);
        case Tag::klass:
            return enum_members(*v.as.klass);
        case Tag::iterator: {
            Iterator& it = *v.as.iterator;
            if (it.kind == Iterator::Kind::comprehension) return run_generator_expression(it);
            std::vector<Value> items;
            while (true) {
                const Step step = advance(it, v.node);
                if (step.kind == Step::Kind::done) return items;
                if (step.kind == Step::Kind::unknown) break;
                items.push_back(step.value);
                if (items.size() > kMaxRead) {
                    lose_track(it, v.node);
                    break;
                }
            }
            for (const Value& item : items) lose(item);
            return std::nullopt;
        }
        case Tag::unknown:
            // It may be an iterator that is known under another name.
            ++unknown_changes_;
            for (std::size_t i = 0; i < lost_.size(); ++i) {
                if (lost_[i].tag == Tag::iterator) forget(lost_[i], v.node);
            }
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace ptofix::trace
