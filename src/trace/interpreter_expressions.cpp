// Expressions: which kind is evaluated how, and operators as they are written.

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::eval(NodeId node) {
    if (out_of_budget()) return unknown(UnknownReason::Why::budget, node);
    if (depth_ >= kMaxDepth) return unknown(UnknownReason::Why::budget, node, "nesting");
    ++depth_;
    Value v = eval_known_kind(node);
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
            return eval_boolean(node);
        case Kind::comparison_operator:
            return eval_comparison(node);
        case Kind::conditional_expression:
            return eval_conditional(node);
        case Kind::named_expression: {
            const Value v = eval(tree_->child(node, Field::value));
            bind_name(text(tree_->child(node, Field::name)), v);
            return v;
        }
        case Kind::lambda:
            return eval_lambda(node);
        case Kind::list_comprehension:
            return eval_comprehension(node, Tag::list);
        case Kind::generator_expression:
            return eval_comprehension(node, Tag::list);
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
    const Value v = eval(argument);
    if (kind(node) == Kind::not_operator) {
        const auto t = truth(v);
        if (!t) note_use(LoopUse::Kind::index_in_condition, v, node);
        if (t) note_decided(v, node);
        if (t) return Value::boolean(!*t).at(here(node));
        Value out = unknown(UnknownReason::Why::joined, node);
        if (v.tag == Tag::symbol) out = v;  // a device condition stays one
        return out;
    }
    const NodeId op = tree_->child(node, Field::operator_);
    const Kind k = op == kNoNode ? Kind::other : kind(op);
    if (v.tag == Tag::tensor && k == Kind::minus && (kernel_ != kNone || host_type(&v) != nullptr))
        return operator_on_tensor("neg", v, Value::none(), node);
    if (v.tag == Tag::real && k == Kind::minus) return Value::real(-v.as.f).at(here(node));
    if (v.tag == Tag::real && k == Kind::plus) return v;
    const SymInt s = v.sym();
    if (s.unknown()) return unknown(UnknownReason::Why::joined, node);
    if (k == Kind::minus) return Value::of(trace_.symbols.negate(s)).at(here(node));
    if (k == Kind::plus) return Value::of(s).at(here(node));
    if (k == Kind::tilde && s.known()) return Value::integer(~s.value).at(here(node));
    note_use(LoopUse::Kind::index_escapes, v, node);
    return unknown(UnknownReason::Why::unsupported, node);
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
        v = binary(kind(op), v, eval(right), *it);
        if (out_of_budget()) return {};
    }
    return v;
}

Value Interpreter::eval_boolean(NodeId node) {
    // `a and b and c` leans left as well.
    std::vector<NodeId> spine;
    NodeId at = node;
    while (at != kNoNode && kind(at) == Kind::boolean_operator) {
        spine.push_back(at);
        at = tree_->child(at, Field::left);
    }
    if (at == kNoNode) return {};
    Value v = eval(at);
    for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
        const NodeId right = tree_->child(*it, Field::right);
        const NodeId op = tree_->child(*it, Field::operator_);
        if (right == kNoNode || op == kNoNode) return {};
        const bool is_and = kind(op) == Kind::and_;
        const auto t = truth(v);
        if (t) {
            note_decided(v, *it);
            if (*t == is_and) v = eval(right);
            continue;
        }
        note_use(LoopUse::Kind::index_in_condition, v, *it);
        const Value other = eval(right);
        const auto o = truth(other);
        if (o && *o != is_and) {
            v = Value::boolean(!is_and).at(here(*it));  // x and False, x or True: decided for our purposes
        } else if (v.tag != Tag::symbol) {
            v = other.tag == Tag::symbol ? other : unknown(UnknownReason::Why::joined, *it);
        }
    }
    return v;
}

Value Interpreter::eval_comparison(NodeId node) {
    Value left;
    Kind op = Kind::other;
    bool first = true;
    bool all_known = true;
    Value symbolic;
    for (NodeId c : tree_->children(node)) {
        if ((*tree_)[c].field == Field::operators) {
            op = kind(c);
            continue;
        }
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        const Value right = eval(c);
        if (!first) {
            const Value r = compare(op, left, right, node);
            if (r.tag == Tag::tensor) return r;
            if (r.tag == Tag::boolean) {
                if (!r.as.b) return r;
            } else {
                all_known = false;
                if (r.tag == Tag::symbol) symbolic = r;
            }
        }
        left = right;
        first = false;
    }
    if (all_known) return Value::boolean(true).at(here(node));
    return symbolic.tag == Tag::symbol ? symbolic : unknown(UnknownReason::Why::joined, node);
}

Value Interpreter::eval_conditional(NodeId node) {
    const NodeId then = tree_->named_child(node, 0);
    const NodeId condition = tree_->named_child(node, 1);
    const NodeId otherwise = tree_->named_child(node, 2);
    if (otherwise == kNoNode) return {};
    const Value c = eval(condition);
    const auto t = truth(c);
    if (t) note_decided(c, node);
    if (t) return eval(*t ? then : otherwise);
    note_use(LoopUse::Kind::index_in_condition, c, node);
    const Value a = eval(then);
    const Value b = eval(otherwise);
    return join(a, b, node);
}

Value Interpreter::eval_lambda(NodeId node) {
    Value v = Value::with(Tag::function);
    Function* f = heap_.make<Function>();
    f->name = "<lambda>";
    f->site = here(node);
    f->closure = scope_;
    f->is_lambda = true;
    f->birth = ++sequence_;
    f->body = tree_->child(node, Field::body);
    if (const NodeId p = tree_->child(node, Field::parameters); p != kNoNode) f->parameters = read_parameters(p, false);
    v.as.function = f;
    return v.at(here(node));
}

}  // namespace ptofix::trace
