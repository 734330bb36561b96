// Statements: how each kind is executed; return, assert.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Flow Interpreter::exec_block(NodeId block) {
    if (raising_) return Flow::raised;
    if (!deeper()) {
        forget_skipped(block);
        return Flow::normal;
    }
    Flow flow = Flow::normal;
    for (NodeId s : tree_->children(block)) {
        const Kind k = kind(s);
        if (!(*tree_)[s].named || k == Kind::comment) continue;
        flow = exec(s);
        if (raising_) flow = Flow::raised;
        if (flow != Flow::normal || budget_.is_spent()) break;
    }
    --depth_;
    return flow;
}

Flow Interpreter::exec(NodeId s) {
    if (out_of_budget()) return Flow::normal;
    if (tree_->broken(s) && is_broken_here(s)) {
        // Which parts belong to what is a guess of the parser's.
        forget_skipped(s);
        return Flow::normal;
    }
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
            define(s, define_function(s, {}, {}));
            return Flow::normal;
        case Kind::class_definition:
            define(s, define_class(s, {}));
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
            return in_loop() ? Flow::broke : Flow::normal;
        case Kind::continue_statement:
            note_loop_use(LoopUse::Kind::breaks, kNone, s);
            return in_loop() ? Flow::continued : Flow::normal;
        case Kind::raise_statement:
            return exec_raise(s);
        case Kind::global_statement:
        case Kind::nonlocal_statement:
            for (NodeId n : tree_->children(s)) {
                if (kind(n) != Kind::identifier) continue;
                (kind(s) == Kind::global_statement ? scope_->globals : scope_->nonlocals).push_back(text(n));
            }
            return Flow::normal;
        case Kind::error:
            forget_skipped(s);
            return Flow::normal;
        default:
            return Flow::normal;
    }
}

void Interpreter::define(NodeId definition, const Value& value) {
    const NodeId name = tree_->child(definition, Field::name);
    if (name != kNoNode && !raising_) bind_name(text(name), value);
}

bool Interpreter::is_broken_here(NodeId statement) const {
    // In the statement itself, not in a block that it holds: those are executed statement by statement.
    for (NodeId n = statement + 1; n < (*tree_)[statement].subtree_end;) {
        if (kind(n) == Kind::block) {
            n = (*tree_)[n].subtree_end;
            continue;
        }
        if (kind(n) == Kind::error || kind(n) == Kind::missing) return true;
        ++n;
    }
    return false;
}

bool Interpreter::in_loop() const {
    return loops_.size() > (frames_.empty() ? 0 : frames_.back().loop_base);
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
    if (raising_) return Flow::raised;
    if (!frames_.empty()) {
        if (loops_.size() > frames_.back().loop_base) note_loop_use(LoopUse::Kind::breaks, kNone, statement);
        frames_.back().returns.push_back(v);
    }
    return Flow::returned;
}

void Interpreter::exec_assert(NodeId node) {
    const NodeId condition = tree_->named_child(node, 0);
    if (condition == kNoNode) return;
    const Value v = eval_test(condition);
    if (raising_) return;
    note_decided(v, node);
    const auto holds = truth_of(v, condition);
    if (holds == false) definite_error("AssertionError", node);
    if (!holds) {
        assume(condition, true);
        risk();
    }
}

}  // namespace ptofix::trace
