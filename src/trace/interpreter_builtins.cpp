// Python's built-in functions. What is not here is unknown.
#include <algorithm>
#include <array>
#include <cmath>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::external_attribute(const std::string& owner, std::string_view name, NodeId node) {
    if (owner == "torch" || owner == "numpy") {
        if (const auto d = hardware::dtype_of_torch_name(name)) return Value::of(*d).at(here(node));
    }
    if (owner == "pypto" || owner.starts_with("pypto.")) {
        if (name.starts_with("DT_")) {
            if (const auto d = hardware::dtype_of_pypto_name(name)) return Value::of(*d).at(here(node));
        }
        const bool constant = std::ranges::all_of(
            name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
        if (constant && !name.empty()) {  // DYNAMIC, TILEOP_NZ, CAST_RINT, members of enums
            Value v = Value::with(Tag::marker);
            v.as.text = heap_.intern(name);
            return v.at(here(node));
        }
    }
    if (owner == "math") {
        if (name == "pi") return Value::real(3.141592653589793).at(here(node));
        if (name == "e") return Value::real(2.718281828459045).at(here(node));
        if (name == "inf") return Value::real(INFINITY).at(here(node));
    }
    Value v = Value::with(Tag::external);
    v.as.text = heap_.intern(owner + "." + std::string(name));
    return v.at(here(node));
}

namespace {

/// Built-in functions that only do on Python's numbers what they say.
constexpr auto kNeedNumbers = std::to_array<std::string_view>(
    {"abs", "all", "any", "bool", "chr", "complex", "float", "hash", "int", "isinstance", "round", "sorted", "type"});

}  // namespace

Value Interpreter::call_external(const std::string& name, Arguments& args, NodeId node) {
    if (name == "pypto" || name.starts_with("pypto."))
        return call_pypto(std::string_view(name).substr(name.size() == 5 ? 5 : 6), args, node);
    if (name.starts_with("builtins.")) return call_builtin(std::string_view(name).substr(9), args, node);
    const bool keeps = name.starts_with("dataclasses.") || name.starts_with("types.");  // holds what it is given
    if (!keeps) {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
        for (const auto& [n, v] : args.keyword) note_use(LoopUse::Kind::index_escapes, v, node);
    }
    if (name.starts_with("torch.") || name.starts_with("numpy.") || name.starts_with("torch_npu.")) {
        if (auto v = call_torch(name, args, node)) return *v;
    }
    if (auto v = call_library(name, args, node)) return *v;
    return unknown(UnknownReason::Why::external_call, node, name);
}

Value Interpreter::min_max(std::string_view name, Arguments& args, NodeId node) {
    std::vector<Value> items;
    if (args.positional.size() == 1) {
        const auto over = iterate(args.positional[0]);
        if (!over) return unknown(UnknownReason::Why::joined, node);
        items = *over;
    } else {
        items = args.positional;
    }
    if (items.empty() || args.open || args.find("key") != nullptr)
        return unknown(UnknownReason::Why::unsupported, node);
    const bool smallest = name == "min";
    if (std::ranges::any_of(items, [](const Value& v) { return v.tag == Tag::real; })) {
        double best = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].tag != Tag::real && !items[i].is_int()) return unknown(UnknownReason::Why::joined, node);
            const double d = items[i].tag == Tag::real ? items[i].as.f : static_cast<double>(items[i].sym().value);
            best = i == 0 ? d : smallest ? std::min(best, d) : std::max(best, d);
        }
        return Value::real(best);
    }
    SymInt best = items[0].sym();
    for (std::size_t i = 1; i < items.size(); ++i) {
        best = smallest ? trace_.symbols.min(best, items[i].sym()) : trace_.symbols.max(best, items[i].sym());
    }
    if (best.unknown()) return unknown(UnknownReason::Why::joined, node);
    for (const Value& v : items) {  // keep the place where the chosen number is written
        if (v.sym() == best && v.node != kNoNode) return v;
    }
    return Value::of(best);
}

namespace {

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

}  // namespace

Value Interpreter::call_builtin(std::string_view name, Arguments& args, NodeId node) {
    if (!takes_any_value(name, args.positional.size())) {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
    }
    const Value* first = args.get(0, "");
    const Value* second = args.get(1, "");
    const auto give_up = [&] { return unknown(UnknownReason::Why::unsupported, node, name); };
    if (name == "range") {
        if (args.open || args.positional.empty()) return give_up();
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
    if (first != nullptr && std::ranges::find(kNeedNumbers, name) != kNeedNumbers.end()) {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
    }
    if (first == nullptr) {
        if (name == "list") return make_list(Tag::list, {}, node);
        if (name == "tuple") return make_list(Tag::tuple, {}, node);
        if (name == "set") return make_list(Tag::set, {}, node);
        if (name == "dict") {
            Value v = Value::with(Tag::dict);
            v.as.dict = heap_.make<Dict>();
            v.as.dict->birth = ++sequence_;
            v.as.dict->open = args.open;
            for (const auto& [k, item] : args.keyword) v.as.dict->items.emplace_back(string_value(k, node), item);
            return v.at(here(node));
        }
        if (name == "print") return Value::none();
        return give_up();
    }
    if (name == "len") {
        switch (first->tag) {
            case Tag::list:
            case Tag::tuple:
            case Tag::set:
                if (!first->as.list->open)
                    return Value::integer(static_cast<std::int64_t>(first->as.list->items.size()));
                break;
            case Tag::dict:
                if (!first->as.dict->open)
                    return Value::integer(static_cast<std::int64_t>(first->as.dict->items.size()));
                break;
            case Tag::string:
                return Value::integer(static_cast<std::int64_t>(first->as.text->size()));
            case Tag::range:
                return Value::of(trace_.symbols.ceil_div(
                    trace_.symbols.subtract(first->as.range->stop, first->as.range->start), first->as.range->step));
            case Tag::tensor: {
                const TensorType& t = trace_.tensors[first->as.tensor].type;
                if (t.rank_known && !t.shape.empty()) return Value::of(t.shape[0]);
                break;
            }
            default:
                break;
        }
        return give_up();
    }
    if (name == "int" || name == "round") {
        if (!first->sym().unknown()) return Value::of(first->sym()).at(first->origin());
        if (first->tag == Tag::real && std::isfinite(first->as.f) && std::abs(first->as.f) < 9e15 &&
            second == nullptr) {
            return Value::integer(
                static_cast<std::int64_t>(name == "int" ? std::trunc(first->as.f) : std::nearbyint(first->as.f)));
        }
        if (first->tag == Tag::string) {
            std::int64_t v = 0;
            const auto& s = *first->as.text;
            if (!s.empty() && s.size() < 18 && std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; })) {
                for (char c : s) v = v * 10 + (c - '0');
                return Value::integer(v);
            }
        }
        return give_up();
    }
    if (name == "float") {
        if (first->is_int()) return Value::real(static_cast<double>(first->sym().value));
        if (first->tag == Tag::real) return *first;
        return give_up();
    }
    if (name == "bool") {
        const auto t = truth(*first);
        return t ? Value::boolean(*t) : give_up();
    }
    if (name == "str" || name == "repr" || name == "format") {
        note_use(LoopUse::Kind::index_in_text, *first, node);
        const auto s = name == "str" ? to_text(*first) : std::nullopt;
        return s ? string_value(*s, node) : give_up();
    }
    if (name == "abs") {
        if (first->is_int()) return Value::integer(std::abs(first->sym().value));
        if (first->tag == Tag::real) return Value::real(std::abs(first->as.f));
        return give_up();
    }
    if (name == "list" || name == "tuple" || name == "set" || name == "frozenset" || name == "sorted" ||
        name == "reversed" || name == "iter") {
        const auto items = iterate(*first);
        const Tag tag = name == "tuple" ? Tag::tuple : name == "set" || name == "frozenset" ? Tag::set : Tag::list;
        std::vector<Value> out = items ? *items : std::vector<Value>{};
        bool open = !items;
        if (name == "reversed") std::ranges::reverse(out);
        if (name == "sorted" && !open) {
            if (args.find("key") == nullptr && std::ranges::all_of(out, [](const Value& v) { return v.is_int(); })) {
                std::ranges::stable_sort(out, {}, [](const Value& v) { return v.sym().value; });
                if (const Value* r = args.find("reverse"); r != nullptr) {
                    const auto t = truth(*r);
                    if (t == true) std::ranges::reverse(out);
                    open = !t;
                }
            } else {
                open = true;
            }
        }
        if (tag == Tag::set) {
            std::vector<Value> unique;
            for (const Value& v : out) {
                if (std::ranges::none_of(unique, [&](const Value& o) { return equal(o, v) == true; }))
                    unique.push_back(v);
            }
            out = std::move(unique);
        }
        if (open) out.clear();
        Value v = make_list(tag, std::move(out), node);
        v.as.list->open = open;
        return v.at(first->is_sequence() && (name == "list" || name == "tuple") ? first->origin() : here(node));
    }
    if (name == "dict") {
        Value v = first->tag == Tag::dict ? copy(*first, 1) : Value::with(Tag::dict);
        if (first->tag != Tag::dict) {
            v.as.dict = heap_.make<Dict>();
            const auto pairs = iterate(*first);
            v.as.dict->open = !pairs;
            for (const Value& p : pairs ? *pairs : std::vector<Value>{}) {
                const auto kv = iterate(p);
                if (kv && kv->size() == 2) {
                    v.as.dict->items.emplace_back((*kv)[0], (*kv)[1]);
                } else {
                    v.as.dict->open = true;
                }
            }
        }
        for (const auto& [k, item] : args.keyword) {
            auto it = std::ranges::find_if(
                v.as.dict->items, [&](const auto& p) { return p.first.tag == Tag::string && *p.first.as.text == k; });
            if (it == v.as.dict->items.end()) {
                v.as.dict->items.emplace_back(string_value(k, node), item);
            } else {
                it->second = item;
            }
        }
        v.as.dict->open = v.as.dict->open || args.open;
        return v.at(here(node));
    }
    if (name == "sum") {
        const auto items = iterate(*first);
        if (!items) return give_up();
        Value total = second != nullptr ? *second : Value::integer(0);
        for (const Value& v : *items) total = binary(Kind::plus, total, v, node);
        return total;
    }
    if (name == "all" || name == "any") {
        const auto items = iterate(*first);
        if (!items) return give_up();
        bool undecided = false;
        for (const Value& v : *items) {
            const auto t = truth(v);
            if (!t) undecided = true;
            if (t && *t == (name == "any")) return Value::boolean(name == "any");
        }
        return undecided ? give_up() : Value::boolean(name == "all");
    }
    if (name == "enumerate") {
        const auto items = iterate(*first);
        const Value* from = args.get(1, "start");
        if (!items || (from != nullptr && from->tag != Tag::integer)) return give_up();
        std::vector<Value> out;
        std::int64_t i = from != nullptr ? from->as.i : 0;
        for (const Value& v : *items) out.push_back(make_list(Tag::tuple, {Value::integer(i++), v}, node));
        return make_list(Tag::list, std::move(out), node);
    }
    if (name == "zip") {
        std::vector<std::vector<Value>> columns;
        std::size_t shortest = SIZE_MAX;
        for (const Value& a : args.positional) {
            auto items = iterate(a);
            if (!items) return give_up();
            shortest = std::min(shortest, items->size());
            columns.push_back(std::move(*items));
        }
        std::vector<Value> out;
        for (std::size_t i = 0; i < shortest; ++i) {
            std::vector<Value> row;
            for (const auto& c : columns) row.push_back(c[i]);
            out.push_back(make_list(Tag::tuple, std::move(row), node));
        }
        return make_list(Tag::list, std::move(out), node);
    }
    if ((name == "map" || name == "filter") && second != nullptr) {
        const auto items = iterate(*second);
        if (!items || items->size() > 512) return give_up();
        std::vector<Value> out;
        for (const Value& v : *items) {
            Arguments one;
            one.positional = {v};
            one.positional_sites = {v.origin()};
            one.splat_sites = {{}};
            const Value r = call(*first, one, node);
            if (name == "map") {
                out.push_back(r);
            } else if (const auto t = truth(r); !t) {
                return give_up();
            } else if (*t) {
                out.push_back(v);
            }
        }
        return make_list(Tag::list, std::move(out), node);
    }
    if (name == "getattr" && second != nullptr && second->tag == Tag::string) {
        const std::string_view attribute_name = *heap_.intern(*second->as.text);
        const Value v = attribute(*first, attribute_name, node);
        if (v.tag == Tag::unknown && first->tag == Tag::instance && args.positional.size() > 2)
            return args.positional[2];
        return v;
    }
    if (name == "hasattr" && second != nullptr && second->tag == Tag::string && first->tag == Tag::instance) {
        return Value::boolean(instance_attribute(*first, *second->as.text, node).tag != Tag::unknown);
    }
    if (name == "setattr" && args.positional.size() == 3 && second->tag == Tag::string) {
        assign_attribute(*first, *heap_.intern(*second->as.text), args.positional[2]);
        return Value::none();
    }
    if (name == "isinstance" && second != nullptr) {
        const auto is_a = [&](const Value& type) -> std::optional<bool> {
            if (first->tag == Tag::unknown) return std::nullopt;
            if (type.tag == Tag::klass) {
                if (first->tag != Tag::instance) return false;
                if (first->as.instance->klass == type.as.klass) return true;
                return std::nullopt;
            }
            if (type.tag != Tag::external) return std::nullopt;
            const std::string_view t = *type.as.text;
            if (t == "builtins.int")
                return first->is_int()             ? std::optional(true)
                       : first->tag == Tag::symbol ? std::nullopt
                                                   : std::optional(false);
            if (t == "builtins.bool") return first->tag == Tag::boolean;
            if (t == "builtins.float") return first->tag == Tag::real;
            if (t == "builtins.str") return first->tag == Tag::string;
            if (t == "builtins.list") return first->tag == Tag::list;
            if (t == "builtins.tuple") return first->tag == Tag::tuple;
            if (t == "builtins.dict") return first->tag == Tag::dict;
            if (t == "torch.Tensor" || t == "pypto.Tensor")
                return first->tag == Tag::tensor                    ? std::optional(true)
                       : first->is_int() || first->tag == Tag::none ? std::optional(false)
                                                                    : std::nullopt;
            return std::nullopt;
        };
        if (second->tag == Tag::tuple) {
            bool undecided = false;
            for (const Value& t : second->as.list->items) {
                const auto r = is_a(t);
                if (r == true) return Value::boolean(true);
                undecided = undecided || !r;
            }
            return undecided ? give_up() : Value::boolean(false);
        }
        const auto r = is_a(*second);
        return r ? Value::boolean(*r) : give_up();
    }
    if (name == "divmod" && second != nullptr) {
        const Value q = binary(Kind::floor_slash, *first, *second, node);
        return make_list(Tag::tuple, {q, binary(Kind::percent, *first, *second, node)}, node);
    }
    if (name == "pow" && second != nullptr) return binary(Kind::power, *first, *second, node);
    if (name == "slice") {
        Slice s{Value::none(), Value::none(), Value::none()};
        if (args.positional.size() == 1) {
            s.stop = args.positional[0];
        } else {
            s.start = args.positional[0];
            s.stop = args.positional[1];
            if (args.positional.size() > 2) s.step = args.positional[2];
        }
        Value v = Value::with(Tag::slice);
        v.as.slice = heap_.make<Slice>(s);
        return v.at(here(node));
    }
    if (name == "print") {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
        return Value::none();
    }
    if (name == "property" || name == "staticmethod" || name == "classmethod") return *first;
    return give_up();
}

}  // namespace ptofix::trace
