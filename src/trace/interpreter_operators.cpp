// Operators on values: arithmetic, and what Python's containers make of + - * | &.
#include <algorithm>

#include "trace/interpreter.h"
#include "trace/numbers.h"
#include "trace/some_number.h"

namespace ptofix::trace {

std::string_view Interpreter::tensor_operation(Kind op) {
    switch (op) {
        case Kind::plus:
            return "add";
        case Kind::minus:
            return "sub";
        case Kind::star:
            return "mul";
        case Kind::slash:
            return "div";
        case Kind::floor_slash:
            return "floor_div";
        case Kind::percent:
            return "remainder";
        case Kind::power:
            return "pow";
        case Kind::at:
            return "matmul";
        case Kind::ampersand:
            return "bitwise_and";
        case Kind::bar:
            return "bitwise_or";
        case Kind::caret:
            return "bitwise_xor";
        case Kind::shift_left:
            return "bitwise_left_shift";
        case Kind::shift_right:
            return "bitwise_right_shift";
        case Kind::equal:
            return "eq";
        case Kind::not_equal:
            return "ne";
        case Kind::less:
            return "lt";
        case Kind::less_equal:
            return "le";
        case Kind::greater:
            return "gt";
        case Kind::greater_equal:
            return "ge";
        default:
            return {};
    }
}

Value Interpreter::binary(Kind op, Value a, Value b, NodeId node) {
    if (a.tag == Tag::tensor || b.tag == Tag::tensor) {
        const std::string_view operation = tensor_operation(op);
        if (operation.empty()) return unknown(UnknownReason::Why::unsupported, node);
        return operator_on_tensor(operation, a, b, node);
    }
    if ((op == Kind::floor_slash || op == Kind::percent) && (a.tag == Tag::symbol || b.tag == Tag::symbol)) {
        const Bounds dividend = trace_.symbols.bounds(a.sym());
        const Bounds divisor = trace_.symbols.bounds(b.sym());
        const bool natural = dividend.low && *dividend.low >= 0 && divisor.low && *divisor.low > 0;
        for (const Value& v : {a, b}) {
            if (!natural) note_use(LoopUse::Kind::index_divided, v, node);
        }
    }
    if (a.tag == Tag::instance || b.tag == Tag::instance) {
        if (auto v = call_special_operator(op, a, b, node)) return *v;
        a = plain(a);
        b = plain(b);
    }
    Value result = combine(op, a, b, node);
    if (result.tag == Tag::unknown && is_numeric(a) && is_numeric(b)) result = as_some_number(result);
    if (result.tag == Tag::unknown) {  // 0.5 * h, h / 2: a number that only Python can make
        note_use(LoopUse::Kind::index_escapes, a, node);
        note_use(LoopUse::Kind::index_escapes, b, node);
    }
    return result;
}

Value Interpreter::combine(Kind op, const Value& a, const Value& b, NodeId node) {
    const SymInt x = a.sym();
    const SymInt y = b.sym();
    if (!x.unknown() && !y.unknown()) return combine_integers(op, a, b, node);
    if (numbers::is_number(a) && numbers::is_number(b)) {
        const auto r = numbers::arithmetic(op, a, b);
        return r ? Value::real(*r).at(here(node)) : unknown(UnknownReason::Why::unsupported, node);
    }
    return combine_containers(op, a, b, node);
}

Value Interpreter::combine_integers(Kind op, const Value& a, const Value& b, NodeId node) {
    const Site site = here(node);
    const SymInt x = a.sym();
    const SymInt y = b.sym();
    Symbols& s = trace_.symbols;
    switch (op) {
        case Kind::plus:
            return Value::of(s.add(x, y)).at(site);
        case Kind::minus:
            return Value::of(s.subtract(x, y)).at(site);
        case Kind::star:
            return Value::of(s.multiply(x, y)).at(site);
        case Kind::floor_slash:
            return Value::of(s.floor_div(x, y)).at(site);
        case Kind::percent:
            return Value::of(s.mod(x, y)).at(site);
        default:
            break;
    }
    // 1 << k times as much, or a 1 << k-th of it, rounded down.
    const bool shifts = y.known() && y.value >= 0 && y.value < 62;
    const auto power = [&] { return SymInt::of(std::int64_t{1} << y.value); };
    if (!x.known() && shifts && (op == Kind::shift_left || op == Kind::shift_right)) {
        note_use(LoopUse::Kind::index_escapes, a, node);  // a device loop's index has no such operator
    }
    if (op == Kind::shift_left && shifts) return Value::of(s.multiply(x, power())).at(site);
    if (op == Kind::shift_right && shifts && !x.known()) return Value::of(s.floor_div(x, power())).at(site);
    if (!x.known() || !y.known()) return unknown(UnknownReason::Why::unsupported, node);
    const std::int64_t p = x.value;
    const std::int64_t q = y.value;
    // True & False is True or False, not a number.
    const bool logical = a.tag == Tag::boolean && b.tag == Tag::boolean;
    const auto bits = [&](std::int64_t r) { return (logical ? Value::boolean(r != 0) : Value::integer(r)).at(site); };
    switch (op) {
        case Kind::slash:
            if (const auto r = numbers::arithmetic(op, a, b)) return Value::real(*r).at(site);
            break;
        case Kind::power: {
            if (q < 0) {
                if (const auto r = numbers::arithmetic(op, a, b)) return Value::real(*r).at(site);
                break;
            }
            if (p >= -1 && p <= 1) return Value::integer(p == -1 ? (q % 2 == 0 ? 1 : -1) : q == 0 ? 1 : p).at(site);
            if (q >= 64) break;  // beyond 64 bits
            SymInt r = SymInt::of(1);
            for (std::int64_t i = 0; i < q; ++i) r = s.multiply(r, x);
            return Value::of(r).at(site);
        }
        case Kind::ampersand:
            return bits(p & q);
        case Kind::bar:
            return bits(p | q);
        case Kind::caret:
            return bits(p ^ q);
        case Kind::shift_left:
            if (q < 0) break;
            if (p == 0) return Value::integer(0).at(site);
            if (q < 63) return Value::of(s.multiply(x, SymInt::of(std::int64_t{1} << q))).at(site);
            break;
        case Kind::shift_right:
            if (q >= 0) return Value::integer(p >> std::min<std::int64_t>(q, 63)).at(site);
            break;
        default:
            break;
    }
    return unknown(UnknownReason::Why::unsupported, node);
}

Value Interpreter::combine_containers(Kind op, const Value& a, const Value& b, NodeId node) {
    const Site site = here(node);
    if (op == Kind::plus && a.tag == Tag::string && b.tag == Tag::string) {
        return made_string(*a.as.text + *b.as.text, node);
    }
    if (op == Kind::percent && a.tag == Tag::string) {
        note_use(LoopUse::Kind::index_in_text, b, node);
        return unknown(UnknownReason::Why::unsupported, node);
    }
    if (op == Kind::plus && a.tag == b.tag && (a.tag == Tag::list || a.tag == Tag::tuple)) {
        Value v = make_list(a.tag, {}, node);
        extend(*v.as.list, a);
        extend(*v.as.list, b);
        return v;
    }
    if (op == Kind::star && (a.is_int() || b.is_int())) {
        const Value& what = a.is_int() ? b : a;
        const std::int64_t times = std::max<std::int64_t>(0, (a.is_int() ? a : b).sym().value);
        if (what.tag == Tag::string) return repeat_string(*what.as.text, times, node);
        if (what.tag != Tag::list && what.tag != Tag::tuple) return unknown(UnknownReason::Why::joined, node);
        Value v = make_list(what.tag, {}, node);
        repeat(*v.as.list, *what.as.list, times);
        return v;
    }
    if (op == Kind::star && (a.tag == Tag::list || a.tag == Tag::tuple || b.tag == Tag::list || b.tag == Tag::tuple)) {
        // As often as only run time knows.
        const Value& what = a.tag == Tag::list || a.tag == Tag::tuple ? a : b;
        Value v = make_list(what.tag, {}, node);
        v.as.list->open = !what.as.list->items.empty() || what.as.list->open;
        return v;
    }
    if (a.tag == Tag::set && b.tag == Tag::set) {
        if (auto v = combine_sets(op, a, b, node)) return *v;
    }
    if (op == Kind::bar && a.tag == Tag::dict && b.tag == Tag::dict) {
        Value v = copy(a, 1);
        put_all(*v.as.dict, b, node);
        return v.at(site);
    }
    return unknown(UnknownReason::Why::joined, node);
}

std::optional<Value> Interpreter::combine_sets(Kind op, const Value& a, const Value& b, NodeId node) {
    const List& x = *a.as.list;
    const List& y = *b.as.list;
    Value v = make_list(Tag::set, {}, node);
    List& out = *v.as.list;
    if (op == Kind::bar) {
        add_all(out, a);
        add_all(out, b);
        return v;
    }
    if (op != Kind::minus && op != Kind::ampersand && op != Kind::caret) return std::nullopt;
    // A member of one that may or may not be in the other leaves the result open.
    const auto take = [&](const List& from, const List& other, bool when_in) {
        for (const Value& member : from.items) {
            const Found found = find(other, member);
            if (found == Found::maybe) out.open = true;
            if (found == (when_in ? Found::yes : Found::no)) add(out, member);
        }
    };
    take(x, y, op == Kind::ampersand);
    if (op == Kind::caret) take(y, x, false);
    out.open = out.open || x.open || (op != Kind::minus && y.open);
    return v;
}

}  // namespace ptofix::trace
