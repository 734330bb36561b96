// Comprehensions and generator expressions.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

constexpr std::size_t kMaxItemsOfClause = 512;
constexpr std::size_t kMaxResult = 4096;

}  // namespace

std::vector<NodeId> Interpreter::clauses_of(NodeId comprehension) const {
    std::vector<NodeId> clauses;
    for (NodeId c : tree_->children(comprehension)) {
        if (kind(c) == Kind::for_in_clause || kind(c) == Kind::if_clause) clauses.push_back(c);
    }
    return clauses;
}

Scope* Interpreter::comprehension_scope() {
    Scope* s = new_scope(scope_);
    s->is_comprehension = true;
    return s;
}

bool Interpreter::run_comprehension(Comprehension& c, std::size_t at, const Value* first) {
    if (raising_ || budget_.is_spent()) return false;
    if (at == c.clauses.size()) return make_item(c);
    const NodeId clause = c.clauses[at];
    if (kind(clause) == Kind::if_clause) {
        const NodeId condition = tree_->named_child(clause, 0);
        const auto t = condition == kNoNode ? std::nullopt : truth_of(eval(condition), condition);
        if (raising_) return false;
        if (t) return !*t || run_comprehension(c, at + 1, nullptr);
        // It may or may not go on here.
        const Trail::Mark mark = trail_.open(sequence_);
        Exit before{sequence_, {}, {}};
        run_comprehension(c, at + 1, nullptr);
        if (raising_) {
            record_exit(Flow::raised);
            raising_ = false;
            trail_.rollback(mark);
        } else {
            merge(mark, true, {std::move(before)}, clause);
        }
        trail_.close();
        return false;
    }
    const NodeId target = tree_->child(clause, Field::left);
    const NodeId right = tree_->child(clause, Field::right);
    if (target == kNoNode || right == kNoNode) return false;
    const Value over = first != nullptr ? *first : eval(right);
    if (raising_) return false;
    const Value source = iterator_over(over, right);
    Iterator& it = *source.as.iterator;
    bool complete = true;
    for (std::size_t rounds = 0; rounds <= kMaxItemsOfClause; ++rounds) {
        const auto left = items_left(it);
        const bool too_many =
            rounds == kMaxItemsOfClause || c.items > kMaxResult || (left && *left > kMaxItemsOfClause);
        const Step step = too_many ? Step{Step::Kind::unknown, {}} : advance(it, right);
        if (raising_) return false;
        if (step.kind == Step::Kind::done) return complete;
        if (step.kind == Step::Kind::unknown) break;
        assign(target, step.value);
        complete = run_comprehension(c, at + 1, nullptr) && complete;
        if (budget_.is_spent() || raising_) return false;
    }
    // What comes is not known, or is too much.
    const bool ordered_set = over.tag == Tag::set && !over.as.list->open;
    const Value item = ordered_set ? one_of(over.as.list->items, right) : unknown(UnknownReason::Why::joined, right);
    lose_track(it, right);
    const LoopId id = begin_loop(LoopKind::comprehension, clause);
    const auto iteration = [&] {
        assign(target, item);
        run_comprehension(c, at + 1, nullptr);
        return raising_ ? Flow::raised : Flow::normal;
    };
    const Outcome outcome = run_symbolic(id, true, iteration, clause);
    (void)outcome;
    end_loop(id);
    drop_idle_loop(id);
    return false;
}

bool Interpreter::make_item(Comprehension& c) {
    ++c.items;
    if (c.tag == Tag::dict) {
        const NodeId k = tree_->child(c.body, Field::key);
        const NodeId v = tree_->child(c.body, Field::value);
        if (k == kNoNode || v == kNoNode) return false;
        const Value key = eval(k);
        const Value value = eval(v);
        if (!raising_) put(*c.result.as.dict, key, value, c.body);
    } else {
        const Value item = eval(c.body);
        if (raising_) return false;
        if (c.tag == Tag::set) {
            add(*c.result.as.list, item);
        } else {
            c.result.as.list->items.push_back(item);
        }
    }
    return !raising_;
}

Value Interpreter::eval_comprehension(NodeId node, Tag tag) {
    Comprehension c;
    c.tag = tag;
    c.body = tree_->child(node, Field::body);
    c.clauses = clauses_of(node);
    if (c.body == kNoNode || c.clauses.empty()) return {};
    // The first iterable is evaluated outside.
    const NodeId right = tree_->child(c.clauses[0], Field::right);
    if (right == kNoNode) return {};
    const Value first = eval(right);
    if (raising_) return {};
    Scope* outer = scope_;
    scope_ = comprehension_scope();
    const Value v = fill_comprehension(c, first, node);
    end_scope(scope_);
    scope_ = outer;
    return v;
}

Value Interpreter::fill_comprehension(Comprehension& c, const Value& first, NodeId node) {
    c.result = c.tag == Tag::dict ? make_dict(node) : make_list(c.tag, {}, node);
    const LoopId loop = kernel_ == kNone ? kNone : begin_loop(LoopKind::comprehension, node);
    const bool complete = run_comprehension(c, 0, &first);
    if (loop != kNone) {
        end_loop(loop);
        Loop& record = trace_.loops[loop];
        record.per_item = complete;
        if (complete) record.trips = SymInt::of(static_cast<std::int64_t>(c.items));
        drop_idle_loop(loop);
    }
    if (!complete) {  // an item known in part would pass for the whole
        if (c.tag == Tag::dict) {
            lose_values(*c.result.as.dict);
            c.result.as.dict->items.clear();
            c.result.as.dict->open = true;
        } else {
            for (const Value& v : c.result.as.list->items) lose(v);
            c.result.as.list->items.clear();
            c.result.as.list->open = true;
        }
    }
    return c.result;
}

Value Interpreter::eval_generator_expression(NodeId node) {
    const std::vector<NodeId> clauses = clauses_of(node);
    if (clauses.empty()) return {};
    const NodeId right = tree_->child(clauses[0], Field::right);
    if (right == kNoNode) return {};
    const Value first = eval(right);
    if (raising_) return {};
    Iterator it;
    it.kind = Iterator::Kind::comprehension;
    it.sources = {iterator_over(first, right)};
    it.site = here(node);
    keep_scopes();
    it.scope = comprehension_scope();
    return make_iterator(std::move(it), node);
}

std::optional<std::vector<Value>> Interpreter::run_generator_expression(Iterator& it) {
    Comprehension c;
    c.tag = Tag::list;
    const Site site = it.site;
    const Value first = it.sources[0];
    Scope* inside = it.scope;
    change(it, site.node);
    exhaust(it, site.node);
    const FileId file = file_;
    Scope* outer = scope_;
    enter_file(site.file);
    scope_ = inside;
    c.body = tree_->child(site.node, Field::body);
    c.clauses = clauses_of(site.node);
    const Value v = fill_comprehension(c, first, site.node);
    scope_ = outer;
    enter_file(file);
    if (raising_) return std::nullopt;
    if (v.as.list->open) {
        it.kind = Iterator::Kind::unknown;  // it is used up; that it raises the second time is of no use here
        return std::nullopt;
    }
    return v.as.list->items;
}

Interpreter::Step Interpreter::advance_comprehension(Iterator& it, NodeId node) {
    const Site site = it.site;
    Scope* outer = scope_;
    const FileId file = file_;
    enter_file(site.file);
    const std::vector<NodeId> clauses = clauses_of(site.node);
    const bool single = std::ranges::count_if(clauses, [&](NodeId c) { return kind(c) == Kind::for_in_clause; }) == 1;
    Step step{Step::Kind::unknown, {}};
    if (single) {
        const NodeId body = tree_->child(site.node, Field::body);
        const NodeId target = tree_->child(clauses[0], Field::left);
        while (true) {
            step = advance(*it.sources[0].as.iterator, node);
            if (step.kind != Step::Kind::item || target == kNoNode || body == kNoNode) break;
            scope_ = it.scope;
            assign(target, step.value);
            std::optional<bool> all = true;
            for (std::size_t i = 1; i < clauses.size() && all == true; ++i) {
                const NodeId condition = tree_->named_child(clauses[i], 0);
                all = condition == kNoNode ? std::nullopt : truth_of(eval(condition), condition);
            }
            if (all == true) step.value = eval(body);
            scope_ = outer;
            if (!all) step.kind = Step::Kind::unknown;
            if (all != false || raising_) break;
        }
    }
    // Several loops are followed as a whole only.
    scope_ = outer;
    enter_file(file);
    return step;
}

}  // namespace ptofix::trace
