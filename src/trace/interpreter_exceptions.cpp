// Exceptions: raise, try, with. What raises for sure ends the way it is on; what may raise leaves the state of that
// moment to the handlers.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// Moments of one try block that are kept apart; beyond, nothing is known of what the block changed.
constexpr std::size_t kMaxMoments = 8;

}  // namespace

Flow Interpreter::exec_raise(NodeId statement) {
    const NodeId e = tree_->named_child(statement, 0);
    if (e == kNoNode) {
        error_ = handled_.empty() ? Value{} : handled_.back();
    } else {
        const Value v = eval(e);
        if (raising_) return Flow::raised;
        error_ = v;
        if (v.tag == Tag::klass) {  // raise ValueError
            Arguments none;
            error_ = call_class(v.as.klass, none, statement);
            if (raising_) return Flow::raised;
        }
    }
    raising_ = true;
    return Flow::raised;
}

Value Interpreter::definite_error(std::string_view type, NodeId node) {
    // Outside of any try the program ends here; what is traced after it is as good as anything, and may be of use.
    if (tries_.empty()) return unknown(UnknownReason::Why::error, node, type);
    Class* k = exception_class(type);
    error_ = {};
    if (k != nullptr) {
        error_ = Value::with(Tag::instance);
        error_.as.instance = heap_.make<Instance>();
        static_cast<Shared&>(*error_.as.instance) = fresh();
        error_.as.instance->klass = k;
        error_.as.instance->open = true;
    }
    raising_ = true;
    return {};
}

void Interpreter::risk() {
    if (tries_.empty() || raising_) return;
    TryFrame& t = tries_.back();
    if (t.risky && t.writes == trail_.writes()) return;  // the same state as last time
    t.risky = true;
    t.writes = trail_.writes();
    if (t.moments.size() >= kMaxMoments) {
        t.overrun = true;
        return;
    }
    const Value error = std::exchange(error_, {});
    t.moments.push_back(exit_since(t.mark));
    error_ = error;
}

std::vector<Exit> Interpreter::leave_try(Flow& flow, NodeId statement) {
    // Every state in which the block may have been left by an exception.
    TryFrame t = std::move(tries_.back());
    std::vector<Exit> out = std::move(t.raised);
    out.insert(out.end(), std::make_move_iterator(t.moments.begin()), std::make_move_iterator(t.moments.end()));
    if (raising_) {
        flow = Flow::raised;
        out.push_back(exit_since(t.mark));
        raising_ = false;
    }
    if (t.overrun) {
        Exit any = exit_since(t.mark);
        any.error = {};
        for (Change& c : any.state) c.content = top(c.content, statement);
        out.push_back(std::move(any));
    }
    tries_.pop_back();
    return out;
}

std::optional<bool> Interpreter::catches(const Value& type, const Value& error) {
    if (type.tag == Tag::tuple) {
        if (type.as.list->open) return std::nullopt;
        std::optional<bool> any = false;
        for (const Value& t : type.as.list->items) {
            const auto c = catches(t, error);
            if (c == true) return true;
            if (!c) any = std::nullopt;
        }
        return any;
    }
    if (type.tag == Tag::klass && error.tag == Tag::instance && error.as.instance->klass != nullptr) {
        return is_subclass(error.as.instance->klass, type.as.klass);
    }
    return std::nullopt;
}

Flow Interpreter::exec_try(NodeId statement) {
    const NodeId body = tree_->child(statement, Field::body);
    std::vector<NodeId> handlers;
    NodeId otherwise = kNoNode;
    NodeId finally = kNoNode;
    for (NodeId c : tree_->children(statement)) {
        if (kind(c) == Kind::except_clause) handlers.push_back(c);
        if (kind(c) == Kind::else_clause) otherwise = tree_->child(c, Field::body);
        if (kind(c) == Kind::finally_clause) finally = tree_->child_of_kind(c, Kind::block);
    }
    const Trail::Mark mark = trail_.open(sequence_);
    const ExitCounts outside = count_exits();
    tries_.push_back({mark, {}, {}, 0, false, false});
    Flow flow = body == kNoNode ? Flow::normal : exec_block(body);
    std::vector<Exit> raised = leave_try(flow, statement);
    if (flow == Flow::normal && otherwise != kNoNode) flow = exec_block(otherwise);
    if (finally != kNoNode && flow != Flow::raised) run_finally_for(finally, mark, raised);
    if (!raised.empty()) {
        // What leaves the handlers as well, and is caught nowhere, runs the finally block on its way all the same.
        const bool ends_here = finally != kNoNode && tries_.empty();
        if (ends_here) tries_.push_back({mark, {}, {}, 0, false, false});
        flow = run_handlers(statement, mark, flow, std::move(raised), handlers);
        if (ends_here) {
            const bool raising = std::exchange(raising_, false);
            const Value error = error_;
            Flow left = Flow::normal;
            run_finally_for(finally, mark, leave_try(left, statement));
            raising_ = raising;
            error_ = error;
        }
    }
    if (finally != kNoNode && !budget_.is_spent()) flow = run_finally(finally, flow, outside);
    trail_.close();
    return flow;
}

Flow Interpreter::run_handlers(NodeId statement, Trail::Mark mark, Flow flow, std::vector<Exit> raised,
                               const std::vector<NodeId>& handlers) {
    std::vector<Way> ways;
    const bool body_goes_on = flow != Flow::raised || raising_;  // the else block may raise as well
    if (body_goes_on) ways.push_back(end_way(mark, flow));
    trail_.rollback(mark);
    const BranchId outer = branch_;
    int number = 0;
    const bool several = body_goes_on || handlers.size() > 1;
    for (const NodeId h : handlers) {
        if (raised.empty()) break;
        const NodeId block = tree_->child_of_kind(h, Kind::block);
        NodeId type_node = tree_->named_child(h, 0);
        NodeId alias = kNoNode;
        if (type_node == block) type_node = kNoNode;
        if (type_node != kNoNode && kind(type_node) == Kind::as_pattern) {
            alias = tree_->child(type_node, Field::alias);
            type_node = tree_->named_child(type_node, 0);
        }
        const Value type = type_node == kNoNode ? Value{} : eval(type_node);
        std::vector<Exit> caught;
        std::vector<Exit> rest;
        for (Exit& e : raised) {
            const auto c = type_node == kNoNode ? std::optional(true) : catches(type, e.error);
            if (c != false) caught.push_back(e);
            if (c != true) rest.push_back(std::move(e));
        }
        raised = std::move(rest);
        if (caught.empty()) continue;
        if (several) enter_arm(outer, statement, number++);
        Value error = caught.front().error;
        for (const Exit& e : caught) {
            if (!same(error, e.error)) error = {};
        }
        merge(mark, false, caught, h);
        if (error.tag == Tag::unknown) error = unknown(UnknownReason::Why::error, h);
        if (alias != kNoNode) assign(alias, error);
        handled_.push_back(error);
        const Flow f = block == kNoNode ? Flow::normal : exec_block(block);
        handled_.pop_back();
        if (alias != kNoNode && !raising_) unbind_target(alias);
        ways.push_back(end_way(mark, f));
        trail_.rollback(mark);
    }
    branch_ = outer;
    if (!raised.empty()) {  // not caught, or not for sure
        merge(mark, false, raised, statement);
        raising_ = true;
        error_ = raised.front().error;
        for (const Exit& e : raised) {
            if (!same(error_, e.error)) error_ = {};
        }
        ways.push_back(end_way(mark, Flow::raised));
        trail_.rollback(mark);
    }
    return ways.empty() ? flow : settle(mark, ways, statement);
}

Interpreter::ExitCounts Interpreter::count_exits() const {
    return {frames_.empty() ? 0 : frames_.back().exits.size(), loops_.empty() ? 0 : loops_.back().breaks.size(),
            loops_.empty() ? 0 : loops_.back().continues.size(), tries_.empty() ? 0 : tries_.back().raised.size(),
            tries_.empty() ? 0 : tries_.back().moments.size()};
}

Flow Interpreter::run_finally(NodeId block, Flow flow, const ExitCounts& outside) {
    // Every way out runs it. Those that have left already are told what it changes: nothing is known of that.
    const bool raising = std::exchange(raising_, false);
    const Value error = error_;
    const auto left = [&](const std::vector<Exit>& exits, std::size_t from, Trail::Mark mark) {
        if (exits.size() > from)
            run_finally_for(block, mark, {exits.begin() + static_cast<std::ptrdiff_t>(from), exits.end()});
    };
    if (!frames_.empty()) left(frames_.back().exits, outside.returned, frames_.back().mark);
    if (!loops_.empty()) {
        left(loops_.back().breaks, outside.broke, loops_.back().mark);
        left(loops_.back().continues, outside.continued, loops_.back().mark);
    }
    if (!tries_.empty()) left(tries_.back().raised, outside.raised, tries_.back().mark);
    const Trail::Mark inner = trail_.open(sequence_);
    const Flow own = exec_block(block);
    const std::vector<Change> changed = trail_.changes(inner);
    trail_.close();
    tell_exits(changed, outside, block);
    if (own != Flow::normal || raising_) return raising_ ? Flow::raised : own;
    raising_ = raising;
    error_ = error;
    return flow;
}

void Interpreter::run_finally_for(NodeId block, Trail::Mark mark, const std::vector<Exit>& exits) {
    // What the block does where the way does not go on; only what it shows stays.
    if (exits.empty() || budget_.is_spent()) return;
    const Trail::Mark inner = trail_.open(sequence_);
    const BranchId outer = branch_;
    enter_arm(outer, block, 0);
    merge(mark, false, exits, block);
    exec_block(block);
    raising_ = false;
    branch_ = outer;
    trail_.rollback(inner);
    trail_.close();
}

void Interpreter::tell_exits(const std::vector<Change>& changed, const ExitCounts& outside, NodeId node) {
    if (changed.empty()) return;
    const auto tell = [&](std::vector<Exit>& exits, std::size_t from) {
        for (std::size_t i = from; i < exits.size(); ++i) {
            for (const Change& c : changed) {
                if (Trail::birth(c.place) > exits[i].time) continue;
                const auto it = std::ranges::lower_bound(exits[i].state, c.place, {}, &Change::place);
                Change told{c.place, top(c.content, node), c.before};
                if (it != exits[i].state.end() && it->place == c.place) {
                    told.before = it->before;
                    *it = std::move(told);
                } else {
                    exits[i].state.insert(it, std::move(told));
                }
            }
        }
    };
    if (!frames_.empty()) tell(frames_.back().exits, outside.returned);
    if (!loops_.empty()) {
        tell(loops_.back().breaks, outside.broke);
        tell(loops_.back().continues, outside.continued);
    }
    if (!tries_.empty()) {
        tell(tries_.back().raised, outside.raised);
        tell(tries_.back().moments, outside.moments);
    }
}

Flow Interpreter::exec_with(NodeId statement) {
    std::vector<NodeId> items;
    if (const NodeId clause = tree_->child_of_kind(statement, Kind::with_clause); clause != kNoNode) {
        std::vector<NodeId> open{clause};
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (NodeId item : tree_->children(open[i])) {
                if (kind(item) == Kind::with_item) items.push_back(item);
                if (kind(item) == Kind::tuple) open.push_back(item);
            }
        }
    }
    return with_items(statement, items, 0);
}

Flow Interpreter::with_items(NodeId statement, const std::vector<NodeId>& items, std::size_t at) {
    const NodeId body = tree_->child(statement, Field::body);
    if (at == items.size() || !deeper()) return body == kNoNode ? Flow::normal : exec_block(body);
    const Flow flow = with_item(statement, items, at);
    --depth_;
    return flow;
}

Flow Interpreter::with_item(NodeId statement, const std::vector<NodeId>& items, std::size_t at) {
    const NodeId value = tree_->child(items[at], Field::value);
    if (value == kNoNode) return with_items(statement, items, at + 1);
    const bool named = kind(value) == Kind::as_pattern;
    const NodeId alias = named ? tree_->child(value, Field::alias) : kNoNode;
    const Value manager = eval(named ? tree_->named_child(value, 0) : value);
    if (raising_) return Flow::raised;
    const Value enter = special_method(manager, "__enter__", statement);
    const Value exit = special_method(manager, "__exit__", statement);
    const bool own = exit.tag == Tag::bound_method;
    Value entered = manager.tag == Tag::tensor ? manager : unknown(UnknownReason::Why::external_call, value);
    if (enter.tag == Tag::bound_method) entered = call_with(enter, {}, statement);
    if (manager.tag == Tag::external && manager.as.text->starts_with("contextlib.nullcontext"))
        entered = unknown(UnknownReason::Why::unsupported, value);
    if (raising_) return Flow::raised;
    if (alias != kNoNode) assign(alias, entered);
    // torch.no_grad(), open(...): what is raised inside goes on.
    if (!own && (is_library_value(manager) || manager.tag == Tag::tensor)) return with_items(statement, items, at + 1);

    const Trail::Mark mark = trail_.open(sequence_);
    const ExitCounts outside = count_exits();
    tries_.push_back({mark, {}, {}, 0, false, false});
    Flow flow = with_items(statement, items, at + 1);
    std::vector<Exit> raised = leave_try(flow, statement);
    const auto leave = [&](const Value& error) -> std::optional<bool> {
        if (!own) {
            forget(manager, statement);
            return std::nullopt;  // it may take the exception for itself
        }
        const Value r = call_with(exit, {error, error, error}, statement);
        return raising_ ? std::optional(false) : truth_of(r, statement);
    };
    std::vector<Way> ways;
    if (flow != Flow::raised) {
        const Trail::Mark inner = trail_.open(sequence_);
        leave(Value::none());
        const std::vector<Change> changed = trail_.changes(inner);
        trail_.close();
        tell_exits(changed, outside, statement);
        ways.push_back(end_way(mark, raising_ ? Flow::raised : flow));
    }
    trail_.rollback(mark);
    if (!raised.empty()) {
        Value error = raised.front().error;
        for (const Exit& e : raised) {
            if (!same(error, e.error)) error = {};
        }
        merge(mark, false, raised, statement);
        const auto taken = leave(error.tag == Tag::unknown ? unknown(UnknownReason::Why::error, statement) : error);
        const bool failed = raising_;
        if (taken != false && !failed) ways.push_back(end_way(mark, Flow::normal));
        if (taken != true || failed) {
            if (!failed) error_ = error;
            raising_ = true;
            ways.push_back(end_way(mark, Flow::raised));
        }
        trail_.rollback(mark);
    }
    flow = ways.empty() ? flow : settle(mark, ways, statement);
    trail_.close();
    return flow;
}

}  // namespace ptofix::trace
