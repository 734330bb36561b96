// Branches: what is decided is followed; of what is not, every arm from the same state, and their states joined.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

bool Interpreter::device_condition(const Value& condition) const {
    return kernel_ != kNone && condition.tag == Tag::symbol;
}

Flow Interpreter::exec_if(NodeId statement) {
    // if / elif / else as a list of arms, so that a long elif chain needs no recursion.
    std::vector<Arm> open_arms;
    std::vector<NodeId> conditions;  // of the open arms
    bool device = false;
    const auto consider = [&](NodeId clause, NodeId condition_node, NodeId body) -> std::optional<bool> {
        // A later condition is evaluated only where the earlier ones were false.
        const Value condition = open_arms.empty() ? eval_test(condition_node) : eval_maybe(condition_node);
        if (raising_) return false;
        const auto decided = truth_of(condition, condition_node);
        if (decided) note_decided(condition, clause);
        if (!decided) {
            note_use(LoopUse::Kind::index_in_condition, condition, clause);
            device = device || device_condition(condition);
            open_arms.push_back({body, static_cast<int>(open_arms.size())});
            conditions.push_back(condition_node);
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
    if (raising_) return Flow::raised;
    if (!closed) {
        for (NodeId c : tree_->children(statement)) {
            if (kind(c) == Kind::elif_clause) {
                const NodeId body = tree_->child(c, Field::consequence);
                const NodeId test = tree_->child(c, Field::condition);
                if (test == kNoNode) continue;
                const auto d = consider(c, test, body);
                if (raising_) return Flow::raised;
                if (d == true) {
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
    open_arms.push_back({taken, static_cast<int>(open_arms.size())});
    std::vector<Flow> flows;
    const Flow flow = run_arms(statement, open_arms, device, &flows);
    const auto leaves = [](Flow f) { return f == Flow::raised || f == Flow::returned; };
    if (!device && flow == Flow::normal && std::all_of(flows.begin(), flows.end() - 1, leaves)) {
        for (const NodeId c : conditions) assume(c, false);  // if x != 3: raise
    }
    return flow;
}

Flow Interpreter::run_arms(NodeId statement, const std::vector<Arm>& arms, bool device, std::vector<Flow>* flows) {
    const Trail::Mark mark = trail_.open(sequence_);
    std::vector<Way> ways;
    const BranchId outer = branch_;
    const TileState before = tiles_;
    for (const Arm& arm : arms) {
        branch_ = static_cast<BranchId>(trace_.branches.size());
        trace_.branches.push_back({outer, here(statement), arm.number, device});
        Flow flow = Flow::normal;
        if (arm.body != kNoNode) {
            if (kind(arm.body) == Kind::block) {
                flow = exec_block(arm.body);
            } else {
                eval(arm.body);
            }
        }
        if (device && !legacy_frontend() && !(tiles_ == before)) {
            trail_.before({Place::Kind::tiles, &tiles_});
            tiles_ = before;  // tile shapes set under a device condition stay in it
        }
        if (flows != nullptr) flows->push_back(flow);
        ways.push_back(end_way(mark, flow));
        trail_.rollback(mark);
    }
    branch_ = outer;
    const Flow flow = settle(mark, ways, statement);
    trail_.close();
    return flow;
}

}  // namespace ptofix::trace
