// Branches: if and match. What is decided is followed; every arm of what is not, from the same state, and their states
// joined.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

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
        if (place.kind == Place::Kind::name)
            static_cast<Scope*>(place.object)->entries[place.index].written = ++sequence_;
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
        } else if (inner != kNoNode &&
                   (kind(inner) == Kind::integer || kind(inner) == Kind::string || kind(inner) == Kind::true_ ||
                    kind(inner) == Kind::false_ || kind(inner) == Kind::none)) {
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
