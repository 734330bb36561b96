// Operators on values: arithmetic, comparison, membership.
#include <algorithm>
#include <cmath>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// The operation a Python operator stands for on tensors; empty when there is none.
std::string_view tensor_operation(Kind op) {
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

double as_real(const Value& v) {
    return v.tag == Tag::real ? v.as.f : static_cast<double>(v.sym().value);
}
bool is_number(const Value& v) {
    return v.tag == Tag::real || v.is_int();
}

}  // namespace

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
    const Value result = combine(op, a, b, node);
    if (result.tag == Tag::unknown) {  // 0.5 * h, h / 2: a number that only Python can make
        note_use(LoopUse::Kind::index_escapes, a, node);
        note_use(LoopUse::Kind::index_escapes, b, node);
    }
    return result;
}

Value Interpreter::combine(Kind op, const Value& a, const Value& b, NodeId node) {
    const Site site = here(node);
    const SymInt x = a.sym();
    const SymInt y = b.sym();
    if (!x.unknown() && !y.unknown()) {
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
            case Kind::slash:
                if (x.known() && y.known() && y.value != 0) {
                    return Value::real(static_cast<double>(x.value) / static_cast<double>(y.value)).at(site);
                }
                return unknown(UnknownReason::Why::unsupported, node);
            case Kind::power:
                if (x.known() && y.known() && y.value >= 0 && y.value < 64) {
                    SymInt r = SymInt::of(1);
                    for (std::int64_t i = 0; i < y.value; ++i) r = s.multiply(r, x);
                    return Value::of(r).at(site);
                }
                if (x.known() && y.known()) {
                    return Value::real(std::pow(static_cast<double>(x.value), static_cast<double>(y.value))).at(site);
                }
                return unknown(UnknownReason::Why::unsupported, node);
            default:
                break;
        }
        if (x.known() && y.known()) {
            const auto p = static_cast<std::uint64_t>(x.value);
            switch (op) {
                case Kind::ampersand:
                    return Value::integer(x.value & y.value).at(site);
                case Kind::bar:
                    return Value::integer(x.value | y.value).at(site);
                case Kind::caret:
                    return Value::integer(x.value ^ y.value).at(site);
                case Kind::shift_left:
                    if (y.value >= 0 && y.value < 62 && x.value >= 0 && (p >> (62 - y.value)) == 0) {
                        return Value::integer(static_cast<std::int64_t>(p << y.value)).at(site);
                    }
                    break;
                case Kind::shift_right:
                    if (y.value >= 0 && y.value < 63) return Value::integer(x.value >> y.value).at(site);
                    break;
                default:
                    break;
            }
        }
        return unknown(UnknownReason::Why::unsupported, node);
    }
    if (is_number(a) && is_number(b)) {
        const double p = as_real(a);
        const double q = as_real(b);
        switch (op) {
            case Kind::plus:
                return Value::real(p + q).at(site);
            case Kind::minus:
                return Value::real(p - q).at(site);
            case Kind::star:
                return Value::real(p * q).at(site);
            case Kind::slash:
                return q == 0 ? Value{} : Value::real(p / q).at(site);
            case Kind::floor_slash:
                return q == 0 ? Value{} : Value::real(std::floor(p / q)).at(site);
            case Kind::power:
                return Value::real(std::pow(p, q)).at(site);
            default:
                return unknown(UnknownReason::Why::unsupported, node);
        }
    }
    if (op == Kind::plus && a.tag == Tag::string && b.tag == Tag::string)
        return string_value(*a.as.text + *b.as.text, node);
    if (op == Kind::percent && a.tag == Tag::string) {
        note_use(LoopUse::Kind::index_in_text, b, node);
        return unknown(UnknownReason::Why::unsupported, node);
    }
    if (op == Kind::plus && a.is_sequence() && a.tag == b.tag) {
        std::vector<Value> items = a.as.list->items;
        items.insert(items.end(), b.as.list->items.begin(), b.as.list->items.end());
        Value v = make_list(a.tag, std::move(items), node);
        v.as.list->open = a.as.list->open || b.as.list->open;
        if (a.as.list->open) v.as.list->items.clear();
        return v;
    }
    if (op == Kind::star &&
        ((a.is_sequence() && b.tag == Tag::integer) || (b.is_sequence() && a.tag == Tag::integer))) {
        const Value& seq = a.is_sequence() ? a : b;
        const std::int64_t times = a.is_sequence() ? b.as.i : a.as.i;
        const List& list = *seq.as.list;
        if (list.open || times < 0 || times * static_cast<std::int64_t>(list.items.size()) > 4096) {
            Value v = make_list(seq.tag, {}, node);
            v.as.list->open = true;
            return v;
        }
        std::vector<Value> items;
        for (std::int64_t i = 0; i < times; ++i) items.insert(items.end(), list.items.begin(), list.items.end());
        return make_list(seq.tag, std::move(items), node);
    }
    if ((op == Kind::bar || op == Kind::minus || op == Kind::ampersand) && a.tag == Tag::set && b.tag == Tag::set &&
        !a.as.list->open && !b.as.list->open) {
        const auto has = [&](const List& l, const Value& v) {
            return std::ranges::any_of(l.items, [&](const Value& o) { return equal(o, v) == true; });
        };
        std::vector<Value> items;
        for (const Value& v : a.as.list->items) {
            const bool in_b = has(*b.as.list, v);
            if (op == Kind::bar || in_b == (op == Kind::ampersand)) items.push_back(v);
        }
        if (op == Kind::bar) {
            for (const Value& v : b.as.list->items) {
                if (!has(*a.as.list, v)) items.push_back(v);
            }
        }
        return make_list(Tag::set, std::move(items), node);
    }
    if (op == Kind::bar && a.tag == Tag::dict && b.tag == Tag::dict) {
        Value v = copy(a, 1);
        for (const auto& [k, item] : b.as.dict->items) {
            auto it = std::ranges::find_if(v.as.dict->items, [&](const auto& p) { return equal(p.first, k) == true; });
            if (it == v.as.dict->items.end()) {
                v.as.dict->items.emplace_back(k, item);
            } else {
                it->second = item;
            }
        }
        v.as.dict->open = a.as.dict->open || b.as.dict->open;
        return v.at(site);
    }
    return unknown(UnknownReason::Why::joined, node);
}

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

Value Interpreter::relate(Kind op, const Value& a, const Value& b, NodeId node) {
    const Site site = here(node);
    if (op == Kind::is || op == Kind::is_not || op == Kind::equal || op == Kind::not_equal) {
        const bool negated = op == Kind::is_not || op == Kind::not_equal;
        const bool identity = op == Kind::is || op == Kind::is_not;
        if ((a.tag == Tag::tensor || b.tag == Tag::tensor) && !identity) {
            if (a.tag == Tag::none || b.tag == Tag::none) return Value::boolean(negated).at(site);
            return operator_on_tensor(negated ? "ne" : "eq", a, b, node);
        }
        const auto eq = equal(a, b);
        if (eq) return Value::boolean(*eq != negated).at(site);
        if (a.tag == Tag::symbol || b.tag == Tag::symbol) {
            return Value::of(trace_.symbols.undecided(a.sym(), b.sym())).at(site);
        }
        return unknown(UnknownReason::Why::joined, node);
    }
    if (op == Kind::in || op == Kind::not_in) {
        const bool negated = op == Kind::not_in;
        bool undecided = false;
        const auto look = [&](const Value& item) {
            const auto e = equal(item, a);
            if (!e) undecided = true;
            return e == true;
        };
        if (b.is_sequence()) {
            if (std::ranges::any_of(b.as.list->items, look)) return Value::boolean(!negated).at(site);
            if (!undecided && !b.as.list->open) return Value::boolean(negated).at(site);
        } else if (b.tag == Tag::dict) {
            for (const auto& [k, v] : b.as.dict->items) {
                if (look(k)) return Value::boolean(!negated).at(site);
            }
            if (!undecided && !b.as.dict->open) return Value::boolean(negated).at(site);
        } else if (b.tag == Tag::string && a.tag == Tag::string) {
            return Value::boolean((b.as.text->find(*a.as.text) != std::string::npos) != negated).at(site);
        } else if (b.tag == Tag::range && b.as.range->start.known() && b.as.range->stop.known() &&
                   a.tag == Tag::integer && b.as.range->step.is(1)) {
            const bool inside = a.as.i >= b.as.range->start.value && a.as.i < b.as.range->stop.value;
            return Value::boolean(inside != negated).at(site);
        }
        note_use(LoopUse::Kind::index_in_condition, a, node);
        return unknown(UnknownReason::Why::joined, node);
    }
    if (a.tag == Tag::tensor || b.tag == Tag::tensor) return operator_on_tensor(tensor_operation(op), a, b, node);
    if (is_number(a) && is_number(b) && (a.tag == Tag::real || b.tag == Tag::real)) {
        const double p = as_real(a);
        const double q = as_real(b);
        switch (op) {
            case Kind::less:
                return Value::boolean(p < q).at(site);
            case Kind::less_equal:
                return Value::boolean(p <= q).at(site);
            case Kind::greater:
                return Value::boolean(p > q).at(site);
            case Kind::greater_equal:
                return Value::boolean(p >= q).at(site);
            default:
                return unknown(UnknownReason::Why::unsupported, node);
        }
    }
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

}  // namespace ptofix::trace
