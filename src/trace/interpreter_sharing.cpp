// Objects that change: the one way in which the interpreter changes them, and what it must forget when something that
// it does not know may be one of them, or may have been changed by code that it does not see.
#include <algorithm>
#include <utility>

#include "trace/interpreter.h"

namespace ptofix::trace {

Shared Interpreter::fresh() {
    Shared s;
    s.birth = ++sequence_;
    return s;
}

void Interpreter::change(List& list, NodeId node) {
    changing({Place::Kind::list, &list}, list, node);
}
void Interpreter::change(Dict& dict, NodeId node) {
    changing({Place::Kind::dict, &dict}, dict, node);
}
void Interpreter::change(Instance& instance, NodeId node) {
    changing({Place::Kind::instance, &instance}, instance, node);
}
void Interpreter::change(Iterator& iterator, NodeId node) {
    changing({Place::Kind::iterator, &iterator}, iterator, node);
}

void Interpreter::changing(const Place& place, const Shared& object, NodeId node) {
    // An iterator that moves on and an attribute that is set are no Python containers that a loop would have to keep.
    const bool container = place.kind == Place::Kind::list || place.kind == Place::Kind::dict;
    note_mutation(object.birth, container ? node : kNoNode);
    trail_.before(place);
    if (!object.linked) return;
    if (forgetting_) {
        changed_linked_.push_back(place);
    } else {
        forget_linked({place}, node);
    }
}

namespace {

std::optional<Place> place_of(const Value& v) {
    switch (v.tag) {
        case Tag::list:
        case Tag::set:
            return Place{Place::Kind::list, v.as.list};
        case Tag::dict:
            return Place{Place::Kind::dict, v.as.dict};
        case Tag::instance:
            return Place{Place::Kind::instance, v.as.instance};
        case Tag::iterator:
            return Place{Place::Kind::iterator, v.as.iterator};
        default:
            return std::nullopt;
    }
}

Shared& shared_of(const Place& place) {
    switch (place.kind) {
        case Place::Kind::dict:
            return *static_cast<Dict*>(place.object);
        case Place::Kind::instance:
            return *static_cast<Instance*>(place.object);
        case Place::Kind::iterator:
            return *static_cast<Iterator*>(place.object);
        default:
            return *static_cast<List*>(place.object);
    }
}

}  // namespace

void Interpreter::link(const Value& joined, const Value& source) {
    const auto result = place_of(joined);
    const auto from = place_of(source);
    if (!result || !from || from->object == result->object) return;
    shared_of(*result).linked = true;
    shared_of(*from).linked = true;
    links_[result->object].sources.push_back(*from);
    links_[from->object].results.push_back(*result);
}

void Interpreter::forget_linked(const std::vector<Place>& changed, NodeId node) {
    // A changed one may be any of its sources; what is linked to one of those may be it as well.
    std::vector<Place> affected = changed;
    std::unordered_set<const void*> seen;
    for (const Place& p : changed) seen.insert(p.object);
    for (auto Links::* const which : {&Links::sources, &Links::results}) {
        for (std::size_t i = 0; i < affected.size(); ++i) {
            const auto links = links_.find(affected[i].object);
            if (links == links_.end()) continue;
            for (const Place& p : links->second.*which) {
                if (seen.insert(p.object).second) affected.push_back(p);
            }
        }
    }
    charge(affected.size() * 16);
    for (std::size_t i = changed.size(); i < affected.size(); ++i) {
        trail_.put(affected[i], top(Trail::read(affected[i]), node));
    }
}

void Interpreter::lose(const Value& v) {
    if (v.tag == Tag::tensor) mark_joined(v);
    if (v.tag == Tag::tuple) {
        if (v.as.list->lost) return;
        v.as.list->lost = true;
        for (const Value& item : v.as.list->items) lose(item);
        return;
    }
    if (const auto place = place_of(v)) {
        Shared& object = shared_of(*place);
        if (object.lost) return;
        object.lost = true;
        lost_.push_back(v);
        mark_joined(Trail::read(*place), false);
    } else if (v.tag == Tag::function) {
        if (v.as.function->lost) return;
        v.as.function->lost = true;
        lost_.push_back(v);
    } else if (v.tag == Tag::bound_method) {
        lose(v.as.method->self);
        lose(v.as.method->function);
    } else if (v.tag == Tag::view) {
        Value dict = Value::with(Tag::dict);
        dict.as.dict = v.as.view->dict;
        lose(dict);
    }
}

void Interpreter::lose(const Arguments& args) {
    for (const Value& v : args.positional) lose(v);
    for (const auto& [n, v] : args.keyword) lose(v);
}

void Interpreter::lose_sources(const Iterator& iterator) {
    for (const Value& v : iterator.sources) lose(v);
    lose(iterator.function);
    if (iterator.list != nullptr) {
        for (const Value& v : iterator.list->items) lose(v);
    }
}

void Interpreter::lose_covered(const Value& known, const Value& v) {
    if (same(known, v)) return;
    if (known.tag == Tag::unknown) {
        lose(v);
    } else if (known.tag == Tag::tuple && v.tag == Tag::tuple && deeper()) {
        lose_covered(Content(*known.as.list), Content(*v.as.list));
        --depth_;
    }
}

void Interpreter::lose_covered(const Content& known, const Content& content) {
    if (const auto* name = std::get_if<NameContent>(&content)) {
        lose_covered(std::get<NameContent>(known).value, name->value);
    } else if (const auto* list = std::get_if<List>(&content)) {
        const auto& items = std::get<List>(known).items;
        charge(list->items.size());
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            lose_covered(i < items.size() && !list->unordered ? items[i] : Value{}, list->items[i]);
        }
    } else if (const auto* dict = std::get_if<Dict>(&content)) {
        const auto& before = std::get<Dict>(known);
        for (const auto& [key, item] : dict->items) {
            const Entry at = find(before, key);
            lose_covered(at.found == Found::yes ? before.items[at.index].second : Value{}, item);
        }
    } else if (const auto* instance = std::get_if<Instance>(&content)) {
        const auto& before = std::get<Instance>(known).attributes;
        for (const auto& [attribute, item] : instance->attributes) {
            const auto it = std::ranges::find(before, attribute, &std::pair<std::string_view, Value>::first);
            lose_covered(it != before.end() ? it->second : Value{}, item);
        }
    } else if (const auto* iterator = std::get_if<std::shared_ptr<const Iterator>>(&content)) {
        lose_sources(**iterator);
    }
}

void Interpreter::forget_lost_since(std::uint32_t time, NodeId node) {
    for (std::size_t i = 0; i < lost_.size(); ++i) {
        const Value v = lost_[i];
        const auto place = place_of(v);
        const std::uint32_t birth = place ? Trail::birth(*place) : v.tag == Tag::function ? v.as.function->birth : 0;
        if (birth > time) forget(v, node);
    }
}

void Interpreter::forget(const Value& v, NodeId node) {
    if (v.tag == Tag::function) {
        if (!out_of_budget()) forget_effects(v.as.function, node);
        return;
    }
    // The memory of the last call, which may be one around this.
    std::vector<Value> open = std::exchange(spare_.open, {});
    std::vector<const void*> seen = std::exchange(spare_.seen, {});
    open.assign(1, v);
    seen.clear();
    while (!open.empty() && !out_of_budget()) {
        const Value next = open.back();
        open.pop_back();
        const auto visit = [&](const void* object) {
            if (std::ranges::find(seen, object) != seen.end()) return false;
            seen.push_back(object);
            return true;
        };
        switch (next.tag) {
            case Tag::tuple:
                if (visit(next.as.list))
                    open.insert(open.end(), next.as.list->items.begin(), next.as.list->items.end());
                break;
            case Tag::list:
            case Tag::set:
                if (!visit(next.as.list)) break;
                open.insert(open.end(), next.as.list->items.begin(), next.as.list->items.end());
                change(*next.as.list, node);
                next.as.list->items.clear();
                next.as.list->open = true;
                break;
            case Tag::dict: {
                if (!visit(next.as.dict)) break;
                for (const auto& [k, item] : next.as.dict->items) open.push_back(item);
                change(*next.as.dict, node);
                next.as.dict->items.clear();
                next.as.dict->open = true;
                break;
            }
            case Tag::instance: {
                if (!visit(next.as.instance) || is_enum_member(next)) break;
                Instance& instance = *next.as.instance;
                for (const auto& [n, item] : instance.attributes) open.push_back(item);
                if (instance.klass != nullptr && instance.klass->is_immutable()) break;
                change(instance, node);
                for (auto& [n, item] : instance.attributes) item = unknown(UnknownReason::Why::external_call, node, n);
                instance.open = true;
                break;
            }
            case Tag::iterator: {
                if (!visit(next.as.iterator)) break;
                Iterator& it = *next.as.iterator;
                open.insert(open.end(), it.sources.begin(), it.sources.end());
                open.push_back(it.function);
                change(it, node);
                it.kind = Iterator::Kind::unknown;
                break;
            }
            case Tag::view: {
                Value dict = Value::with(Tag::dict);
                dict.as.dict = next.as.view->dict;
                open.push_back(dict);
                break;
            }
            case Tag::bound_method:
                if (!visit(next.as.method)) break;
                open.push_back(next.as.method->self);
                open.push_back(next.as.method->function);
                break;
            case Tag::function:
                forget_effects(next.as.function, node);
                break;
            default:
                break;
        }
    }
    spare_ = {std::move(open), std::move(seen)};
}

void Interpreter::forget_lost(NodeId node) {
    ++unknown_changes_;
    if (forgetting_) return;
    forgetting_ = true;
    const bool outermost = !in_forget_round_;
    if (outermost) begin_forget_round();
    for (std::size_t i = 0; i < lost_.size(); ++i) {
        forget(lost_[i], node);
        if (i + 1 == lost_.size() && !changed_linked_.empty()) {  // it may lose more
            forget_linked(std::exchange(changed_linked_, {}), node);
        }
    }
    if (outermost) in_forget_round_ = false;
    forgetting_ = false;
}

void Interpreter::touch_lost(const Value& object, std::string_view method, NodeId node) {
    // A method of something that may be an object known under another name.
    if (is_library_value(object)) return;
    for (std::size_t i = 0; i < lost_.size(); ++i) {
        if (lost_[i].tag != Tag::instance || lost_[i].as.instance->klass == nullptr) continue;
        const ClassEntry e = class_entry(lost_[i].as.instance->klass, method);
        if (e.value.tag == Tag::function) forget_effects(e.value.as.function, node);
    }
    forget_lost(node);
}

void Interpreter::mutate_unknown(NodeId node) {
    ++unknown_changes_;
    for (std::size_t i = 0; i < lost_.size(); ++i) {
        if (lost_[i].tag != Tag::function) forget(lost_[i], node);
    }
}

void Interpreter::escape(const Arguments& args, NodeId node) {
    for (const Value& v : args.positional) forget(v, node);
    for (const auto& [n, v] : args.keyword) forget(v, node);
    lose(args);
    forget_lost(node);
    note_unfollowed();
}

void Interpreter::note_unfollowed() {
    if (kernel_ == kNone) return;
    std::vector<OpId>& unfollowed = trace_.kernels[kernel_].unfollowed;
    const auto now = static_cast<OpId>(trace_.operations.size());
    if (unfollowed.empty() || unfollowed.back() != now) unfollowed.push_back(now);
}

}  // namespace ptofix::trace
