// Comparisons of values: order, equality, identity, membership.
#include <algorithm>

#include "trace/interpreter.h"
#include "trace/numbers.h"

namespace ptofix::trace {

Value Interpreter::compare(Kind op, const Value& a, const Value& b, NodeId node) {
    const Value result = relate(op, a, b, node);
    if (result.tag == Tag::boolean) {
        note_decided(a, node);
        note_decided(b, node);
    } else if (result.tag == Tag::unknown) {
        note_use(LoopUse::Kind::index_escapes, a, node);
        note_use(LoopUse::Kind::index_escapes, b, node);
    }
    return result;
}

Value Interpreter::relate(Kind op, const Value& x, const Value& y, NodeId node) {
    const Site site = here(node);
    if ((x.tag == Tag::instance || y.tag == Tag::instance) && op != Kind::is && op != Kind::is_not && op != Kind::in &&
        op != Kind::not_in) {
        if (auto v = call_special_operator(op, x, y, node)) return *v;
    }
    const bool identity = op == Kind::is || op == Kind::is_not;
    const Value a = identity ? x : plain(x);
    const Value b = identity ? y : plain(y);
    const auto decided = [&](std::optional<bool> r, bool negated) {
        return r ? Value::boolean(*r != negated).at(site) : unknown(UnknownReason::Why::joined, node);
    };
    switch (op) {
        case Kind::is:
        case Kind::is_not:
            return decided(identical(a, b), op == Kind::is_not);
        case Kind::in:
        case Kind::not_in: {
            const auto r = contains(b, a, node);
            if (!r) note_use(LoopUse::Kind::index_in_condition, a, node);
            return decided(r, op == Kind::not_in);
        }
        case Kind::equal:
        case Kind::not_equal: {
            const bool negated = op == Kind::not_equal;
            if (a.tag == Tag::tensor || b.tag == Tag::tensor) {
                if (a.tag == Tag::none || b.tag == Tag::none) return Value::boolean(negated).at(site);
                return operator_on_tensor(negated ? "ne" : "eq", a, b, node);
            }
            const auto eq = equal(a, b);
            if (!eq && (a.tag == Tag::symbol || b.tag == Tag::symbol)) {
                return Value::of(trace_.symbols.undecided(a.sym(), b.sym())).at(site);
            }
            return decided(eq, negated);
        }
        default:
            break;
    }
    if (a.tag == Tag::tensor || b.tag == Tag::tensor) return operator_on_tensor(tensor_operation(op), a, b, node);
    if (a.tag == Tag::symbol || b.tag == Tag::symbol) return relate_symbols(op, a, b, node);
    if (a.tag == Tag::set && b.tag == Tag::set) return decided(relate_sets(op, *a.as.list, *b.as.list), false);
    const auto o = order(a, b);
    if (!o) return unknown(UnknownReason::Why::joined, node);
    switch (op) {
        case Kind::less:
            return Value::boolean(*o < 0).at(site);
        case Kind::less_equal:
            return Value::boolean(*o <= 0).at(site);
        case Kind::greater:
            return Value::boolean(*o > 0).at(site);
        case Kind::greater_equal:
            return Value::boolean(*o >= 0).at(site);
        default:
            return unknown(UnknownReason::Why::unsupported, node);
    }
}

Value Interpreter::relate_symbols(Kind op, const Value& a, const Value& b, NodeId node) {
    const Site site = here(node);
    const SymInt x = a.sym();
    const SymInt y = b.sym();
    if (x.unknown() || y.unknown()) return unknown(UnknownReason::Why::joined, node);
    const Bounds d = trace_.symbols.bounds(trace_.symbols.subtract(x, y));
    const auto decide = [&](bool strict, bool less) -> std::optional<bool> {
        // less: x - y < 0 (strict) or <= 0
        const std::int64_t edge = strict ? -1 : 0;
        if (less) {
            if (d.high && *d.high <= edge) return true;
            if (d.low && *d.low > edge) return false;
        } else {
            if (d.low && *d.low >= -edge) return true;
            if (d.high && *d.high < -edge) return false;
        }
        return std::nullopt;
    };
    std::optional<bool> r;
    switch (op) {
        case Kind::less:
            r = decide(true, true);
            break;
        case Kind::less_equal:
            r = decide(false, true);
            break;
        case Kind::greater:
            r = decide(true, false);
            break;
        case Kind::greater_equal:
            r = decide(false, false);
            break;
        default:
            return unknown(UnknownReason::Why::unsupported, node);
    }
    if (r) return Value::boolean(*r).at(site);
    return Value::of(trace_.symbols.undecided(x, y)).at(site);
}

std::optional<int> Interpreter::order(const Value& a, const Value& b) {
    if (numbers::is_number(a) && numbers::is_number(b)) return numbers::compare(a, b);
    if (a.tag != b.tag) return std::nullopt;
    if (a.tag == Tag::string) {  // UTF-8 sorts as its code points do
        const int c = a.as.text->compare(*b.as.text);
        return c < 0 ? -1 : c > 0 ? 1 : 0;
    }
    if (a.tag != Tag::list && a.tag != Tag::tuple) return std::nullopt;
    const List& x = *a.as.list;
    const List& y = *b.as.list;
    if (x.open || y.open || !deeper()) return std::nullopt;
    std::optional<int> result = x.items.size() < y.items.size() ? -1 : x.items.size() > y.items.size() ? 1 : 0;
    const std::size_t shared = std::min(x.items.size(), y.items.size());
    charge(shared);
    for (std::size_t i = 0; i < shared; ++i) {
        const auto e = equal_item(x.items[i], y.items[i]);
        if (e == true) continue;
        result = e ? order(x.items[i], y.items[i]) : std::nullopt;
        break;
    }
    --depth_;
    return result;
}

std::optional<bool> Interpreter::relate_sets(Kind op, const List& a, const List& b) {
    const auto subset = [&](const List& x, const List& y) -> std::optional<bool> {
        bool all = true;
        for (const Value& member : x.items) {
            const Found f = find(y, member);
            if (f == Found::no) return false;
            all = all && f == Found::yes;
        }
        return all && !x.open ? std::optional(true) : std::nullopt;
    };
    const bool less = op == Kind::less || op == Kind::less_equal;
    const List& x = less ? a : b;
    const List& y = less ? b : a;
    const auto inside = subset(x, y);
    if (op == Kind::less_equal || op == Kind::greater_equal || inside != true) return inside;
    const auto back = subset(y, x);
    return back ? std::optional(!*back) : std::nullopt;
}

std::optional<bool> Interpreter::contains(const Value& container, const Value& item, NodeId node) {
    switch (container.tag) {
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
            return decided(find(*container.as.list, item));
        case Tag::dict:
            return decided(find(*container.as.dict, item).found);
        case Tag::string:
            if (item.tag != Tag::string) return std::nullopt;
            return container.as.text->find(*item.as.text) != std::string::npos;
        case Tag::range: {
            const Range& r = *container.as.range;
            if (!r.start.known() || !r.stop.known() || !r.step.known() || r.step.value == 0) return std::nullopt;
            if (!item.is_int()) return std::nullopt;
            const std::int64_t at = item.sym().value;
            if (r.step.value > 0 ? at < r.start.value || at >= r.stop.value
                                 : at > r.start.value || at <= r.stop.value) {
                return false;
            }
            const SymInt way = trace_.symbols.subtract(SymInt::of(at), r.start);
            const SymInt rest = trace_.symbols.mod(way, r.step);
            return rest.known() ? std::optional(rest.value == 0) : std::nullopt;
        }
        case Tag::view: {
            const View& view = *container.as.view;
            if (view.kind == View::Kind::keys) return decided(find(*view.dict, item).found);
            const auto items = iterate(container);
            if (!items) return std::nullopt;
            return decided(find(*make_list(Tag::tuple, *items, node).as.list, item));
        }
        case Tag::klass:
            if (const auto members = enum_members(*container.as.klass)) {
                return decided(find(*make_list(Tag::tuple, *members, node).as.list, item));
            }
            return std::nullopt;
        case Tag::instance:
            if (const auto v = call_special(container, "__contains__", {item}, node)) return truth(*v);
            if (const auto items = iterate(container))
                return decided(find(*make_list(Tag::tuple, *items, node).as.list, item));
            return std::nullopt;
        case Tag::iterator: {
            // It is read until the item comes.
            while (true) {
                const Step step = advance(*container.as.iterator, node);
                if (step.kind == Step::Kind::done) return false;
                const auto e = step.kind == Step::Kind::item ? equal_item(step.value, item) : std::nullopt;
                if (e == true) return true;
                if (!e) {
                    lose_track(*container.as.iterator, node);
                    return std::nullopt;
                }
            }
        }
        default:
            return std::nullopt;
    }
}

}  // namespace ptofix::trace
