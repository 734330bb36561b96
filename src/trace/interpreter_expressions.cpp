// Expressions: which kind is evaluated how, and operators as they are written.

#include "trace/interpreter.h"
#include "trace/some_number.h"

namespace ptofix::trace {

Value Interpreter::eval(NodeId node) {
    if (raising_) return {};
    if (out_of_budget()) return unknown(UnknownReason::Why::budget, node);
    if (!deeper()) {
        // What is nested too deeply is not evaluated; what it may do is.
        forget_skipped(node);
        return unknown(UnknownReason::Why::budget, node, "nesting");
    }
    Value v = eval_known_kind(node);
    --depth_;
    return v;
}

Value Interpreter::eval_test(NodeId node) {
    // Only whether it is true is asked for: `x and False` is not, whatever x is.
    while (kind(node) == Kind::parenthesized_expression) {
        const NodeId inner = tree_->named_child(node, 0);
        if (inner == kNoNode) break;
        node = inner;
    }
    if (kind(node) != Kind::boolean_operator) return eval(node);
    if (raising_ || out_of_budget() || !deeper()) return {};
    const Value v = eval_boolean(node, true);
    --depth_;
    return v;
}

Value Interpreter::eval_known_kind(NodeId node) {
    switch (kind(node)) {
        case Kind::identifier:
            return load(text(node), node);
        case Kind::integer:
        case Kind::float_:
            return eval_number(node);
        case Kind::true_:
            return Value::boolean(true).at(here(node));
        case Kind::false_:
            return Value::boolean(false).at(here(node));
        case Kind::none:
            return Value::none().at(here(node));
        case Kind::ellipsis:
            return Value::with(Tag::ellipsis).at(here(node));
        case Kind::string:
        case Kind::concatenated_string:
            return eval_string(node);
        case Kind::list:
            return eval_sequence(node, Tag::list);
        case Kind::tuple:
        case Kind::expression_list:
        case Kind::pattern_list:
            return eval_sequence(node, Tag::tuple);
        case Kind::set:
            return eval_sequence(node, Tag::set);
        case Kind::dictionary:
            return eval_dict(node);
        case Kind::parenthesized_expression:
        case Kind::type:
        case Kind::await:
        case Kind::list_splat:
        case Kind::parenthesized_list_splat:
        case Kind::interpolation: {
            const NodeId inner = tree_->named_child(node, 0);
            return inner == kNoNode ? Value{} : eval(inner);
        }
        case Kind::unary_operator:
        case Kind::not_operator:
            return eval_unary(node);
        case Kind::binary_operator:
            return eval_binary_chain(node);
        case Kind::boolean_operator:
            return eval_boolean(node, false);
        case Kind::comparison_operator:
            return eval_comparison(node);
        case Kind::conditional_expression:
            return eval_conditional(node);
        case Kind::named_expression: {
            const Value v = eval(tree_->child(node, Field::value));
            if (!raising_) bind_around_comprehension(text(tree_->child(node, Field::name)), v);
            return v;
        }
        case Kind::lambda:
            return eval_lambda(node);
        case Kind::list_comprehension:
            return eval_comprehension(node, Tag::list);
        case Kind::generator_expression:
            return eval_generator_expression(node);
        case Kind::set_comprehension:
            return eval_comprehension(node, Tag::set);
        case Kind::dictionary_comprehension:
            return eval_comprehension(node, Tag::dict);
        case Kind::attribute:
            return eval_attribute(node);
        case Kind::subscript:
            return eval_subscript(node);
        case Kind::slice:
            return eval_slice(node);
        case Kind::call:
            return eval_call(node);
        case Kind::yield:
            if (!frames_.empty()) frames_.back().yields = true;
            return unknown(UnknownReason::Why::unsupported, node, "yield");
        default:
            return unknown(UnknownReason::Why::unsupported, node);
    }
}

Value Interpreter::eval_unary(NodeId node) {
    const NodeId argument = tree_->child(node, Field::argument);
    if (argument == kNoNode) return {};
    if (kind(node) == Kind::not_operator) {
        const Value v = eval_test(argument);
        if (raising_) return {};
        const auto t = truth_of(v, node);
        if (!t) note_use(LoopUse::Kind::index_in_condition, v, node);
        if (t) note_decided(v, node);
        if (t) return Value::boolean(!*t).at(here(node));
        if (v.tag == Tag::symbol) {  // a device condition stays one
            return Value::of(trace_.symbols.undecided(v.sym(), v.sym())).at(here(node));
        }
        return unknown(UnknownReason::Why::joined, node);
    }
    const Value v = plain(eval(argument));
    if (raising_) return {};
    const NodeId op = tree_->child(node, Field::operator_);
    const Kind k = op == kNoNode ? Kind::other : kind(op);
    if (v.tag == Tag::tensor && k == Kind::minus && (kernel_ != kNone || host_type(&v) != nullptr)) {
        return operator_on_tensor("neg", v, Value::none(), node);
    }
    if (k == Kind::minus && (v.tag == Tag::real || !v.sym().unknown())) return negated(v, node);
    if (k == Kind::plus && v.tag == Tag::real) return v;
    if (k == Kind::plus && !v.sym().unknown()) return Value::of(v.sym()).at(here(node));
    if (k == Kind::tilde && v.sym().known()) return Value::integer(~v.sym().value).at(here(node));
    if (v.tag == Tag::instance) {
        const std::string_view name = k == Kind::minus ? "__neg__" : k == Kind::plus ? "__pos__" : "__invert__";
        if (auto r = call_special(v, name, {}, node)) return *r;
    }
    note_use(LoopUse::Kind::index_escapes, v, node);
    if (is_numeric(v)) return as_some_number(unknown(UnknownReason::Why::unsupported, node));
    lose(v);
    return unknown(UnknownReason::Why::unsupported, node);
}

Value Interpreter::negated(const Value& v, NodeId node) {
    if (v.tag == Tag::real) return Value::real(-v.as.f).at(here(node));
    return Value::of(trace_.symbols.negate(v.sym())).at(here(node));
}

Value Interpreter::eval_binary_chain(NodeId node) {
    // a + b + c + ... leans left; walk down the left spine with a loop.
    std::vector<NodeId> spine;
    NodeId at = node;
    while (at != kNoNode && kind(at) == Kind::binary_operator) {
        spine.push_back(at);
        at = tree_->child(at, Field::left);
    }
    if (at == kNoNode) return {};
    Value v = eval(at);
    for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
        const NodeId right = tree_->child(*it, Field::right);
        const NodeId op = tree_->child(*it, Field::operator_);
        if (right == kNoNode || op == kNoNode) return {};
        const Value operand = eval(right);
        if (raising_) return {};
        v = binary(kind(op), v, operand, *it);
        if (raising_ || out_of_budget()) return {};
    }
    return v;
}

namespace {

/// What a comparison that run time decides gives: 0 or 1.
bool is_condition(const Symbols& symbols, const Value& v) {
    if (v.tag == Tag::boolean) return true;
    if (v.tag != Tag::symbol) return false;
    const Bounds b = symbols.bounds(v.sym());
    return b.low && b.high && *b.low >= 0 && *b.high <= 1;
}

}  // namespace

Value Interpreter::eval_boolean(NodeId node, bool truth_only) {
    // `a and b and c` leans left as well.
    std::vector<NodeId> spine;
    NodeId at = node;
    while (at != kNoNode && kind(at) == Kind::boolean_operator) {
        spine.push_back(at);
        at = tree_->child(at, Field::left);
    }
    if (at == kNoNode) return {};
    const auto evaluate = [&](NodeId n, bool maybe) {
        if (maybe) return eval_maybe(n);
        return truth_only ? eval_test(n) : eval(n);
    };
    Value v = evaluate(at, false);
    bool sure = true;  // the operands so far are evaluated in any case
    for (auto it = spine.rbegin(); it != spine.rend() && !raising_; ++it) {
        const NodeId right = tree_->child(*it, Field::right);
        const NodeId op = tree_->child(*it, Field::operator_);
        if (right == kNoNode || op == kNoNode) return {};
        const bool is_and = kind(op) == Kind::and_;
        const auto t = truth_of(v, *it);
        if (raising_) break;
        if (t) {
            note_decided(v, *it);
            if (*t == is_and) v = evaluate(right, !sure);
            continue;
        }
        note_use(LoopUse::Kind::index_in_condition, v, *it);
        const Value other = evaluate(right, true);
        const auto o = truth_of(other, *it);
        sure = false;
        if (truth_only && o && *o != is_and) {
            v = Value::boolean(!is_and).at(here(*it));  // x and False, x or True
        } else if (is_condition(trace_.symbols, v) && is_condition(trace_.symbols, other)) {
            v = Value::of(trace_.symbols.undecided(v.sym(), other.sym())).at(here(*it));
        } else if (truth_only && (v.tag == Tag::symbol || other.tag == Tag::symbol)) {
            const Value& symbol = v.tag == Tag::symbol ? v : other;
            v = Value::of(trace_.symbols.undecided(symbol.sym(), symbol.sym())).at(here(*it));
        } else {
            v = join(v, other, *it);
        }
    }
    return raising_ ? Value{} : v;
}

Value Interpreter::eval_comparison(NodeId node) {
    Value left;
    Kind op = Kind::other;
    bool first = true;
    bool all_known = true;
    int undecided = 0;
    Value symbolic;
    for (NodeId c : tree_->children(node)) {
        if ((*tree_)[c].field == Field::operators) {
            op = kind(c);
            continue;
        }
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        const Value right = all_known ? eval(c) : eval_maybe(c);
        if (raising_) return {};
        if (!first) {
            const Value r = compare(op, left, right, node);
            if (raising_) return {};
            if (r.tag == Tag::tensor) return r;
            const auto t = r.tag == Tag::instance ? std::nullopt : truth(r);
            if (t) {
                if (!*t) return all_known ? r : unknown(UnknownReason::Why::joined, node);
            } else {
                all_known = false;
                ++undecided;
                if (r.tag == Tag::symbol) symbolic = r;
            }
        }
        left = right;
        first = false;
    }
    if (all_known) return Value::boolean(true).at(here(node));
    if (symbolic.tag != Tag::symbol) return unknown(UnknownReason::Why::joined, node);
    if (undecided == 1) return symbolic;
    return Value::of(trace_.symbols.undecided(symbolic.sym(), symbolic.sym())).at(here(node));
}

Value Interpreter::eval_conditional(NodeId node) {
    const NodeId then = tree_->named_child(node, 0);
    const NodeId condition = tree_->named_child(node, 1);
    const NodeId otherwise = tree_->named_child(node, 2);
    if (otherwise == kNoNode) return {};
    const Value c = eval_test(condition);
    if (raising_) return {};
    const auto t = truth_of(c, condition);
    if (t) note_decided(c, node);
    if (t) return eval(*t ? then : otherwise);
    note_use(LoopUse::Kind::index_in_condition, c, node);
    const Value a = eval_maybe(then);
    const Value b = eval_maybe(otherwise);
    return join(a, b, node);
}

Value Interpreter::eval_lambda(NodeId node) {
    Value v = Value::with(Tag::function);
    Function* f = heap_.make<Function>();
    f->name = "<lambda>";
    f->site = here(node);
    f->closure = scope_;
    keep_scopes();
    f->is_lambda = true;
    f->birth = ++sequence_;
    f->body = tree_->child(node, Field::body);
    if (const NodeId p = tree_->child(node, Field::parameters); p != kNoNode) f->parameters = read_parameters(p, false);
    v.as.function = f;
    return v.at(here(node));
}

}  // namespace ptofix::trace
