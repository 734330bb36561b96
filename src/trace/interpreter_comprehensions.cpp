// Comprehensions and generator expressions.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

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
                if (std::ranges::none_of(unique, [&](const Value& o) { return equal(o, item) == true; }))
                    unique.push_back(item);
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

}  // namespace ptofix::trace
