// Statements: control flow that is decided, both arms of control flow that is not, and assignment in every form.
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
        case Kind::expression_statement: return exec_expression(s);
        case Kind::if_statement: return exec_if(s);
        case Kind::for_statement: return exec_for(s);
        case Kind::while_statement: return exec_while(s);
        case Kind::with_statement: return exec_with(s);
        case Kind::try_statement: return exec_try(s);
        case Kind::match_statement: return exec_match(s);
        case Kind::return_statement: return exec_return(s);
        case Kind::function_definition:
            bind_name(text(tree_->child(s, Field::name)), define_function(s, {}, {}));
            return Flow::normal;
        case Kind::class_definition:
            bind_name(text(tree_->child(s, Field::name)), define_class(s, {}));
            return Flow::normal;
        case Kind::decorated_definition: return exec_decorated(s);
        case Kind::import_statement: exec_import(s); return Flow::normal;
        case Kind::import_from_statement: exec_import_from(s); return Flow::normal;
        case Kind::assert_statement: exec_assert(s); return Flow::normal;
        case Kind::delete_statement: exec_delete(s); return Flow::normal;
        case Kind::break_statement: note_loop_use(LoopUse::Kind::breaks, kNone, s); return Flow::broke;
        case Kind::continue_statement: note_loop_use(LoopUse::Kind::breaks, kNone, s); return Flow::continued;
        case Kind::raise_statement: return Flow::raised;
        case Kind::global_statement:
        case Kind::nonlocal_statement:
            for (NodeId n : tree_->children(s)) {
                if (kind(n) != Kind::identifier) continue;
                (kind(s) == Kind::global_statement ? scope_->globals : scope_->nonlocals).push_back(text(n));
            }
            return Flow::normal;
        case Kind::error: havoc_assigned_names(s); return Flow::normal;
        default: return Flow::normal;
    }
}

Flow Interpreter::exec_expression(NodeId statement) {
    for (NodeId e : tree_->children(statement)) {
        if (!(*tree_)[e].named || kind(e) == Kind::comment) continue;
        switch (kind(e)) {
            case Kind::assignment: exec_assignment(e); break;
            case Kind::augmented_assignment: exec_augmented(e); break;
            case Kind::yield:
                if (!frames_.empty()) frames_.back().yields = true;
                if (const NodeId v = tree_->named_child(e, 0); v != kNoNode) eval(v);
                break;
            default: eval(e);
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

void Interpreter::exec_assignment(NodeId node) {
    // a = b = value: the right side is evaluated once, targets are assigned from the left.
    std::vector<NodeId> targets;
    NodeId at = node;
    NodeId right = kNoNode;
    while (true) {
        targets.push_back(tree_->child(at, Field::left));
        right = tree_->child(at, Field::right);
        if (right == kNoNode || kind(right) != Kind::assignment) break;
        at = right;
    }
    if (right == kNoNode) return;  // annotation only
    const Value v = kind(right) == Kind::augmented_assignment ? (exec_augmented(right), Value{}) : eval(right);
    for (NodeId t : targets) {
        if (t != kNoNode) assign(t, v);
    }
}

namespace {

Kind operator_of_assignment(Kind k) {
    switch (k) {
        case Kind::plus_assign: return Kind::plus;
        case Kind::minus_assign: return Kind::minus;
        case Kind::star_assign: return Kind::star;
        case Kind::slash_assign: return Kind::slash;
        case Kind::floor_slash_assign: return Kind::floor_slash;
        case Kind::percent_assign: return Kind::percent;
        case Kind::power_assign: return Kind::power;
        case Kind::at_assign: return Kind::at;
        case Kind::shift_left_assign: return Kind::shift_left;
        case Kind::shift_right_assign: return Kind::shift_right;
        case Kind::ampersand_assign: return Kind::ampersand;
        case Kind::bar_assign: return Kind::bar;
        case Kind::caret_assign: return Kind::caret;
        default: return Kind::other;
    }
}

}  // namespace

void Interpreter::exec_augmented(NodeId node) {
    const NodeId target = tree_->child(node, Field::left);
    const NodeId right = tree_->child(node, Field::right);
    const NodeId op = tree_->child(node, Field::operator_);
    if (target == kNoNode || right == kNoNode || op == kNoNode) return;
    const Value before = eval(target);
    const Value operand = eval(right);
    if (before.tag == Tag::list && kind(op) == Kind::plus_assign) {  // in place: extend
        note_mutation(before.as.list->birth, node);
        trail_.before({Place::Kind::list, before.as.list});
        if (auto items = iterate(operand)) {
            before.as.list->items.insert(before.as.list->items.end(), items->begin(), items->end());
        } else {
            before.as.list->open = true;
        }
        return;
    }
    assign(target, binary(operator_of_assignment(kind(op)), before, operand, node));
}

void Interpreter::exec_delete(NodeId node) {
    for (NodeId n : tree_->children(node)) {
        if (kind(n) == Kind::identifier) {
            if (Scope::Entry* e = scope_->find(text(n)); e != nullptr) {
                trail_.before({Place::Kind::name, scope_, static_cast<std::uint32_t>(e - scope_->entries.data())});
                e->bound = false;
            }
        } else if (kind(n) == Kind::subscript) {
            const Value object = eval(tree_->child(n, Field::value));
            if (object.tag == Tag::dict) {
                trail_.before({Place::Kind::dict, object.as.dict});
                object.as.dict->open = true;
                object.as.dict->items.clear();
            } else if (object.tag == Tag::list) {
                trail_.before({Place::Kind::list, object.as.list});
                object.as.list->open = true;
            }
        }
    }
}

void Interpreter::exec_assert(NodeId node) {
    if (const NodeId condition = tree_->named_child(node, 0); condition != kNoNode) note_decided(eval(condition), node);
}

void Interpreter::assign(NodeId target, Value value) {
    switch (kind(target)) {
        case Kind::identifier: bind_name(text(target), value); break;
        case Kind::pattern_list:
        case Kind::tuple_pattern:
        case Kind::list_pattern:
        case Kind::tuple:
        case Kind::list:
        case Kind::expression_list: assign_sequence(target, value); break;
        case Kind::subscript: assign_subscript(target, value); break;
        case Kind::attribute: {
            const Value object = eval(tree_->child(target, Field::object));
            assign_attribute(object, text(tree_->child(target, Field::attribute)), value);
            break;
        }
        case Kind::list_splat_pattern:
        case Kind::parenthesized_expression:
        case Kind::as_pattern_target:
            if (const NodeId inner = tree_->named_child(target, 0); inner != kNoNode) assign(inner, value);
            break;
        default: break;
    }
}

void Interpreter::assign_sequence(NodeId target, Value value) {
    std::vector<NodeId> targets;
    std::size_t star = SIZE_MAX;
    for (NodeId t : tree_->children(target)) {
        if (!(*tree_)[t].named || kind(t) == Kind::comment) continue;
        if (kind(t) == Kind::list_splat_pattern) star = targets.size();
        targets.push_back(t);
    }
    auto items = iterate(value);
    const bool fits = items && (star == SIZE_MAX ? items->size() == targets.size() : items->size() + 1 >= targets.size());
    if (!fits) {
        for (NodeId t : targets) assign(t, unknown(UnknownReason::Why::joined, target));
        return;
    }
    const std::size_t extra = star == SIZE_MAX ? 0 : items->size() + 1 - targets.size();
    std::size_t at = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (i == star) {
            std::vector<Value> rest(items->begin() + static_cast<std::ptrdiff_t>(at),
                                    items->begin() + static_cast<std::ptrdiff_t>(at + extra));
            assign(targets[i], make_list(Tag::list, std::move(rest), target));
            at += extra;
        } else {
            assign(targets[i], (*items)[at++]);
        }
    }
}

void Interpreter::assign_subscript(NodeId target, Value value) {
    const Value object = eval(tree_->child(target, Field::value));
    std::vector<Value> keys;
    for (NodeId c : tree_->children(target)) {
        if ((*tree_)[c].field == Field::subscript) keys.push_back(eval(c));
    }
    const bool is_tuple = keys.size() != 1 || tree_->has_token(target, Kind::comma);
    const Value key = is_tuple ? make_list(Tag::tuple, std::move(keys), target) : keys.empty() ? Value{} : keys[0];
    switch (object.tag) {
        case Tag::tensor: tensor_store(object, key, value, target); break;
        case Tag::list: {
            List& list = *object.as.list;
            note_mutation(list.birth, target);
            trail_.before({Place::Kind::list, &list});
            if (key.tag == Tag::integer) {
                const std::int64_t i = key.as.i < 0 ? key.as.i + static_cast<std::int64_t>(list.items.size()) : key.as.i;
                if (i >= 0 && i < static_cast<std::int64_t>(list.items.size())) {
                    list.items[static_cast<std::size_t>(i)] = value;
                    break;
                }
            }
            note_use(LoopUse::Kind::list_index, key, target);
            for (Value& item : list.items) item = join(item, value, target);
            break;
        }
        case Tag::dict: {
            Dict& dict = *object.as.dict;
            note_mutation(dict.birth, target);
            note_use(LoopUse::Kind::index_as_key, key, target);
            trail_.before({Place::Kind::dict, &dict});
            bool undecided = key.tag == Tag::unknown || key.tag == Tag::symbol;
            for (auto& [k, v] : dict.items) {
                const auto eq = equal(k, key);
                if (!eq) undecided = true;
                if (eq == true) {
                    v = value;
                    return;
                }
            }
            if (undecided) {
                for (auto& [k, v] : dict.items) v = join(v, value, target);
                dict.open = true;
            } else {
                dict.items.emplace_back(key, value);
            }
            break;
        }
        default: break;
    }
}

void Interpreter::assign_attribute(Value object, std::string_view name, Value value) {
    if (object.tag == Tag::instance) {
        Instance& instance = *object.as.instance;
        note_mutation(instance.birth, kNoNode);
        trail_.before({Place::Kind::instance, &instance});
        for (auto& [n, v] : instance.attributes) {
            if (n == name) {
                v = value;
                return;
            }
        }
        instance.attributes.emplace_back(name, value);
    } else if (object.tag == Tag::klass) {
        bind(object.as.klass->members, name, value);
    } else if (object.tag == Tag::module && object.as.module->globals != nullptr) {
        bind(object.as.module->globals, name, value);
    }
}

void Interpreter::havoc_assigned_names(NodeId subtree) {
    for (NodeId n = subtree; n < (*tree_)[subtree].subtree_end; ++n) {
        const Kind k = kind(n);
        if (k != Kind::assignment && k != Kind::augmented_assignment && k != Kind::named_expression) continue;
        const NodeId left = tree_->child(n, k == Kind::named_expression ? Field::name : Field::left);
        if (left != kNoNode && kind(left) == Kind::identifier) {
            bind_name(text(left), unknown(UnknownReason::Why::unsupported, n));
        }
    }
}

bool Interpreter::device_condition(const Value& condition) const {
    return kernel_ != kNone && condition.tag == Tag::symbol;
}

Flow Interpreter::exec_if(NodeId statement) {
    // if / elif / else as a list of arms, so that a long elif chain needs no recursion.
    std::vector<Arm> open_arms;
    bool device = false;
    const auto consider = [&](NodeId clause, NodeId condition_node, NodeId body) -> std::optional<bool> {
        const Value condition = eval(condition_node);
        const auto decided = truth(condition);
        if (decided) note_decided(condition, clause);
        if (!decided) {
            note_use(LoopUse::Kind::index_in_condition, condition, clause);
            device = device || device_condition(condition);
            open_arms.push_back({body, static_cast<int>(open_arms.size()), {}});
        }
        return decided;
    };
    const NodeId condition = tree_->child(statement, Field::condition);
    const NodeId consequence = tree_->child(statement, Field::consequence);
    if (condition == kNoNode) return Flow::normal;
    NodeId taken = kNoNode;
    bool closed = false;
    if (const auto d = consider(statement, condition, consequence); d == true) {
        taken = consequence;
        closed = true;
    }
    if (!closed) {
        for (NodeId c : tree_->children(statement)) {
            if (kind(c) == Kind::elif_clause) {
                const NodeId body = tree_->child(c, Field::consequence);
                const NodeId test = tree_->child(c, Field::condition);
                if (test == kNoNode) continue;
                if (const auto d = consider(c, test, body); d == true) {
                    taken = body;
                    closed = true;
                    break;
                }
            } else if (kind(c) == Kind::else_clause) {
                taken = tree_->child(c, Field::body);
                closed = true;
                break;
            }
        }
    }
    if (open_arms.empty()) return taken == kNoNode ? Flow::normal : exec_block(taken);
    open_arms.push_back({taken, static_cast<int>(open_arms.size()), {}});
    return run_arms(statement, open_arms, device);
}

Flow Interpreter::run_arms(NodeId statement, const std::vector<Arm>& arms, bool device) {
    const Trail::Mark mark = trail_.open();
    struct Result {
        Flow flow;
        std::vector<Change> changes;
    };
    std::vector<Result> results;
    const BranchId outer = branch_;
    const TileState before = tiles_;
    for (const Arm& arm : arms) {
        branch_ = static_cast<BranchId>(trace_.branches.size());
        trace_.branches.push_back({outer, here(statement), arm.number, device});
        if (arm.binding) bind_name(arm.binding->first, arm.binding->second);
        Flow flow = Flow::normal;
        if (arm.body != kNoNode) {
            if (kind(arm.body) == Kind::block) {
                flow = exec_block(arm.body);
            } else {
                eval(arm.body);
            }
        }
        if (device && !options_.legacy_frontend && !(tiles_ == before)) {
            trail_.before({Place::Kind::tiles, &tiles_});
            tiles_ = before;  // tile shapes set under a device condition stay in it
        }
        results.push_back({flow, trail_.changes(mark)});
        trail_.rollback(mark);
    }
    branch_ = outer;
    trail_.close();

    const auto goes_on = [](const Result& r) { return r.flow == Flow::normal; };
    const auto normal = std::ranges::count_if(results, goes_on);
    std::vector<Result*> live;
    for (Result& r : results) {
        if (normal == 0 || goes_on(r)) live.push_back(&r);
    }
    // Every place that a live arm changed gets the join of what the live arms left there.
    std::vector<Place> places;
    for (const Result* r : live) {
        for (const Change& c : r->changes) places.push_back(c.place);
    }
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    for (const Place& place : places) {
        std::optional<Content> joined;
        for (const Result* r : live) {
            const auto it = std::ranges::lower_bound(r->changes, place, {}, &Change::place);
            const bool changed = it != r->changes.end() && it->place == place;
            const Content content = changed ? it->content : Trail::read(place);
            joined = joined ? join(*joined, content, statement) : content;
        }
        trail_.put(place, *joined);
        if (place.kind == Place::Kind::name) static_cast<Scope*>(place.object)->entries[place.index].written = ++sequence_;
    }
    if (normal > 0) return Flow::normal;
    Flow flow = results.front().flow;
    for (const Result& r : results) {
        if (r.flow == flow) continue;
        // Different exits: what matters to the code around is whether the function goes on.
        flow = (r.flow == Flow::raised) ? flow : (flow == Flow::raised ? r.flow : Flow::returned);
    }
    return flow;
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
                if (alias != kNoNode) assign(alias, v.tag == Tag::tensor ? v : unknown(UnknownReason::Why::external_call, value));
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

Flow Interpreter::exec_match(NodeId statement) {
    const NodeId subject_node = tree_->child(statement, Field::subject);
    const NodeId body = tree_->child(statement, Field::body);
    if (subject_node == kNoNode || body == kNoNode) return Flow::normal;
    const Value subject = eval(subject_node);
    note_use(LoopUse::Kind::index_in_condition, subject, subject_node);
    std::vector<Arm> arms;
    bool exhaustive = false;
    for (NodeId c : tree_->children(body)) {
        if (kind(c) != Kind::case_clause) continue;
        const NodeId pattern = tree_->child_of_kind(c, Kind::case_pattern);
        const NodeId block = tree_->child(c, Field::consequence);
        NodeId inner = pattern == kNoNode ? kNoNode : tree_->named_child(pattern, 0);
        const bool guarded = tree_->child(c, Field::guard) != kNoNode;
        if (pattern != kNoNode && text(pattern) == "_") {
            arms.push_back({block, static_cast<int>(arms.size()), {}});
            exhaustive = !guarded;
        } else if (inner != kNoNode && kind(inner) == Kind::dotted_name && tree_->named_child_count(inner) == 1) {
            arms.push_back({block, static_cast<int>(arms.size()), std::pair{text(inner), subject}});
            exhaustive = !guarded;
        } else if (inner != kNoNode && (kind(inner) == Kind::integer || kind(inner) == Kind::string ||
                                        kind(inner) == Kind::true_ || kind(inner) == Kind::false_ ||
                                        kind(inner) == Kind::none)) {
            const auto eq = equal(subject, eval(inner));
            if (eq == false) continue;
            arms.push_back({block, static_cast<int>(arms.size()), {}});
            exhaustive = eq == true && !guarded;
        } else {
            arms.push_back({block, static_cast<int>(arms.size()), {}});
            havoc_assigned_names(c);
        }
        if (exhaustive) break;
    }
    if (!exhaustive) arms.push_back({kNoNode, static_cast<int>(arms.size()), {}});
    if (arms.size() == 1) {
        if (arms[0].binding) bind_name(arms[0].binding->first, arms[0].binding->second);
        return arms[0].body == kNoNode ? Flow::normal : exec_block(arms[0].body);
    }
    return run_arms(statement, arms, false);
}

}  // namespace ptofix::trace
