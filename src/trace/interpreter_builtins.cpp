// Python's built-in functions. What is not here is unknown.
#include <algorithm>
#include <array>
#include <cmath>

#include "trace/interpreter.h"
#include "trace/numbers.h"
#include "trace/some_number.h"

namespace ptofix::trace {

namespace {

/// Built-in functions that only do on Python's numbers what they say.
constexpr auto kNeedNumbers = std::to_array<std::string_view>(
    {"abs", "all", "any", "bool", "chr", "complex", "float", "hash", "int", "isinstance", "round", "sorted", "type"});

/// Python's functions that take the index of a device loop as it is: they hold it, move it or compare two of them. All
/// others ask for its number.
bool takes_any_value(std::string_view name, std::size_t arguments) {
    static constexpr std::string_view kHolders[] = {
        "list", "tuple",  "dict",  "enumerate", "zip",          "map",        "filter", "reversed",
        "iter", "sum",    "slice", "getattr",   "setattr",      "hasattr",    "print",  "str",
        "repr", "format", "len",   "property",  "staticmethod", "classmethod"};
    if (name == "min" || name == "max") return arguments == 2;  // the frontend makes them its own
    return std::ranges::find(kHolders, name) != std::end(kHolders);
}

bool is_any(std::string_view name, std::initializer_list<std::string_view> of) {
    return std::ranges::find(of, name) != of.end();
}

}  // namespace

Value Interpreter::call_builtin(std::string_view name, Arguments& args, NodeId node) {
    if (!takes_any_value(name, args.positional.size())) {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
    }
    if (!args.positional.empty() && std::ranges::find(kNeedNumbers, name) != kNeedNumbers.end()) {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
    }
    for (const auto part : {&Interpreter::builtin_on_numbers, &Interpreter::builtin_container,
                            &Interpreter::builtin_iteration, &Interpreter::builtin_on_objects}) {
        if (auto v = (this->*part)(name, args, node)) return *v;
    }
    // float("-inf"), round(0.5, 1): what they make of numbers and texts is a number, whichever it is.
    const bool makes_number = is_any(name, {"float", "int", "round", "abs", "pow"});
    const bool of_text = is_any(name, {"float", "int"});
    const auto plain_number = [&](const Value& v) { return is_numeric(v) || (of_text && v.tag == Tag::string); };
    if (makes_number && !args.open && !args.positional.empty() && args.keyword.empty() &&
        std::ranges::all_of(args.positional, plain_number)) {
        return as_some_number(unknown(UnknownReason::Why::unsupported, node, name));
    }
    // What it gives back may be, or hold, what it was given.
    lose(args);
    for (const Value& v : args.positional) {
        if (v.tag == Tag::iterator) lose_track(*v.as.iterator, node);
    }
    if (is_any(name, {"open", "input", "id", "hash", "dir", "memoryview", "bytes"})) {
        return unknown(UnknownReason::Why::library_value, node, name);
    }
    if (is_any(name, {"exec", "eval", "compile", "__import__"})) escape(args, node);
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::min_max(std::string_view name, Arguments& args, NodeId node) {
    const auto give_up = [&] {
        lose(args);
        const Value open = unknown(UnknownReason::Why::joined, node);
        const bool numeric =
            !args.open && args.positional.size() > 1 && std::ranges::all_of(args.positional, is_numeric);
        return numeric ? as_some_number(open) : open;
    };
    std::vector<Value> items = args.positional;
    if (args.open) return give_up();
    if (items.size() == 1) {
        const auto over = iterate(items[0], Order::any);
        if (!over) return give_up();
        items = *over;
        if (items.empty()) {
            if (const Value* fallback = args.find("default"); fallback != nullptr) return *fallback;
            return definite_error("ValueError", node);
        }
    }
    if (items.empty()) return give_up();
    const bool smallest = name == "min";
    if (std::ranges::any_of(items, [](const Value& v) { return v.tag == Tag::symbol; })) {
        if (!args.keyword.empty()) return give_up();
        SymInt best = items[0].sym();
        for (std::size_t i = 1; i < items.size(); ++i) {
            best = smallest ? trace_.symbols.min(best, items[i].sym()) : trace_.symbols.max(best, items[i].sym());
        }
        if (best.unknown()) return give_up();
        for (const Value& v : items) {  // keep the place where the chosen number is written
            if (v.sym() == best && v.node != kNoNode) return v;
        }
        return Value::of(best);
    }
    // The first of the best, as Python has it; what cannot be compared is not known.
    const Value* key = args.find("key");
    const auto weight = [&](const Value& v) {
        return key == nullptr || key->tag == Tag::none ? plain(v) : call_with(*key, {v}, node);
    };
    Value best = items[0];
    Value best_weight = weight(best);
    if (items.size() == 1) return best;
    for (std::size_t i = 1; i < items.size(); ++i) {
        const Value w = weight(items[i]);
        const auto o = order(w, best_weight);
        if (!o) return give_up();
        if (smallest ? *o < 0 : *o > 0) {
            best = items[i];
            best_weight = w;
        }
    }
    return best;
}

Value Interpreter::length_of(const Value& v, NodeId node) {
    switch (v.tag) {
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
            if (v.as.list->open) break;
            return Value::integer(static_cast<std::int64_t>(v.as.list->items.size()));
        case Tag::dict:
        case Tag::view: {
            const Dict& dict = v.tag == Tag::dict ? *v.as.dict : *v.as.view->dict;
            if (dict.open) break;
            return Value::integer(static_cast<std::int64_t>(dict.items.size()));
        }
        case Tag::string:
            return text_length(*v.as.text, node);
        case Tag::range:
            return range_length(*v.as.range);
        case Tag::tensor: {
            const TensorType& t = trace_.tensors[v.as.tensor].type;
            if (t.rank_known && !t.shape.empty()) return Value::of(t.shape[0]);
            break;
        }
        case Tag::instance:
            if (auto r = call_special(v, "__len__", {}, node)) return *r;
            if (const auto items = iterate_instance(v)) return Value::integer(static_cast<std::int64_t>(items->size()));
            break;
        case Tag::klass:
            if (const auto members = enum_members(*v.as.klass))
                return Value::integer(static_cast<std::int64_t>(members->size()));
            break;
        default:
            break;
    }
    return unknown(UnknownReason::Why::unsupported, node, "len");
}

std::optional<Value> Interpreter::builtin_on_numbers(std::string_view name, Arguments& args, NodeId node) {
    if (args.open) return std::nullopt;
    if (name == "range") {
        if (args.positional.empty() || args.positional.size() > 3) return std::nullopt;
        Range r;
        r.call = here(node);
        r.start = args.positional.size() > 1 ? args.positional[0].sym() : SymInt::of(0);
        r.stop = args.positional[args.positional.size() > 1 ? 1 : 0].sym();
        r.step = args.positional.size() > 2 ? args.positional[2].sym() : SymInt::of(1);
        Value v = Value::with(Tag::range);
        v.as.range = heap_.make<Range>(r);
        return v.at(here(node));
    }
    if (name == "min" || name == "max") {
        const Value best = min_max(name, args, node);
        // The frontend takes two numbers, its older one none.
        const bool legacy = kernel_ != kNone && trace_.kernels[kernel_].legacy_frontend;
        if (legacy || args.positional.size() != 2 || best.tag == Tag::unknown) {
            for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
        }
        return best;
    }
    if (name == "len" && args.positional.size() == 1) return length_of(args.positional[0], node);
    if (is_any(name, {"int", "float", "bool"}) && args.positional.empty() && args.keyword.empty()) {
        return name == "int" ? Value::integer(0) : name == "float" ? Value::real(0) : Value::boolean(false);
    }
    if (args.positional.empty()) return std::nullopt;
    const Value first = plain(args.positional[0]);
    const Value* second = args.positional.size() > 1 ? &args.positional[1] : nullptr;
    const bool alone = args.positional.size() == 1 && args.keyword.empty();
    if (name == "bool" && alone) {
        const auto t = truth_of(first, node);
        return t ? std::optional(Value::boolean(*t)) : std::nullopt;
    }
    if (name == "int") {
        if (first.tag == Tag::string) {
            const Value* base = second != nullptr ? second : args.find("base");
            if (base != nullptr && !base->is_int()) return std::nullopt;
            const auto v = numbers::parse_integer(
                *first.as.text,
                base != nullptr ? static_cast<int>(std::clamp<std::int64_t>(base->sym().value, 0, 37)) : 10);
            return v ? std::optional(Value::integer(*v)) : std::nullopt;
        }
        if (!alone) return std::nullopt;
        if (!first.sym().unknown()) return Value::of(first.sym()).at(first.origin());
        if (first.tag == Tag::instance) return call_special(first, "__int__", {}, node);
    }
    if (name == "round" && alone && !first.sym().unknown()) return Value::of(first.sym()).at(first.origin());
    if ((name == "int" || name == "round") && alone && first.tag == Tag::real && std::isfinite(first.as.f)) {
        const auto v = numbers::to_integer(name == "int" ? std::trunc(first.as.f) : std::nearbyint(first.as.f));
        return v ? std::optional(Value::integer(*v)) : std::nullopt;
    }
    if (name == "float" && alone && numbers::is_number(first)) return Value::real(numbers::as_real(first));
    if (name == "abs" && alone) {
        if (first.is_int()) {
            const SymInt s = first.sym();
            return Value::of(s.value < 0 ? trace_.symbols.negate(s) : s);
        }
        if (first.tag == Tag::real) return Value::real(std::abs(first.as.f));
        return std::nullopt;
    }
    if (name == "divmod" && second != nullptr) {
        const Value q = binary(Kind::floor_slash, first, *second, node);
        return make_list(Tag::tuple, {q, binary(Kind::percent, first, *second, node)}, node);
    }
    if (name == "pow" && args.positional.size() == 2 && args.keyword.empty())
        return binary(Kind::power, first, *second, node);
    if (is_any(name, {"str", "repr", "format"})) {
        note_use(LoopUse::Kind::index_in_text, first, node);
        if (name != "str" || !alone) return std::nullopt;
        const auto s = to_text(first.tag == Tag::instance ? text_of_instance(first, node) : first);
        return s ? std::optional(string_value(*s, node)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<Value> Interpreter::builtin_container(std::string_view name, Arguments& args, NodeId node) {
    const bool is_set = name == "set" || name == "frozenset";
    if (name == "str" && args.positional.empty() && !args.open) return string_value("", node);
    if (name == "dict") {
        Value v = make_dict(node);
        if (!args.positional.empty()) {
            const Value& first = args.positional[0];
            if (first.tag == Tag::dict) {
                put_all(*v.as.dict, first, node);
            } else {
                put_pairs(*v.as.dict, first, node);
            }
        }
        for (const auto& [k, item] : args.keyword) put(*v.as.dict, string_value(k, node), item, node);
        if (args.open) put_unknown(*v.as.dict, node);
        return v;
    }
    if (!is_set && !is_any(name, {"list", "tuple", "sorted"})) return std::nullopt;
    if (args.open || args.positional.size() > 1) return std::nullopt;
    const Tag tag = name == "tuple" ? Tag::tuple : is_set ? Tag::set : Tag::list;
    Value v = make_list(tag, {}, node);
    List& list = *v.as.list;
    list.frozen = name == "frozenset";
    if (args.positional.empty()) return v;
    const Value first = args.positional[0];
    if (is_set) {
        add_all(list, first);
        return v;
    }
    if (name == "sorted") {
        const auto items = iterate(first, Order::any);
        if (items) list.items = *items;
        if (!items || !sort_items(list.items, args, node)) {
            for (const Value& item : list.items) lose(item);
            list.items.clear();
            list.open = true;
        }
        return v;
    }
    extend(list, first);
    // A list made of a display is fixed where the display is written.
    return v.at(first.tag == Tag::list || first.tag == Tag::tuple ? first.origin() : here(node));
}

std::optional<Value> Interpreter::builtin_iteration(std::string_view name, Arguments& args, NodeId node) {
    if (args.open || (args.positional.empty() && name != "zip")) return std::nullopt;
    const Value* first = args.get(0, "");
    if (name == "iter" && args.positional.size() == 1) {
        if (first->tag == Tag::instance) {
            if (auto v = call_special(*first, "__iter__", {}, node)) return v;
        }
        return iterator_over(*first, node);
    }
    if (name == "next") {
        if (first->tag != Tag::iterator) return std::nullopt;
        const Step step = advance(*first->as.iterator, node);
        if (raising_) return Value{};
        if (step.kind == Step::Kind::item) return step.value;
        if (step.kind == Step::Kind::unknown) return std::nullopt;
        return args.positional.size() > 1 ? args.positional[1] : definite_error("StopIteration", node);
    }
    if (name == "sum") {
        const Value* start = args.get(1, "start");
        const bool reals = first->tag == Tag::set && std::ranges::any_of(first->as.list->items, [](const Value& v) {
                               return v.tag == Tag::real;
                           });
        const auto items = iterate(*first, reals ? Order::python : Order::any);
        if (!items) return std::nullopt;
        Value total = start != nullptr ? *start : Value::integer(0);
        for (const Value& v : *items) total = binary(Kind::plus, total, v, node);
        return total;
    }
    if (name == "all" || name == "any") {
        // They stop at the first that decides; a generator goes no further.
        const bool any = name == "any";
        const auto members = first->tag == Tag::set ? iterate(*first, Order::any) : std::nullopt;
        const Value over = members ? make_list(Tag::tuple, *members, node) : *first;
        const Value source = iterator_over(over, node);
        bool undecided = false;
        while (true) {
            const Step step = advance(*source.as.iterator, node);
            if (raising_) return Value{};
            if (step.kind == Step::Kind::unknown) return std::nullopt;
            if (step.kind == Step::Kind::done) break;
            const auto t = truth_of(step.value, node);
            undecided = undecided || !t;
            if (t != any) continue;
            if (!undecided) return Value::boolean(any);
            lose_track(*source.as.iterator, node);  // it may have stopped before
            return Value::boolean(any);
        }
        return undecided ? std::nullopt : std::optional(Value::boolean(!any));
    }
    Iterator it;
    if (name == "enumerate") {
        const Value* from = args.get(1, "start");
        if (from != nullptr && !from->is_int()) return std::nullopt;
        it.kind = Iterator::Kind::enumerate;
        it.next = from != nullptr ? from->sym().value : 0;
        it.sources = {iterator_over(*first, node)};
        return make_iterator(std::move(it), node);
    }
    if (name == "zip" && args.keyword.empty()) {
        it.kind = Iterator::Kind::zip;
        for (const Value& v : args.positional) it.sources.push_back(iterator_over(v, node));
        return make_iterator(std::move(it), node);
    }
    if ((name == "map" || name == "filter") && args.positional.size() >= 2) {
        it.kind = name == "map" ? Iterator::Kind::map : Iterator::Kind::filter;
        it.function = *first;
        for (std::size_t i = 1; i < args.positional.size(); ++i)
            it.sources.push_back(iterator_over(args.positional[i], node));
        return make_iterator(std::move(it), node);
    }
    if (name == "reversed") {
        auto items = iterate(*first);
        if (!items || first->tag == Tag::iterator) return std::nullopt;
        std::ranges::reverse(*items);
        it.kind = Iterator::Kind::items;
        it.list = make_list(Tag::tuple, std::move(*items), node).as.list;
        return make_iterator(std::move(it), node);
    }
    return std::nullopt;
}

std::optional<Value> Interpreter::builtin_on_objects(std::string_view name, Arguments& args, NodeId node) {
    if (name == "object.__setattr__" && args.positional.size() == 3 && !args.open) {
        const Value& object = args.positional[0];
        if (object.tag == Tag::instance && args.positional[1].tag == Tag::string) {
            set_attribute(object, *heap_.intern(*args.positional[1].as.text), args.positional[2], node);
            return Value::none();
        }
        forget(object, node);
        return std::nullopt;
    }
    if (name == "print") {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
        return Value::none();
    }
    if (name == "object" && args.positional.empty()) {
        Value v = Value::with(Tag::instance);
        v.as.instance = heap_.make<Instance>();
        static_cast<Shared&>(*v.as.instance) = fresh();
        return v.at(here(node));
    }
    if (args.open || args.positional.empty()) return std::nullopt;
    const Value first = args.positional[0];
    const Value* second = args.positional.size() > 1 ? &args.positional[1] : nullptr;
    const bool names_attribute = second != nullptr && second->tag == Tag::string;
    if (name == "getattr" && names_attribute) {
        const std::string_view attribute_name = *heap_.intern(*second->as.text);
        const bool fallback = args.positional.size() > 2;
        if (first.tag == Tag::instance) {
            const Looked l = look_up(first, attribute_name, node);
            if (l.found == Found::yes) return l.value;
            if (l.found == Found::maybe) return std::nullopt;
            return fallback ? args.positional[2] : definite_error("AttributeError", node);
        }
        if (first.tag == Tag::klass && fallback) {
            const ClassEntry e = class_entry(first.as.klass, attribute_name);
            if (e.found == Found::no && knows_all_bases(*first.as.klass)) return args.positional[2];
        }
        const Value v = attribute(first, attribute_name, node);
        // A library may not have it.
        if (fallback && (v.tag == Tag::unknown || v.tag == Tag::external || v.tag == Tag::marker)) return std::nullopt;
        return v;
    }
    if (name == "hasattr" && names_attribute) {
        if (first.tag == Tag::instance) {
            const auto found = decided(look_up(first, *heap_.intern(*second->as.text), node).found);
            return found ? std::optional(Value::boolean(*found)) : std::nullopt;
        }
        if (first.tag == Tag::klass) {
            const Found f = class_entry(first.as.klass, *second->as.text).found;
            if (f == Found::yes) return Value::boolean(true);
            if (f == Found::no && knows_all_bases(*first.as.klass) && !second->as.text->starts_with("__"))
                return Value::boolean(false);
        }
        return std::nullopt;
    }
    if (name == "setattr" && args.positional.size() == 3) {
        if (second->tag == Tag::string) {
            assign_attribute(first, *heap_.intern(*second->as.text), args.positional[2], node);
        } else {
            forget(first, node);
            lose(args.positional[2]);
        }
        return Value::none();
    }
    if (name == "delattr" && names_attribute) {
        delete_attribute(first, *heap_.intern(*second->as.text), node);
        return Value::none();
    }
    if (name == "isinstance" && second != nullptr) {
        const auto r = is_instance(first, *second);
        return r ? std::optional(Value::boolean(*r)) : std::nullopt;
    }
    if (name == "issubclass" && second != nullptr && first.tag == Tag::klass && second->tag == Tag::klass) {
        const auto r = is_subclass(first.as.klass, second->as.klass);
        return r ? std::optional(Value::boolean(*r)) : std::nullopt;
    }
    if (name == "type" && args.positional.size() == 1 && first.tag == Tag::instance &&
        first.as.instance->klass != nullptr) {
        Value v = Value::with(Tag::klass);
        v.as.klass = first.as.instance->klass;
        return v;
    }
    if (name == "callable" &&
        (first.tag == Tag::function || first.tag == Tag::klass || first.tag == Tag::bound_method)) {
        return Value::boolean(true);
    }
    if (name == "slice") {
        Slice s{Value::none(), Value::none(), Value::none()};
        if (args.positional.size() == 1) {
            s.stop = first;
        } else {
            s.start = first;
            s.stop = *second;
            if (args.positional.size() > 2) s.step = args.positional[2];
        }
        Value v = Value::with(Tag::slice);
        v.as.slice = heap_.make<Slice>(s);
        return v.at(here(node));
    }
    if (is_any(name, {"property", "staticmethod", "classmethod"})) return wrap_member(name, args, node);
    return std::nullopt;
}

Value Interpreter::wrap_member(std::string_view name, const Arguments& args, NodeId node) {
    // property(get, set), staticmethod(f): a copy of the function that says what it is in a class
    const Value& first = args.positional[0];
    Function* f = heap_.make<Function>();
    if (first.tag == Tag::function) *f = *first.as.function;
    f->is_static_method = name == "staticmethod";
    f->is_class_method = name == "classmethod";
    f->is_property = name == "property";
    if (f->is_property) {
        f->property_get = first;
        if (args.positional.size() > 1 && args.positional[1].tag != Tag::none) f->property_set = args.positional[1];
    } else if (first.tag != Tag::function) {
        return unknown(UnknownReason::Why::unsupported, node, name);
    }
    Value v = Value::with(Tag::function);
    v.as.function = f;
    return v.at(first.origin());
}

std::optional<bool> Interpreter::is_instance(const Value& v, const Value& type) {
    if (type.tag == Tag::tuple) {
        if (type.as.list->open) return std::nullopt;
        std::optional<bool> any = false;
        for (const Value& t : type.as.list->items) {
            const auto r = is_instance(v, t);
            if (r == true) return true;
            if (!r) any = std::nullopt;
        }
        return any;
    }
    const bool opaque = v.tag == Tag::unknown || v.tag == Tag::external || v.tag == Tag::marker;
    if (opaque) return std::nullopt;
    if (type.tag == Tag::klass) {
        if (v.tag == Tag::instance) {
            const Class* k = v.as.instance->klass;
            return k == nullptr ? std::optional(false) : is_subclass(k, type.as.klass);
        }
        return v.tag == Tag::tensor || v.tag == Tag::symbol || v.tag == Tag::klass ? std::nullopt
                                                                                   : std::optional(false);
    }
    if (type.tag != Tag::external) return std::nullopt;
    const std::string_view t = *type.as.text;
    if (t == "torch.Tensor" || t == "pypto.Tensor") {
        if (v.tag == Tag::tensor) return true;
        return v.is_int() || v.tag == Tag::none || v.tag == Tag::string || v.is_sequence() || v.tag == Tag::dict
                   ? std::optional(false)
                   : std::nullopt;
    }
    if (!t.starts_with("builtins.")) return std::nullopt;
    const std::string_view builtin = t.substr(9);
    if (builtin == "object") return true;
    if (v.tag == Tag::instance) {
        const Class* k = v.as.instance->klass;
        if (k == nullptr) return false;
        if (k->is_named_tuple) return builtin == "tuple";
        if (k->is_int_enum && builtin == "int") return true;
        return knows_all_bases(*k) && !k->is_enum ? std::optional(false) : std::nullopt;
    }
    static constexpr std::string_view kKnown[] = {"int",  "bool", "float",     "str",   "list", "tuple",
                                                  "dict", "set",  "frozenset", "range", "type"};
    if (std::ranges::find(kKnown, builtin) == std::end(kKnown)) return std::nullopt;
    switch (v.tag) {
        case Tag::symbol:
            return builtin == "int" || builtin == "bool" ? std::nullopt : std::optional(false);
        case Tag::boolean:
            return builtin == "bool" || builtin == "int";
        case Tag::integer:
            return builtin == "int";
        case Tag::real:
            return builtin == "float";
        case Tag::string:
            return builtin == "str";
        case Tag::list:
            return builtin == "list";
        case Tag::tuple:
            return builtin == "tuple";
        case Tag::dict:
            return builtin == "dict";
        case Tag::set:
            return builtin == "set" || builtin == "frozenset"
                       ? std::optional(v.as.list->frozen == (builtin == "frozenset"))
                       : std::optional(false);
        case Tag::range:
            return builtin == "range";
        case Tag::klass:
            return builtin == "type";
        case Tag::tensor:
        case Tag::dtype:
            return std::nullopt;
        default:
            return false;
    }
}

}  // namespace ptofix::trace
