// Expressions: literals, operators, names, attributes, subscripts, comprehensions.
#include <algorithm>
#include <charconv>
#include <cmath>

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
        case Kind::identifier: return load(text(node), node);
        case Kind::integer:
        case Kind::float_: return eval_number(node);
        case Kind::true_: return Value::boolean(true).at(here(node));
        case Kind::false_: return Value::boolean(false).at(here(node));
        case Kind::none: return Value::none().at(here(node));
        case Kind::ellipsis: return Value::with(Tag::ellipsis).at(here(node));
        case Kind::string:
        case Kind::concatenated_string: return eval_string(node);
        case Kind::list: return eval_sequence(node, Tag::list);
        case Kind::tuple:
        case Kind::expression_list:
        case Kind::pattern_list: return eval_sequence(node, Tag::tuple);
        case Kind::set: return eval_sequence(node, Tag::set);
        case Kind::dictionary: return eval_dict(node);
        case Kind::parenthesized_expression:
        case Kind::type:
        case Kind::await:
        case Kind::list_splat:
        case Kind::interpolation: {
            const NodeId inner = tree_->named_child(node, 0);
            return inner == kNoNode ? Value{} : eval(inner);
        }
        case Kind::unary_operator:
        case Kind::not_operator: return eval_unary(node);
        case Kind::binary_operator: return eval_binary_chain(node);
        case Kind::boolean_operator: return eval_boolean(node);
        case Kind::comparison_operator: return eval_comparison(node);
        case Kind::conditional_expression: return eval_conditional(node);
        case Kind::named_expression: {
            const Value v = eval(tree_->child(node, Field::value));
            bind_name(text(tree_->child(node, Field::name)), v);
            return v;
        }
        case Kind::lambda: return eval_lambda(node);
        case Kind::list_comprehension: return eval_comprehension(node, Tag::list);
        case Kind::generator_expression: return eval_comprehension(node, Tag::list);
        case Kind::set_comprehension: return eval_comprehension(node, Tag::set);
        case Kind::dictionary_comprehension: return eval_comprehension(node, Tag::dict);
        case Kind::attribute: return eval_attribute(node);
        case Kind::subscript: return eval_subscript(node);
        case Kind::slice: return eval_slice(node);
        case Kind::call: return eval_call(node);
        case Kind::yield:
            if (!frames_.empty()) frames_.back().yields = true;
            return unknown(UnknownReason::Why::unsupported, node, "yield");
        default: return unknown(UnknownReason::Why::unsupported, node);
    }
}

Value Interpreter::eval_number(NodeId node) {
    std::string digits;
    for (char c : text(node)) {
        if (c != '_') digits.push_back(c);
    }
    if (digits.empty()) return {};
    if (digits.back() == 'j' || digits.back() == 'J') return unknown(UnknownReason::Why::unsupported, node, "complex");
    const bool prefixed = digits.size() > 2 && digits[0] == '0' && std::isalpha(static_cast<unsigned char>(digits[1]));
    if (kind(node) == Kind::integer) {
        int base = 10;
        std::size_t from = 0;
        if (prefixed) {
            const char p = static_cast<char>(digits[1] | 0x20);
            base = p == 'x' ? 16 : p == 'o' ? 8 : 2;
            from = 2;
        }
        std::int64_t value = 0;
        const auto result = std::from_chars(digits.data() + from, digits.data() + digits.size(), value, base);
        if (result.ec == std::errc{}) return Value::integer(value).at(here(node));
        return unknown(UnknownReason::Why::unsupported, node, "large integer");
    }
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc{}) return unknown(UnknownReason::Why::unsupported, node);
    return Value::real(value).at(here(node));
}

Value Interpreter::eval_string(NodeId node) {
    if (kind(node) == Kind::concatenated_string) {
        std::string all;
        bool known = true;
        for (NodeId c : tree_->children(node)) {
            if (kind(c) != Kind::string) continue;
            const Value v = eval_string(c);
            known = known && v.tag == Tag::string;
            if (v.tag == Tag::string) all += *v.as.text;
        }
        return known ? string_value(all, node) : unknown(UnknownReason::Why::runtime_value, node);
    }
    std::string out;
    bool known = true;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::string_start) {
            const std::string_view start = text(c);
            if (start.find_first_of("bB") != std::string_view::npos) known = false;
        } else if (kind(c) == Kind::string_content) {
            std::string_view content = text(c);
            if (content.find('\\') != std::string_view::npos) known = false;  // escapes: the exact text is of no use to us
            out += content;
        } else if (kind(c) == Kind::interpolation) {
            const NodeId e = tree_->child(c, Field::expression);
            if (e == kNoNode) {
                known = false;
                continue;
            }
            const Value v = eval(e);
            note_use(LoopUse::Kind::index_in_text, v, node);
            const auto part = to_text(v);
            if (!part || tree_->child(c, Field::format_specifier) != kNoNode) {
                known = false;
            } else {
                out += *part;
            }
        }
    }
    return known ? string_value(out, node) : unknown(UnknownReason::Why::runtime_value, node);
}

std::optional<std::string> Interpreter::to_text(const Value& v) const {
    switch (v.tag) {
        case Tag::string: return *v.as.text;
        case Tag::integer: return std::to_string(v.as.i);
        case Tag::boolean: return v.as.b ? "True" : "False";
        case Tag::none: return "None";
        default: return std::nullopt;
    }
}

Value Interpreter::eval_sequence(NodeId node, Tag tag) {
    std::vector<Value> items;
    bool open = false;
    for (NodeId c : tree_->children(node)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        if (kind(c) == Kind::list_splat) {
            const NodeId inner = tree_->named_child(c, 0);
            const auto more = inner == kNoNode ? std::nullopt : iterate(eval(inner));
            if (more) {
                items.insert(items.end(), more->begin(), more->end());
            } else {
                open = true;
            }
            continue;
        }
        Value v = eval(c);
        if (tag == Tag::set && std::ranges::any_of(items, [&](const Value& o) { return equal(o, v) == true; })) continue;
        if (v.node == kNoNode) v = v.at(here(c));
        items.push_back(v);
    }
    Value v = make_list(tag, std::move(items), node);
    v.as.list->open = open;
    return v;
}

Value Interpreter::eval_dict(NodeId node) {
    Value v = Value::with(Tag::dict);
    v.as.dict = heap_.make<Dict>();
    v.as.dict->birth = ++sequence_;
    Dict& dict = *v.as.dict;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::pair) {
            const NodeId key_node = tree_->child(c, Field::key);
            const NodeId value_node = tree_->child(c, Field::value);
            if (key_node == kNoNode || value_node == kNoNode) continue;
            const Value key = eval(key_node);
            Value value = eval(value_node);
            if (value.node == kNoNode) value = value.at(here(value_node));
            if (key.tag == Tag::unknown) dict.open = true;
            dict.items.emplace_back(key, value);
        } else if (kind(c) == Kind::dictionary_splat) {
            const NodeId inner = tree_->named_child(c, 0);
            const Value other = inner == kNoNode ? Value{} : eval(inner);
            if (other.tag != Tag::dict) {
                dict.open = true;
                continue;
            }
            dict.open = dict.open || other.as.dict->open;
            for (const auto& [k, item] : other.as.dict->items) {
                auto it = std::ranges::find_if(dict.items, [&](const auto& p) { return equal(p.first, k) == true; });
                if (it == dict.items.end()) {
                    dict.items.emplace_back(k, item);
                } else {
                    it->second = item;
                }
            }
        }
    }
    return v.at(here(node));
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
    if (v.tag == Tag::tensor && kernel_ != kNone && k == Kind::minus) return operator_on_tensor("neg", v, Value::none(), node);
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

bool Interpreter::run_comprehension(const std::vector<NodeId>& clauses, std::size_t at, NodeId body,
                                    std::vector<Value>& out, Dict* dict) {
    if (out.size() > 4096 || out_of_budget()) return false;
    if (at == clauses.size()) {
        if (dict != nullptr) {
            const NodeId k = tree_->child(body, Field::key);
            const NodeId v = tree_->child(body, Field::value);
            if (k == kNoNode || v == kNoNode) return false;
            const Value key = eval(k);
            dict->items.emplace_back(key, eval(v));
            return key.tag != Tag::unknown;
        }
        out.push_back(eval(body));
        return true;
    }
    const NodeId clause = clauses[at];
    if (kind(clause) == Kind::if_clause) {
        const NodeId c = tree_->named_child(clause, 0);
        const auto t = c == kNoNode ? std::nullopt : truth(eval(c));
        if (!t) {
            run_comprehension(clauses, at + 1, body, out, dict);
            return false;
        }
        return !*t || run_comprehension(clauses, at + 1, body, out, dict);
    }
    const NodeId target = tree_->child(clause, Field::left);
    const NodeId right = tree_->child(clause, Field::right);
    if (target == kNoNode || right == kNoNode) return false;
    const Value over = eval(right);
    const auto items = iterate(over);
    if (!items || items->size() > 512) {
        assign(target, unknown(UnknownReason::Why::joined, right));
        run_comprehension(clauses, at + 1, body, out, dict);
        return false;
    }
    bool complete = true;
    for (const Value& item : *items) {
        assign(target, item);
        complete = run_comprehension(clauses, at + 1, body, out, dict) && complete;
        if (exhausted_) return false;
    }
    return complete;
}

Value Interpreter::eval_comprehension(NodeId node, Tag tag) {
    const NodeId body = tree_->child(node, Field::body);
    std::vector<NodeId> clauses;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::for_in_clause || kind(c) == Kind::if_clause) clauses.push_back(c);
    }
    if (body == kNoNode || clauses.empty()) return {};
    Scope* outer = scope_;
    scope_ = new_scope(outer);
    std::vector<Value> out;
    Value v;
    const LoopId loop = kernel_ == kNone ? kNone : begin_loop(LoopKind::comprehension, node);
    if (tag == Tag::dict) {
        v = Value::with(Tag::dict);
        v.as.dict = heap_.make<Dict>();
        v.as.dict->birth = ++sequence_;
        const bool complete = run_comprehension(clauses, 0, body, out, v.as.dict);
        if (loop != kNone) end_comprehension(loop, complete, v.as.dict->items.size());
        v.as.dict->open = !complete;
        v = v.at(here(node));
    } else {
        const bool complete = run_comprehension(clauses, 0, body, out, nullptr);
        if (loop != kNone) end_comprehension(loop, complete, out.size());
        if (tag == Tag::set) {
            std::vector<Value> unique;
            for (const Value& item : out) {
                if (std::ranges::none_of(unique, [&](const Value& o) { return equal(o, item) == true; })) unique.push_back(item);
            }
            out = std::move(unique);
        }
        if (!complete) out.clear();  // an item known in part would pass for the whole
        v = make_list(tag, std::move(out), node);
        v.as.list->open = !complete;
    }
    scope_ = outer;
    return v;
}

std::optional<bool> Interpreter::truth(const Value& v) const {
    switch (v.tag) {
        case Tag::none: return false;
        case Tag::boolean: return v.as.b;
        case Tag::integer: return v.as.i != 0;
        case Tag::real: return v.as.f != 0;
        case Tag::string: return !v.as.text->empty();
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
        case Tag::marker: return true;
        case Tag::instance: return true;
        case Tag::symbol: {
            const Bounds bounds = trace_.symbols.bounds(v.sym());
            if (bounds.low && *bounds.low > 0) return true;
            if (bounds.high && *bounds.high < 0) return true;
            if (bounds.low && bounds.high && *bounds.low == 0 && *bounds.high == 0) return false;
            return std::nullopt;
        }
        default: return std::nullopt;
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
        if (a.sym().unknown() || b.sym().unknown()) return a.tag == Tag::none || b.tag == Tag::none ? std::optional(false) : std::nullopt;
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
        if (a.tag == Tag::instance || b.tag == Tag::instance) return a.tag == Tag::none || b.tag == Tag::none ? std::optional(false) : std::nullopt;
        return false;
    }
    switch (a.tag) {
        case Tag::none:
        case Tag::ellipsis: return true;
        case Tag::string:
        case Tag::marker: return *a.as.text == *b.as.text;
        case Tag::dtype: return a.as.dtype == b.as.dtype;
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
        case Tag::function: return a.as.function == b.as.function;
        case Tag::klass: return a.as.klass == b.as.klass;
        case Tag::instance: return a.as.instance == b.as.instance ? std::optional(true) : std::nullopt;
        default: return std::nullopt;
    }
}

bool Interpreter::same(const Value& a, const Value& b) const {
    if (a.tag != b.tag) return false;
    switch (a.tag) {
        case Tag::unknown: return true;
        case Tag::tensor: return trace_.tensors[a.as.tensor].type == trace_.tensors[b.as.tensor].type;
        case Tag::symbol: return a.as.i == b.as.i;
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
        case Tag::dict: return a.as.dict == b.as.dict;
        case Tag::slice: return a.as.slice == b.as.slice;
        case Tag::range: return a.as.range == b.as.range;
        case Tag::external: return a.as.text == b.as.text;
        case Tag::bound_method: return a.as.method == b.as.method;
        case Tag::instance: return a.as.instance == b.as.instance;
        case Tag::module: return a.as.module == b.as.module;
        case Tag::tensor_spec: return a.as.spec == b.as.spec;
        case Tag::loop_spec: return a.as.loop == b.as.loop;
        case Tag::lazy_import: return a.as.lazy == b.as.lazy;
        default: return equal(a, b) == true;
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

Value Interpreter::join(const Value& a, const Value& b, NodeId node) {
    if (same(a, b)) {
        Value v = a;
        if (v.origin() != b.origin()) v = v.at({});
        return v;
    }
    if (a.tag == Tag::tensor && b.tag == Tag::tensor) {
        const Tensor& x = trace_.tensors[a.as.tensor];
        const Tensor& y = trace_.tensors[b.as.tensor];
        Tensor t;
        t.source = TensorSource::unknown;
        t.site = here(node);
        t.name = x.name == y.name ? x.name : std::string_view{};
        t.type.dtype = x.type.dtype == y.type.dtype ? x.type.dtype : hardware::DType::unknown;
        t.type.rank_known = x.type.rank_known && y.type.rank_known && x.type.shape.size() == y.type.shape.size();
        if (t.type.rank_known) {
            for (std::size_t i = 0; i < x.type.shape.size(); ++i) {
                t.type.shape.push_back(x.type.shape[i] == y.type.shape[i] ? x.type.shape[i] : SymInt{});
            }
        }
        return Value::tensor(new_tensor(std::move(t))).at(here(node));
    }
    if (a.is_sequence() && a.tag == b.tag && !a.as.list->open && !b.as.list->open &&
        a.as.list->items.size() == b.as.list->items.size() && depth_ < kMaxDepth / 2) {
        std::vector<Value> items;
        ++depth_;
        for (std::size_t i = 0; i < a.as.list->items.size(); ++i) {
            items.push_back(join(a.as.list->items[i], b.as.list->items[i], node));
        }
        --depth_;
        return make_list(a.tag, std::move(items), node).at({});
    }
    return unknown(UnknownReason::Why::joined, node);
}

Content Interpreter::join(const Content& a, const Content& b, NodeId node) {
    if (a.index() != b.index()) return a;
    if (const auto* x = std::get_if<NameContent>(&a)) {
        const auto& y = std::get<NameContent>(b);
        // Bound in one arm only: Python would raise on the other way, so what is read later is this arm's value.
        if (!x->bound) return y;
        if (!y.bound) return *x;
        return NameContent{join(x->value, y.value, node), true, std::max(x->written, y.written)};
    }
    if (const auto* x = std::get_if<List>(&a)) {
        const auto& y = std::get<List>(b);
        List out = *x;
        if (x->items.size() != y.items.size() || x->open || y.open) {
            out.items.clear();
            out.open = true;
        } else {
            for (std::size_t i = 0; i < out.items.size(); ++i) out.items[i] = join(x->items[i], y.items[i], node);
        }
        return out;
    }
    if (const auto* x = std::get_if<Dict>(&a)) {
        const auto& y = std::get<Dict>(b);
        Dict out = *x;
        out.items.clear();
        out.open = x->open || y.open || x->items.size() != y.items.size();
        for (const auto& [k, v] : x->items) {
            const auto it = std::ranges::find_if(y.items, [&](const auto& p) { return equal(p.first, k) == true; });
            if (it == y.items.end()) {
                out.open = true;
            } else {
                out.items.emplace_back(k, join(v, it->second, node));
            }
        }
        return out;
    }
    if (const auto* x = std::get_if<Instance>(&a)) {
        const auto& y = std::get<Instance>(b);
        Instance out = *x;
        for (auto& [n, v] : out.attributes) {
            const auto it = std::ranges::find_if(y.attributes, [&](const auto& p) { return p.first == n; });
            v = it == y.attributes.end() ? Value{} : join(v, it->second, node);
        }
        return out;
    }
    const auto& x = std::get<TileState>(a);
    const auto& y = std::get<TileState>(b);
    const auto either = [&](TileId p, TileId q, TileSetting::Engine engine) {
        if (p == q) return p;
        TileSetting t;  // set differently on two ways: a setting of unknown values
        t.engine = engine;
        t.call = here(node);
        trace_.tiles.push_back(std::move(t));
        return static_cast<TileId>(trace_.tiles.size() - 1);
    };
    return TileState{either(x.vec, y.vec, TileSetting::Engine::vec), either(x.cube, y.cube, TileSetting::Engine::cube)};
}

Value Interpreter::copy(const Value& v, int depth) {
    if (depth <= 0) return v;
    if (v.tag == Tag::list || v.tag == Tag::set || v.tag == Tag::tuple) {
        std::vector<Value> items;
        for (const Value& i : v.as.list->items) items.push_back(copy(i, depth - 1));
        Value out = make_list(v.tag, std::move(items), v.node);
        out.as.list->open = v.as.list->open;
        return out.at(v.origin());
    }
    if (v.tag == Tag::dict) {
        Value out = v;
        out.as.dict = heap_.make<Dict>(*v.as.dict);
        out.as.dict->birth = ++sequence_;
        for (auto& [k, item] : out.as.dict->items) item = copy(item, depth - 1);
        return out;
    }
    if (v.tag == Tag::instance) {
        Value out = v;
        out.as.instance = heap_.make<Instance>(*v.as.instance);
        out.as.instance->birth = ++sequence_;
        for (auto& [n, item] : out.as.instance->attributes) item = copy(item, depth - 1);
        return out;
    }
    return v;
}

}  // namespace ptofix::trace
