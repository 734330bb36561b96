// What is true, what is equal, what is one object, and what is the same for the tracer.
#include <algorithm>
#include <cmath>
#include <span>

#include "trace/interpreter.h"
#include "trace/numbers.h"
#include "trace/some_number.h"

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
        case Tag::slice:
        case Tag::marker:
            return true;
        case Tag::instance:
            return true;
        case Tag::range: {
            const Range& r = *v.as.range;
            if (!r.start.known() || !r.stop.known() || !r.step.known()) return std::nullopt;
            return r.step.value > 0 ? r.start.value < r.stop.value : r.start.value > r.stop.value;
        }
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

namespace {

/// Is it a value of one of Python's own types, which compare in known ways?
bool is_plain(const Value& v) {
    switch (v.tag) {
        case Tag::none:
        case Tag::boolean:
        case Tag::integer:
        case Tag::real:
        case Tag::string:
        case Tag::ellipsis:
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
        case Tag::dict:
        case Tag::slice:
        case Tag::range:
        case Tag::function:
        case Tag::klass:
        case Tag::module:
            return true;
        default:
            return false;
    }
}

std::optional<bool> both(std::optional<bool> a, std::optional<bool> b) {
    if (a == false || b == false) return false;
    return a && b ? std::optional(true) : std::nullopt;
}

/// Two that stand for one of several objects may be one all the same.
std::optional<bool> one_object(const Shared& a, const Shared& b) {
    if (&a == &b) return true;
    return a.linked || b.linked ? std::nullopt : std::optional(false);
}

}  // namespace

std::optional<bool> Interpreter::equal(const Value& x, const Value& y) {
    const Value a = plain(x);
    const Value b = plain(y);
    const auto none_or = [&](const Value& other) {
        return other.tag == Tag::none ? std::optional(false) : std::nullopt;
    };
    if (a.tag == Tag::unknown || b.tag == Tag::unknown) {
        return std::nullopt;
    }
    if (numbers::is_number(a) && numbers::is_number(b)) {
        const auto c = numbers::compare(a, b);
        return c ? std::optional(*c == 0) : std::optional(false);  // NaN equals nothing
    }
    if (a.tag == Tag::symbol || b.tag == Tag::symbol) {
        if (a.sym().unknown()) return none_or(a);
        if (b.sym().unknown()) return none_or(b);
        const auto c = trace_.symbols.compare(a.sym(), b.sym());
        return c ? std::optional(*c == 0) : std::nullopt;
    }
    if (a.tag == Tag::external || b.tag == Tag::external) {
        if (a.tag == b.tag && a.as.text == b.as.text && !a.as.text->ends_with(')')) return true;
        return none_or(a.tag == Tag::external ? b : a);
    }
    if (a.tag != b.tag) {
        if (is_plain(a) && is_plain(b)) return false;
        if (a.tag == Tag::instance || b.tag == Tag::instance) {
            const Value& object = a.tag == Tag::instance ? a : b;
            const Value& other = a.tag == Tag::instance ? b : a;
            return is_plain(other) && compares_as_object(*object.as.instance) ? std::optional(false) : none_or(other);
        }
        if (a.tag == Tag::iterator || b.tag == Tag::iterator) return none_or(a.tag == Tag::iterator ? b : a);
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
        case Tag::tuple:
            return equal_lists(*a.as.list, *b.as.list);
        case Tag::set:
            return equal_sets(*a.as.list, *b.as.list);
        case Tag::dict:
            return equal_dicts(*a.as.dict, *b.as.dict);
        case Tag::function:
            return a.as.function == b.as.function;
        case Tag::klass:
            return a.as.klass == b.as.klass;
        case Tag::module:
            return a.as.module == b.as.module;
        case Tag::instance:
            return equal_instances(*a.as.instance, *b.as.instance);
        default:
            return std::nullopt;
    }
}

bool Interpreter::compares_as_object(const Instance& instance) {
    const Class* k = instance.klass;
    if (k == nullptr || k->is_named_tuple || k->is_mixed || k->is_flag) return false;
    return class_entry(k, "__eq__").found == Found::no;
}

std::optional<bool> Interpreter::equal_instances(const Instance& x, const Instance& y) {
    const bool known = x.klass != nullptr && y.klass != nullptr && class_entry(x.klass, "__eq__").found == Found::no;
    if (!known || x.klass->is_named_tuple || x.klass->is_mixed) return std::nullopt;
    if (&x == &y) return true;
    if (x.linked || y.linked) return std::nullopt;
    if (x.klass->compares_fields && x.klass == y.klass) {
        if (x.open || y.open || x.attributes.size() != y.attributes.size() || !deeper()) return std::nullopt;
        std::optional<bool> all = true;
        for (const auto& [n, v] : x.attributes) {
            const auto it = std::ranges::find(y.attributes, n, &std::pair<std::string_view, Value>::first);
            const auto e = it == y.attributes.end() ? std::nullopt : equal_item(v, it->second);
            all = both(all, e);
            if (all == false) break;
        }
        --depth_;
        return all;
    }
    return compares_as_object(x) && compares_as_object(y) ? std::optional(false) : std::nullopt;
}

std::optional<bool> Interpreter::equal_item(const Value& a, const Value& b) {
    if (identical(a, b) == true) return true;
    const bool nan = (a.tag == Tag::real && std::isnan(a.as.f)) || (b.tag == Tag::real && std::isnan(b.as.f));
    if (nan && a.tag == b.tag) return std::nullopt;  // one NaN is in [nan], another is not
    return equal(a, b);
}

std::optional<bool> Interpreter::equal_lists(const List& x, const List& y) {
    if (&x == &y) return true;
    if (x.open || y.open) return std::nullopt;
    if (x.items.size() != y.items.size()) return false;
    if (!deeper()) return std::nullopt;
    charge(x.items.size());
    std::optional<bool> all = true;
    for (std::size_t i = 0; i < x.items.size() && all != false; ++i) {
        const auto e = equal_item(x.items[i], y.items[i]);
        all = both(all, e);
    }
    --depth_;
    return all;
}

std::optional<bool> Interpreter::equal_sets(const List& x, const List& y) {
    if (&x == &y) return true;
    if (x.open || y.open) return std::nullopt;
    if (x.items.size() != y.items.size()) return false;
    std::optional<bool> all = true;
    for (const Value& member : x.items) {
        const Found f = find(y, member);
        if (f == Found::no) return false;
        if (f == Found::maybe) all = std::nullopt;
    }
    return all;
}

std::optional<bool> Interpreter::equal_dicts(const Dict& x, const Dict& y) {
    if (&x == &y) return true;
    if (x.open || y.open) return std::nullopt;
    if (x.items.size() != y.items.size()) return false;
    if (!deeper()) return std::nullopt;
    std::optional<bool> all = true;
    for (const auto& [k, v] : x.items) {
        const Entry at = find(y, k);
        const auto e = at.found == Found::yes ? equal_item(v, y.items[at.index].second) : decided(at.found);
        all = both(all, e);
        if (all == false) break;
    }
    --depth_;
    return all;
}

std::optional<bool> Interpreter::identical(const Value& a, const Value& b) {
    if (a.tag == Tag::unknown || b.tag == Tag::unknown) {
        return std::nullopt;
    }
    if (a.tag == Tag::none || b.tag == Tag::none) return a.tag == b.tag;
    if (a.tag == Tag::external || b.tag == Tag::external) {
        const bool one = a.tag == b.tag && a.as.text == b.as.text && !a.as.text->ends_with(')');
        return one ? std::optional(true) : std::nullopt;
    }
    if (a.tag == Tag::symbol || b.tag == Tag::symbol) return std::nullopt;
    if (a.tag != b.tag) return is_plain(a) && is_plain(b) ? std::optional(false) : std::nullopt;
    switch (a.tag) {
        case Tag::boolean:
            return a.as.b == b.as.b;
        case Tag::ellipsis:
            return true;
        case Tag::list:
        case Tag::set:
            return one_object(*a.as.list, *b.as.list);
        case Tag::dict:
            return one_object(*a.as.dict, *b.as.dict);
        case Tag::instance:
            return one_object(*a.as.instance, *b.as.instance);
        case Tag::klass:
            return a.as.klass == b.as.klass;
        case Tag::function:
            return a.as.function == b.as.function;
        case Tag::module:
            return a.as.module == b.as.module;
        case Tag::tensor:
            return a.as.tensor == b.as.tensor ? std::optional(true) : std::nullopt;
        case Tag::dtype:
            return a.as.dtype == b.as.dtype;
        case Tag::tuple:
            if (a.as.list == b.as.list) return true;
            break;
        default:
            break;
    }
    // Equal numbers and texts may or may not be one object.
    return equal(a, b) == false ? std::optional(false) : std::nullopt;
}

bool Interpreter::covers(const Value& a, const Value& b) {
    if (a.tag == Tag::unknown) return !is_some_number(a) || is_numeric(b);
    if (same(a, b)) return true;
    if (a.tag != b.tag) return false;
    if (a.tag == Tag::tensor) {
        const TensorType& x = trace_.tensors[a.as.tensor].type;
        const TensorType& y = trace_.tensors[b.as.tensor].type;
        if (x.dtype != hardware::DType::unknown && x.dtype != y.dtype) return false;
        if (!x.rank_known) return true;
        if (!y.rank_known || x.shape.size() != y.shape.size()) return false;
        for (std::size_t i = 0; i < x.shape.size(); ++i) {
            if (!x.shape[i].unknown() && !(x.shape[i] == y.shape[i])) return false;
        }
        return true;
    }
    if (a.tag != Tag::tuple || !deeper()) return false;
    const bool all = covers_items(*a.as.list, *b.as.list);
    --depth_;
    return all;
}

bool Interpreter::covers_items(const List& a, const List& b) {
    charge(a.items.size());
    if (a.items.size() > b.items.size() || (!a.open && (b.open || a.items.size() != b.items.size()))) return false;
    return std::ranges::equal(a.items, std::span(b.items).first(a.items.size()),
                              [&](const Value& p, const Value& q) { return covers(p, q); });
}

bool Interpreter::covers(const Content& a, const Content& b) {
    if (same(a, b)) return true;
    if (a.index() != b.index()) return false;
    if (const auto* x = std::get_if<NameContent>(&a)) {
        const auto& y = std::get<NameContent>(b);
        return x->bound && y.bound && covers(x->value, y.value);
    }
    if (const auto* x = std::get_if<List>(&a)) {
        const auto& y = std::get<List>(b);
        if (!x->unordered) return covers_items(*x, y);
        if (!x->open && (y.open || x->items.size() != y.items.size())) return false;
        return std::ranges::all_of(x->items, [&](const Value& v) { return find(y, v) == Found::yes; });
    }
    if (const auto* x = std::get_if<Dict>(&a)) {
        const auto& y = std::get<Dict>(b);
        if (!x->open && (y.open || x->items.size() != y.items.size())) return false;
        for (std::size_t i = 0; i < x->items.size(); ++i) {
            const Entry at = find(y, x->items[i].first);
            if (at.found != Found::yes || (!x->open && at.index != i)) return false;
            if (!covers(x->items[i].second, y.items[at.index].second)) return false;
        }
        return true;
    }
    if (const auto* x = std::get_if<Instance>(&a)) {
        const auto& y = std::get<Instance>(b);
        if (!x->open && (y.open || x->attributes.size() != y.attributes.size())) return false;
        for (const auto& [n, v] : x->attributes) {
            const auto it = std::ranges::find(y.attributes, n, &std::pair<std::string_view, Value>::first);
            if (it == y.attributes.end() || !covers(v, it->second)) return false;
        }
        return true;
    }
    if (const auto* x = std::get_if<std::shared_ptr<const Iterator>>(&a)) return (*x)->kind == Iterator::Kind::unknown;
    // A setting of unknown values stands for all.
    const auto& x = std::get<TileState>(a);
    const auto& y = std::get<TileState>(b);
    const auto any = [&](TileId t, TileId u) {
        if (t == u) return true;
        return t != kNone && !trace_.tiles[t].known && trace_.tiles[t].is_joined();
    };
    return any(x.vec, y.vec) && any(x.cube, y.cube);
}

bool Interpreter::same(const Value& a, const Value& b) {
    if (a.tag != b.tag) return false;
    switch (a.tag) {
        case Tag::unknown:
            return is_some_number(a) == is_some_number(b);
        case Tag::none:
        case Tag::ellipsis:
            return true;
        case Tag::boolean:
            return a.as.b == b.as.b;
        case Tag::integer:
        case Tag::symbol:
            return a.as.i == b.as.i;
        case Tag::real:
            return std::signbit(a.as.f) == std::signbit(b.as.f) &&
                   (a.as.f == b.as.f || (std::isnan(a.as.f) && std::isnan(b.as.f)));
        case Tag::string:
        case Tag::marker:
        case Tag::external:
            return *a.as.text == *b.as.text;
        case Tag::dtype:
            return a.as.dtype == b.as.dtype;
        case Tag::tensor:
            return trace_.tensors[a.as.tensor].type == trace_.tensors[b.as.tensor].type;
        case Tag::list:
        case Tag::set:
            return a.as.list == b.as.list;
        case Tag::tuple: {
            if (a.as.list == b.as.list) return true;
            const List& x = *a.as.list;
            const List& y = *b.as.list;
            if (x.open != y.open || x.items.size() != y.items.size() || !deeper()) return false;
            charge(x.items.size());
            const bool all =
                std::ranges::equal(x.items, y.items, [&](const Value& p, const Value& q) { return same(p, q); });
            --depth_;
            return all;
        }
        case Tag::dict:
            return a.as.dict == b.as.dict;
        case Tag::iterator:
            return a.as.iterator == b.as.iterator;
        case Tag::slice:
            return a.as.slice == b.as.slice;
        case Tag::range:
            return a.as.range == b.as.range;
        case Tag::function:
            return a.as.function == b.as.function;
        case Tag::bound_method:
            return a.as.method == b.as.method;
        case Tag::klass:
            return a.as.klass == b.as.klass;
        case Tag::instance:
            return a.as.instance == b.as.instance;
        case Tag::module:
            return a.as.module == b.as.module;
        case Tag::tensor_spec:
            return a.as.spec == b.as.spec;
        case Tag::loop_spec:
            return a.as.loop == b.as.loop;
        case Tag::view:
            return a.as.view->dict == b.as.view->dict && a.as.view->kind == b.as.view->kind;
    }
    return false;
}

bool Interpreter::same(const Content& a, const Content& b) {
    if (a.index() != b.index()) return false;
    if (const auto* x = std::get_if<NameContent>(&a)) {
        const auto& y = std::get<NameContent>(b);
        return x->bound == y.bound && (!x->bound || same(x->value, y.value));
    }
    const auto same_values = [&](const Value& p, const Value& q) { return same(p, q); };
    const auto same_pairs = [&](const auto& p, const auto& q) {
        return p.first == q.first && same(p.second, q.second);
    };
    if (const auto* x = std::get_if<List>(&a)) {
        const auto& y = std::get<List>(b);
        charge(x->items.size());
        return x->open == y.open && std::ranges::equal(x->items, y.items, same_values);
    }
    if (const auto* x = std::get_if<Dict>(&a)) {
        const auto& y = std::get<Dict>(b);
        charge(x->items.size());
        return x->open == y.open && std::ranges::equal(x->items, y.items, [&](const auto& p, const auto& q) {
                   return same(p.first, q.first) && same(p.second, q.second);
               });
    }
    if (const auto* x = std::get_if<Instance>(&a)) {
        const auto& y = std::get<Instance>(b);
        return x->open == y.open && std::ranges::equal(x->attributes, y.attributes, same_pairs);
    }
    if (const auto* x = std::get_if<std::shared_ptr<const Iterator>>(&a)) {
        return (*x)->same_position(*std::get<std::shared_ptr<const Iterator>>(b));
    }
    return std::get<TileState>(a) == std::get<TileState>(b);
}

}  // namespace ptofix::trace
