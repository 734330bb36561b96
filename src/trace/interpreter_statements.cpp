// Statements: how each kind is executed; with, try, return.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Flow Interpreter::exec_block(NodeId block) {
    if (depth_ >= kMaxDepth) return Flow::normal;
    ++depth_;
    Flow flow = Flow::normal;
    for (NodeId s : tree_->children(block)) {
        const Kind k = kind(s);
        if (!(*tree_)[s].named || k == Kind::comment) continue;
        flow = exec(s);
        if (flow != Flow::normal || exhausted_) break;
    }
    --depth_;
    return flow;
}

Flow Interpreter::exec(NodeId s) {
    if (out_of_budget()) return Flow::normal;
    switch (kind(s)) {
        case Kind::expression_statement:
            return exec_expression(s);
        case Kind::if_statement:
            return exec_if(s);
        case Kind::for_statement:
            return exec_for(s);
        case Kind::while_statement:
            return exec_while(s);
        case Kind::with_statement:
            return exec_with(s);
        case Kind::try_statement:
            return exec_try(s);
        case Kind::match_statement:
            return exec_match(s);
        case Kind::return_statement:
            return exec_return(s);
        case Kind::function_definition:
            bind_name(text(tree_->child(s, Field::name)), define_function(s, {}, {}));
            return Flow::normal;
        case Kind::class_definition:
            bind_name(text(tree_->child(s, Field::name)), define_class(s, {}));
            return Flow::normal;
        case Kind::decorated_definition:
            return exec_decorated(s);
        case Kind::import_statement:
            exec_import(s);
            return Flow::normal;
        case Kind::import_from_statement:
            exec_import_from(s);
            return Flow::normal;
        case Kind::assert_statement:
            exec_assert(s);
            return Flow::normal;
        case Kind::delete_statement:
            exec_delete(s);
            return Flow::normal;
        case Kind::break_statement:
            note_loop_use(LoopUse::Kind::breaks, kNone, s);
            return Flow::broke;
        case Kind::continue_statement:
            note_loop_use(LoopUse::Kind::breaks, kNone, s);
            return Flow::continued;
        case Kind::raise_statement:
            return Flow::raised;
        case Kind::global_statement:
        case Kind::nonlocal_statement:
            for (NodeId n : tree_->children(s)) {
                if (kind(n) != Kind::identifier) continue;
                (kind(s) == Kind::global_statement ? scope_->globals : scope_->nonlocals).push_back(text(n));
            }
            return Flow::normal;
        case Kind::error:
            havoc_assigned_names(s);
            return Flow::normal;
        default:
            return Flow::normal;
    }
}

Flow Interpreter::exec_expression(NodeId statement) {
    for (NodeId e : tree_->children(statement)) {
        if (!(*tree_)[e].named || kind(e) == Kind::comment) continue;
        switch (kind(e)) {
            case Kind::assignment:
                exec_assignment(e);
                break;
            case Kind::augmented_assignment:
                exec_augmented(e);
                break;
            case Kind::yield:
                if (!frames_.empty()) frames_.back().yields = true;
                if (const NodeId v = tree_->named_child(e, 0); v != kNoNode) eval(v);
                break;
            default:
                eval(e);
        }
    }
    return Flow::normal;
}

Flow Interpreter::exec_return(NodeId statement) {
    const NodeId e = tree_->named_child(statement, 0);
    Value v = e == kNoNode ? Value::none() : eval(e);
    if (!frames_.empty()) {
        if (loops_.size() > frames_.back().loop_base) note_loop_use(LoopUse::Kind::breaks, kNone, statement);
        frames_.back().returns.push_back(v);
    }
    return Flow::returned;
}

void Interpreter::exec_assert(NodeId node) {
    if (const NodeId condition = tree_->named_child(node, 0); condition != kNoNode) note_decided(eval(condition), node);
}

Flow Interpreter::exec_with(NodeId statement) {
    if (const NodeId clause = tree_->child_of_kind(statement, Kind::with_clause); clause != kNoNode) {
        for (NodeId item : tree_->children(clause)) {
            if (kind(item) != Kind::with_item) continue;
            const NodeId value = tree_->child(item, Field::value);
            if (value == kNoNode) continue;
            if (kind(value) == Kind::as_pattern) {
                const Value v = eval(tree_->named_child(value, 0));
                const NodeId alias = tree_->child(value, Field::alias);
                if (alias != kNoNode)
                    assign(alias, v.tag == Tag::tensor ? v : unknown(UnknownReason::Why::external_call, value));
            } else {
                eval(value);
            }
        }
    }
    const NodeId body = tree_->child(statement, Field::body);
    return body == kNoNode ? Flow::normal : exec_block(body);
}

Flow Interpreter::exec_try(NodeId statement) {
    // The body is taken to succeed; handlers are not traced (they deal with what is not there), finally is.
    const NodeId body = tree_->child(statement, Field::body);
    Flow flow = body == kNoNode ? Flow::normal : exec_block(body);
    if (flow == Flow::raised) {
        for (NodeId c : tree_->children(statement)) {
            if (kind(c) != Kind::except_clause) continue;
            if (const NodeId handler = tree_->child_of_kind(c, Kind::block); handler != kNoNode) {
                flow = exec_block(handler);
                break;
            }
        }
    }
    for (NodeId c : tree_->children(statement)) {
        if (kind(c) == Kind::else_clause && flow == Flow::normal) flow = exec_block(tree_->child(c, Field::body));
        if (kind(c) == Kind::finally_clause) {
            if (const NodeId b = tree_->child_of_kind(c, Kind::block); b != kNoNode) {
                const Flow f = exec_block(b);
                if (f != Flow::normal) flow = f;
            }
        }
    }
    return flow;
}

}  // namespace ptofix::trace
