// What is true, what is equal, and what is the same for the tracer.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

std::optional<bool> Interpreter::truth(const Value& v) const {
    switch (v.tag) {
        case Tag::none:
            return false;
        case Tag::boolean:
            return v.as.b;
        case Tag::integer:
            return v.as.i != 0;
        case Tag::real:
            return v.as.f != 0;
        case Tag::string:
            return !v.as.text->empty();
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
            if (!v.as.list->items.empty()) return true;
            return v.as.list->open ? std::nullopt : std::optional(false);
        case Tag::dict:
            if (!v.as.dict->items.empty()) return true;
            return v.as.dict->open ? std::nullopt : std::optional(false);
        case Tag::dtype:
        case Tag::function:
        case Tag::bound_method:
        case Tag::klass:
        case Tag::module:
        case Tag::loop_spec:
        case Tag::tensor_spec:
        case Tag::ellipsis:
        case Tag::marker:
            return true;
        case Tag::instance:
            return true;
        case Tag::symbol: {
            const Bounds bounds = trace_.symbols.bounds(v.sym());
            if (bounds.low && *bounds.low > 0) return true;
            if (bounds.high && *bounds.high < 0) return true;
            if (bounds.low && bounds.high && *bounds.low == 0 && *bounds.high == 0) return false;
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

std::optional<bool> Interpreter::equal(const Value& a, const Value& b) const {
    if (a.tag == Tag::unknown || b.tag == Tag::unknown || a.tag == Tag::lazy_import || b.tag == Tag::lazy_import)
        return std::nullopt;
    if (a.is_int() && b.is_int()) return a.sym().value == b.sym().value;
    if (a.tag == Tag::real && b.tag == Tag::real) return a.as.f == b.as.f;
    if (a.is_int() && b.tag == Tag::real) return static_cast<double>(a.sym().value) == b.as.f;
    if (a.tag == Tag::real && b.is_int()) return equal(b, a);
    if (a.tag == Tag::symbol || b.tag == Tag::symbol) {
        if (a.sym().unknown() || b.sym().unknown())
            return a.tag == Tag::none || b.tag == Tag::none ? std::optional(false) : std::nullopt;
        const auto c = trace_.symbols.compare(a.sym(), b.sym());
        if (c) return *c == 0;
        return std::nullopt;
    }
    if (a.tag == Tag::external || b.tag == Tag::external) {
        if (a.tag == b.tag && a.as.text == b.as.text) return true;
        if (a.tag == Tag::none || b.tag == Tag::none) return false;
        return std::nullopt;
    }
    if (a.tag != b.tag) {
        if (a.tag == Tag::instance || b.tag == Tag::instance)
            return a.tag == Tag::none || b.tag == Tag::none ? std::optional(false) : std::nullopt;
        return false;
    }
    switch (a.tag) {
        case Tag::none:
        case Tag::ellipsis:
            return true;
        case Tag::string:
        case Tag::marker:
            return *a.as.text == *b.as.text;
        case Tag::dtype:
            return a.as.dtype == b.as.dtype;
        case Tag::list:
        case Tag::tuple: {
            const List& x = *a.as.list;
            const List& y = *b.as.list;
            if (&x == &y) return true;
            if (x.open || y.open) return std::nullopt;
            if (x.items.size() != y.items.size()) return false;
            std::optional<bool> all = true;
            for (std::size_t i = 0; i < x.items.size(); ++i) {
                if (x.items[i].is_sequence() && &x == x.items[i].as.list) return std::nullopt;
                const auto e = equal(x.items[i], y.items[i]);
                if (e == false) return false;
                if (!e) all = std::nullopt;
            }
            return all;
        }
        case Tag::function:
            return a.as.function == b.as.function;
        case Tag::klass:
            return a.as.klass == b.as.klass;
        case Tag::instance:
            return a.as.instance == b.as.instance ? std::optional(true) : std::nullopt;
        default:
            return std::nullopt;
    }
}

bool Interpreter::same(const Value& a, const Value& b) const {
    if (a.tag != b.tag) return false;
    switch (a.tag) {
        case Tag::unknown:
            return true;
        case Tag::tensor:
            return trace_.tensors[a.as.tensor].type == trace_.tensors[b.as.tensor].type;
        case Tag::symbol:
            return a.as.i == b.as.i;
        case Tag::list:
        case Tag::tuple:
        case Tag::set: {
            if (a.as.list == b.as.list) return true;
            const List& x = *a.as.list;
            const List& y = *b.as.list;
            if (x.open != y.open || x.items.size() != y.items.size() || depth_ > kMaxDepth / 2) return false;
            if (a.tag != Tag::tuple) return false;
            return std::ranges::equal(x.items, y.items, [&](const Value& p, const Value& q) { return same(p, q); });
        }
        case Tag::dict:
            return a.as.dict == b.as.dict;
        case Tag::slice:
            return a.as.slice == b.as.slice;
        case Tag::range:
            return a.as.range == b.as.range;
        case Tag::external:
            return a.as.text == b.as.text;
        case Tag::bound_method:
            return a.as.method == b.as.method;
        case Tag::instance:
            return a.as.instance == b.as.instance;
        case Tag::module:
            return a.as.module == b.as.module;
        case Tag::tensor_spec:
            return a.as.spec == b.as.spec;
        case Tag::loop_spec:
            return a.as.loop == b.as.loop;
        case Tag::lazy_import:
            return a.as.lazy == b.as.lazy;
        default:
            return equal(a, b) == true;
    }
}

bool Interpreter::same(const Content& a, const Content& b) const {
    if (a.index() != b.index()) return false;
    if (const auto* x = std::get_if<NameContent>(&a)) {
        const auto& y = std::get<NameContent>(b);
        return x->bound == y.bound && (!x->bound || same(x->value, y.value));
    }
    const auto same_values = [&](const Value& p, const Value& q) { return same(p, q); };
    if (const auto* x = std::get_if<List>(&a)) {
        const auto& y = std::get<List>(b);
        return x->open == y.open && std::ranges::equal(x->items, y.items, same_values);
    }
    const auto same_pairs = [&](const auto& p, const auto& q) { return same(p.second, q.second); };
    if (const auto* x = std::get_if<Dict>(&a)) {
        const auto& y = std::get<Dict>(b);
        return x->open == y.open && std::ranges::equal(x->items, y.items, [&](const auto& p, const auto& q) {
                   return same(p.first, q.first) && same(p.second, q.second);
               });
    }
    if (const auto* x = std::get_if<Instance>(&a)) {
        return std::ranges::equal(x->attributes, std::get<Instance>(b).attributes, same_pairs);
    }
    return std::get<TileState>(a) == std::get<TileState>(b);
}

}  // namespace ptofix::trace
