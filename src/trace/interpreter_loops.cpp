// Loops. A loop whose iterations are alike is traced once with a symbolic index and counted by its trips; one over
// known items, or whose body does what only concrete indices make clear, is traced item by item within a bound.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

LoopId Interpreter::begin_loop(LoopKind loop_kind, NodeId statement) {
    Loop loop;
    loop.kind = loop_kind;
    loop.site = here(statement);
    loop.parent = loops_.empty() ? kNone : loops_.back().id;
    loop.frame = frames_.empty() ? kNone : frames_.back().id;
    loop.kernel = kernel_;
    loop.first_op = static_cast<std::uint32_t>(trace_.operations.size());
    const auto id = static_cast<LoopId>(trace_.loops.size());
    trace_.loops.push_back(std::move(loop));
    ActiveLoop active;
    active.id = id;
    active.mark = trail_.open(sequence_);
    active.start = ++sequence_;
    active.pass = active.start;
    loops_.push_back(std::move(active));
    return id;
}

void Interpreter::end_loop(LoopId loop) {
    trace_.loops[loop].end_op = static_cast<std::uint32_t>(trace_.operations.size());
    loops_.pop_back();
    trail_.close();
}

void Interpreter::drop_idle_loop(LoopId loop) {
    // Most comprehensions make numbers only and are no loops of the kernel.
    const Loop& record = trace_.loops[loop];
    if (record.first_op != record.end_op || loop + 1 != trace_.loops.size()) return;
    trace_.loops.pop_back();
    std::erase_if(trace_.loop_uses, [&](const LoopUse& u) { return u.loop == loop; });
}

Flow Interpreter::leave_loop(NodeId statement, LoopId loop, Outcome outcome) {
    trace_.loops[loop].end_op = static_cast<std::uint32_t>(trace_.operations.size());
    ActiveLoop active = std::move(loops_.back());
    loops_.pop_back();
    Flow flow = outcome.flow;
    if (flow == Flow::broke) {  // every way out of the last iteration
        flow = Flow::normal;
    } else if (outcome.completes) {
        flow = Flow::normal;
        if (const NodeId alternative = tree_->child(statement, Field::alternative);
            alternative != kNoNode && !budget_.is_spent()) {
            if (const NodeId b = tree_->child(alternative, Field::body); b != kNoNode) flow = exec_block(b);
        }
    }
    if (!active.breaks.empty()) {
        if (flow != Flow::normal) {
            record_exit(flow);
            raising_ = false;
        }
        merge(active.mark, flow == Flow::normal, active.breaks, statement);
        flow = Flow::normal;
    }
    trail_.close();
    return flow;
}

Flow Interpreter::end_of_iteration(Flow flow, NodeId body) {
    if (raising_) flow = Flow::raised;
    if (flow == Flow::continued) flow = Flow::normal;
    std::vector<Exit> continues = std::exchange(loops_.back().continues, {});
    if (continues.empty()) return flow;
    if (flow != Flow::normal) {
        record_exit(flow);
        raising_ = false;
    }
    merge(loops_.back().mark, flow == Flow::normal, continues, body);
    return Flow::normal;
}

Interpreter::TraceMark Interpreter::mark_trace() const {
    return {trace_.operations.size(),
            trace_.operands.size(),
            trace_.loops.size(),
            trace_.tiles.size(),
            trace_.branches.size(),
            trace_.frames.size(),
            frames_.empty() ? 0 : frames_.back().returns.size(),
            frames_.empty() ? 0 : frames_.back().exits.size(),
            tries_.empty() ? 0 : tries_.back().raised.size()};
}

void Interpreter::rewind_trace(const TraceMark& mark) {
    if (!frames_.empty()) {
        frames_.back().returns.resize(mark.returns);
        frames_.back().exits.resize(mark.exits);
    }
    if (!tries_.empty()) tries_.back().raised.resize(mark.raised);
    // In host code nothing was recorded but whole kernels, which stand for themselves.
    if (kernel_ == kNone && !trying_) return;
    trace_.operations.resize(mark.operations);
    trace_.operands.resize(mark.operands);
    trace_.loops.resize(mark.loops);
    trace_.tiles.resize(mark.tiles);
    trace_.branches.resize(mark.branches);
    trace_.frames.resize(mark.frames);
    std::erase_if(trace_.loop_uses, [&](const LoopUse& u) { return u.loop >= mark.loops; });
}

bool Interpreter::left_often() const {
    const std::size_t returned = frames_.empty() ? 0 : frames_.back().exits.size();
    const std::size_t raised = tries_.empty() ? 0 : tries_.back().raised.size();
    return loops_.back().breaks.size() + returned + raised > kMaxLeft;
}

Flow Interpreter::exec_for(NodeId statement) {
    const NodeId target = tree_->child(statement, Field::left);
    const NodeId right = tree_->child(statement, Field::right);
    const NodeId body = tree_->child(statement, Field::body);
    if (target == kNoNode || right == kNoNode || body == kNoNode) return Flow::normal;
    const Value over = eval(right);
    if (raising_) return Flow::raised;
    if (over.tag == Tag::loop_spec) return run_device_loop(statement, *over.as.loop, target, body);
    if (over.tag == Tag::range) return run_range_loop(statement, *over.as.range, target, body);
    const LoopId id = begin_loop(LoopKind::python_iteration, statement);
    return leave_loop(statement, id, run_items(id, over, target, body));
}

Interpreter::Outcome Interpreter::run_items(LoopId id, const Value& over, NodeId target, NodeId body) {
    const auto run_rest = [&](const Value& item, bool may_skip) {
        const auto iteration = [&] {
            assign(target, item);
            return raising_ ? Flow::raised : exec_block(body);
        };
        return run_symbolic(id, may_skip, iteration, body);
    };
    if (over.tag == Tag::set && !over.as.list->open && over.as.list->items.size() > 1) {
        // In some order: each iteration has one of them.
        trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(over.as.list->items.size()));
        return run_rest(one_of(over.as.list->items, target), false);
    }
    const Value source = iterator_over(over, target);
    Iterator& it = *source.as.iterator;
    const auto left = items_left(it);
    if (left) trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(std::min<std::size_t>(*left, INT64_MAX)));
    const bool lazy = it.kind == Iterator::Kind::filter || it.kind == Iterator::Kind::comprehension;
    if (left ? *left > kMaxItems : !lazy) {
        std::optional<Value> item = left ? item_at_some_place(id, it, *left, over, target) : std::nullopt;
        lose_track(it, target);
        if (!item) item = unknown(UnknownReason::Why::joined, target);
        return run_rest(*item, !left);
    }
    trace_.loops[id].per_item = true;
    std::size_t rounds = 0;
    while (true) {
        const Step step = rounds >= kMaxItems || left_often() ? Step{Step::Kind::unknown, {}} : advance(it, target);
        if (raising_) return {false, Flow::raised};
        if (step.kind == Step::Kind::done) break;
        if (step.kind == Step::Kind::unknown) {
            // More than are followed one by one, or not known what comes.
            lose_track(it, target);
            trace_.loops[id].per_item = false;
            trace_.loops[id].trips = {};
            return run_rest(unknown(UnknownReason::Why::joined, target), true);
        }
        assign(target, step.value);
        const Flow flow = end_of_iteration(raising_ ? Flow::raised : exec_block(body), body);
        if (flow != Flow::normal) return {false, flow};
        if (budget_.is_spent()) break;
        if (rounds++ == 0) note_carried(id, loops_.back().mark);
    }
    trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(rounds));
    return {true, Flow::normal};
}

/// What stands for each item of many numbers that go up or down by equal steps: of a range, a list or tuple of one,
/// alone or numbered by enumerate() or zip(). None of other items, and none of a list that the body may change under
/// another name.
std::optional<Value> Interpreter::item_at_some_place(LoopId id, const Iterator& it, std::size_t items,
                                                     const Value& over, NodeId target) {
    if (items > static_cast<std::size_t>(INT32_MAX)) return std::nullopt;
    const NodeId statement = trace_.loops[id].site.node;
    const NodeId right = tree_->child(statement, Field::right);
    const bool made_here = over.file == file_ && right != kNoNode && tree_->is_inside(over.node, right);
    std::vector<std::pair<std::int64_t, std::int64_t>> numbers;  // first and step, in the order they are met
    std::function<bool(const Iterator&)> read = [&](const Iterator& from) {
        switch (from.kind) {
            case Iterator::Kind::range:
                numbers.emplace_back(from.next, from.step);
                return true;
            case Iterator::Kind::enumerate:
                numbers.emplace_back(from.next, 1);
                return read(*from.sources[0].as.iterator);
            case Iterator::Kind::zip:
                return std::ranges::all_of(from.sources,
                                           [&](const Value& source) { return read(*source.as.iterator); });
            case Iterator::Kind::live_list:
                if (&from != &it || !made_here) return false;
                [[fallthrough]];
            case Iterator::Kind::items: {
                const auto rest = std::span(from.list->items).subspan(from.at);
                if (rest.size() < 2) return false;
                const auto whole = [](const Value& v) { return v.tag == Tag::integer; };
                if (!std::ranges::all_of(rest, whole)) return false;
                std::optional<std::int64_t> step;
                for (std::size_t i = 1; i < rest.size(); ++i) {
                    std::int64_t apart = 0;
                    if (__builtin_sub_overflow(rest[i].as.i, rest[i - 1].as.i, &apart)) return false;
                    if (step.value_or(apart) != apart) return false;
                    step = apart;
                }
                numbers.emplace_back(rest[0].as.i, *step);
                return true;
            }
            default:
                return false;
        }
    };
    if (!read(it)) return std::nullopt;
    Atom atom{AtomKind::loop_index, std::string(text(target)), {}, id, OpaqueOp::none, {}, {}};
    atom.bounds.low = 0;
    atom.bounds.high = static_cast<std::int64_t>(items) - 1;
    const AtomId place = trace_.symbols.new_atom(std::move(atom));
    trace_.loops[id].index = place;
    Symbols& s = trace_.symbols;
    std::size_t next = 0;
    const auto number = [&] {
        const auto [first, step] = numbers[next++];
        return Value::of(s.add(SymInt::of(first), s.multiply(SymInt::of(step), s.of_atom(place)))).at(here(target));
    };
    std::function<Value(const Iterator&)> make = [&](const Iterator& from) {
        std::vector<Value> parts;
        if (from.kind == Iterator::Kind::enumerate) parts.push_back(number());
        if (from.kind != Iterator::Kind::enumerate && from.kind != Iterator::Kind::zip) return number();
        for (const Value& source : from.sources) parts.push_back(make(*source.as.iterator));
        return make_list(Tag::tuple, std::move(parts), target);
    };
    return make(it);
}

Flow Interpreter::run_range_loop(NodeId statement, const Range& range, NodeId target, NodeId body) {
    const LoopId id = begin_loop(LoopKind::python_range, statement);
    const SymInt trips = range_length(range).sym();
    {
        Loop& loop = trace_.loops[id];
        loop.start = range.start;
        loop.stop = range.stop;
        loop.step = range.step;
        loop.trips = trips;
    }
    if (trips.is(0)) return leave_loop(statement, id, {true, Flow::normal});
    const Value index = range_index(id, range, trips, target);
    // A first run with a symbolic index. If the body wants concrete indices and they are few, it is taken back and the
    // loop is run item by item. In host code kernels wait for the run that counts.
    const TraceMark recorded = mark_trace();
    const Trail::Mark mark = trail_.open(sequence_);
    const WorkBudget::Steps steps_before = budget_.taken();
    const bool few = trips.known() && range.start.known() && range.step.known() &&
                     trips.value <= static_cast<std::int64_t>(kMaxItems);
    const bool trying = std::exchange(trying_, trying_ || (few && kernel_ == kNone));
    const bool held_back = std::exchange(held_back_, false);
    const auto least = trace_.symbols.bounds(trips).low;
    const auto symbolic = [&] {
        const auto iteration = [&] {
            assign(target, index.at(here(target)));
            return raising_ ? Flow::raised : exec_block(body);
        };
        return run_symbolic(id, !least || *least < 1, iteration, body);
    };
    Outcome outcome = symbolic();
    const WorkBudget::Steps cost = budget_.taken() - steps_before;
    const bool affordable =
        static_cast<std::uint64_t>(cost) * static_cast<std::uint64_t>(few ? trips.value : 0) < budget_.left() / 2;
    const bool again = loops_.back().wants_items && few && affordable && !budget_.is_spent();
    const bool waited = held_back_ && !trying;
    if (again || waited) {
        loops_.back().breaks.clear();
        loops_.back().continues.clear();
        raising_ = false;
        trail_.rollback(mark);
        rewind_trace(recorded);
    }
    trying_ = trying;
    held_back_ = held_back || (held_back_ && trying);
    if (again) {
        trace_.loops[id].per_item = true;
        outcome = {true, Flow::normal};
        std::int64_t at = range.start.value;
        for (std::int64_t i = 0; i < trips.value && !budget_.is_spent(); ++i, at += range.step.value) {
            if (left_often()) {
                trace_.loops[id].per_item = false;
                outcome = symbolic();
                break;
            }
            assign(target, Value::integer(at).at(here(target)));
            const Flow flow = end_of_iteration(raising_ ? Flow::raised : exec_block(body), body);
            if (flow != Flow::normal) {
                outcome = {false, flow};
                break;
            }
        }
    } else if (waited) {
        outcome = symbolic();
    }
    trail_.close();
    return leave_loop(statement, id, outcome);
}

Value Interpreter::range_index(LoopId id, const Range& range, SymInt trips, NodeId target) {
    if (trips.is(1) && range.start.known()) return Value::of(range.start);
    Atom atom{AtomKind::loop_index, std::string(text(target)), {}, id, OpaqueOp::none, {}, {}};
    const Bounds start = trace_.symbols.bounds(range.start);
    const Bounds stop = trace_.symbols.bounds(range.stop);
    if (range.step.known() && range.step.value > 0) {
        atom.bounds.low = start.low;
        if (range.start.known() && trips.known()) {
            atom.bounds.high = range.start.value + (trips.value - 1) * range.step.value;
        } else if (stop.high) {
            atom.bounds.high = *stop.high - 1;
        }
    } else if (range.step.known() && range.step.value < 0) {
        atom.bounds.high = start.high;
        if (stop.low) atom.bounds.low = *stop.low + 1;
    }
    const AtomId a = trace_.symbols.new_atom(std::move(atom));
    trace_.loops[id].index = a;
    return Value::of(trace_.symbols.of_atom(a));
}

void Interpreter::note_stale(Scope* scope, Scope::Entry& e) {
    if (loops_.empty() || e.written >= loops_.back().start) return;
    if (e.noted == loops_.back().pass && e.noted_of == e.written) return;
    e.noted = loops_.back().pass;
    e.noted_of = e.written;
    const auto index = static_cast<std::uint32_t>(&e - scope->entries.data());
    const Place place{Place::Kind::name, scope, index};
    for (auto it = loops_.rbegin(); it != loops_.rend() && e.written < it->start; ++it) {
        if (std::ranges::find(it->stale, place) == it->stale.end()) it->stale.push_back(place);
    }
}

void Interpreter::note_carried(LoopId loop, Trail::Mark mark) {
    if (kernel_ == kNone) return;
    const std::vector<Place>& stale = loops_.back().stale;
    if (stale.empty()) return;
    for (const Place& place : trail_.changed_places(mark)) {
        if (place.kind != Place::Kind::name || std::ranges::find(stale, place) == stale.end()) continue;
        const Scope::Entry& e = static_cast<const Scope*>(place.object)->entries[place.index];
        note_loop_use(LoopUse::Kind::carried_value, loop, trace_.loops[loop].site.node, e.name);
    }
}

Interpreter::Outcome Interpreter::run_symbolic(LoopId loop, bool may_skip, const std::function<Flow()>& iteration,
                                               NodeId body) {
    // Passes over the body until what it finds at its beginning holds for every iteration: what one leaves that the
    // next finds is widened to what holds for both, and after kTopPass rounds to nothing known at all.
    constexpr int kTopPass = 3;
    constexpr int kLastPass = 10;
    const std::size_t active = loops_.size() - 1;
    const std::uint32_t start = loops_[active].start = ++sequence_;  // what earlier iterations wrote is older
    const std::size_t breaks = loops_[active].breaks.size();
    const TraceMark recorded = mark_trace();
    const Trail::Mark mark = trail_.open(sequence_);
    const Exit before{sequence_, {}, {}};
    const bool scoped = is_device(trace_.loops[loop].kind) && !legacy_frontend();
    const TileState tiles = tiles_;
    std::vector<Change> widened;  // content: what the pass began with
    const auto began_with = [&](const Change& c) -> const Content& {
        const auto it = std::ranges::find(widened, c.place, &Change::place);
        return it != widened.end() ? it->content : c.before;
    };
    Flow flow = Flow::normal;
    for (int pass = 0;; ++pass) {
        loops_[active].pass = ++sequence_;
        loops_[active].stale.clear();
        const std::uint64_t unknown_changes = unknown_changes_;
        flow = end_of_iteration(iteration(), body);
        if (scoped && !(tiles_ == tiles)) {  // tile shapes set in a device loop stay in its iteration
            trail_.before({Place::Kind::tiles, &tiles_});
            tiles_ = tiles;
        }
        if (pass == 0) note_carried(loop, mark);
        if (flow != Flow::normal || budget_.is_spent()) break;
        std::vector<Change> next;
        std::vector<std::pair<Change, Content>> names;  // joined when the objects that they name are in place
        const NodeId at = trace_.loops[loop].site.node;
        const std::vector<Change> changed = trail_.changes(mark, start);  // what is younger is new in every iteration
        for (const Change& c : changed) {
            if (const auto* name = std::get_if<NameContent>(&c.before); name != nullptr && !name->bound) continue;
            const Content& entry = began_with(c);
            const std::vector<Place>& stale = loops_[active].stale;
            const bool read = c.place.kind != Place::Kind::name || std::ranges::find(stale, c.place) != stale.end();
            if (read) mark_joined(c.content, is_device(trace_.loops[loop].kind));  // the next iteration reads it
            if (covers(entry, c.content) || (!read && pass < kTopPass)) continue;
            if (pass >= kTopPass) {
                next.push_back({c.place, top(c.content, at), c.before});
            } else if (c.place.kind == Place::Kind::name) {
                names.emplace_back(c, entry);
            } else {
                merging_ = true;
                next.push_back({c.place, join(entry, c.content, at), c.before});
                merging_ = false;
            }
        }
        if (next.empty() && names.empty()) {
            // The next iteration knows as unknown what this one made: it may change it as this one changed the one
            // before.
            const std::vector<Place>& stale = loops_[active].stale;
            for (const Change& c : changed) {
                const bool read = c.place.kind != Place::Kind::name || std::ranges::find(stale, c.place) != stale.end();
                if (read) lose_covered(began_with(c), c.content);
            }
            if (unknown_changes_ != unknown_changes)
                forget_lost_since(loops_[active].pass, trace_.loops[loop].site.node);
            break;
        }
        if (pass == kLastPass) {
            budget_.end();
            break;
        }
        // The settings that this pass has made go with its operations; those that stand for several iterations are made
        // anew.
        const std::vector<TileSetting> made(trace_.tiles.begin() + static_cast<std::ptrdiff_t>(recorded.tiles),
                                            trace_.tiles.end());
        trail_.rollback(mark);
        rewind_trace(recorded);
        loops_[active].breaks.resize(breaks);
        const auto anew = [&](TileId id) {
            if (id == kNone || id < recorded.tiles) return id;
            trace_.tiles.push_back(made[id - recorded.tiles]);
            return static_cast<TileId>(trace_.tiles.size() - 1);
        };
        for (std::vector<Change>* changes : {&next, &widened}) {
            for (Change& c : *changes) {
                if (auto* t = std::get_if<TileState>(&c.content)) *t = {anew(t->vec), anew(t->cube)};
            }
        }
        const auto widen = [&](Change c) {
            // Older than the loop, as what it stands for: to read it is to read what an earlier iteration left.
            if (auto* name = std::get_if<NameContent>(&c.content)) {
                name->written = std::get<NameContent>(c.before).written;
            }
            const auto it = std::ranges::find(widened, c.place, &Change::place);
            if (it != widened.end()) {
                it->content = std::move(c.content);
            } else {
                widened.push_back(std::move(c));
            }
        };
        for (Change& c : next) widen(std::move(c));
        for (const Change& w : widened) trail_.put(w.place, w.content);
        for (auto& [c, entry] : names) {
            widen({c.place, join(entry, c.content, at), c.before});
            trail_.put(c.place, std::ranges::find(widened, c.place, &Change::place)->content);
        }
        for (const Change& w : widened) {
            if (w.place.kind == Place::Kind::name) {
                if (std::get<NameContent>(w.content).value.tag == Tag::unknown) loops_[active].wants_items = true;
            } else if (w.place.kind != Place::Kind::tiles) {
                loops_[active].wants_items = true;
            }
        }
        trace_.loops[loop].executed_twice = true;
    }
    Outcome outcome{flow == Flow::normal, flow};
    if (may_skip) {
        // No iteration at all.
        if (flow != Flow::normal) {
            record_exit(flow);
            raising_ = false;
        }
        merge(mark, flow == Flow::normal, {before}, trace_.loops[loop].site.node);
        outcome = {true, Flow::normal};
    }
    trail_.close();
    return outcome;
}

Flow Interpreter::exec_while(NodeId statement) {
    const NodeId condition = tree_->child(statement, Field::condition);
    const NodeId body = tree_->child(statement, Field::body);
    if (condition == kNoNode || body == kNoNode) return Flow::normal;
    const LoopId id = begin_loop(LoopKind::python_while, statement);
    // Concrete while the condition is decided, within a bound; symbolic after that.
    for (std::size_t rounds = 0; rounds < kMaxItems && !budget_.is_spent() && !left_often(); ++rounds) {
        // The condition is evaluated again below where it is not decided.
        const Trail::Mark mark = trail_.open(sequence_);
        const TraceMark recorded = mark_trace();
        const Value c = eval_test(condition);
        if (raising_) {
            trail_.close();
            return leave_loop(statement, id, {false, Flow::raised});
        }
        const auto t = truth_of(c, condition);
        if (!t) {
            note_use(LoopUse::Kind::index_in_condition, c, condition);
            trail_.rollback(mark);
            rewind_trace(recorded);
        }
        trail_.close();
        if (!t) break;
        if (!*t) {
            trace_.loops[id].per_item = true;
            trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(rounds));
            return leave_loop(statement, id, {true, Flow::normal});
        }
        const Flow flow = end_of_iteration(exec_block(body), body);
        if (flow != Flow::normal) {
            trace_.loops[id].per_item = true;
            trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(rounds) + 1);
            return leave_loop(statement, id, {false, flow});
        }
    }
    bool endless = false;
    const auto iteration = [&] {
        const Value c = eval_test(condition);
        endless = !raising_ && truth_of(c, condition) == true;
        return raising_ ? Flow::raised : exec_block(body);
    };
    Outcome outcome = run_symbolic(id, true, iteration, body);
    if (outcome.completes && endless && !budget_.is_spent()) {
        // It only ends by a break or not at all: no state but those of the breaks goes on.
        outcome = {false, loops_.back().breaks.empty() ? Flow::raised : Flow::broke};
        if (outcome.flow == Flow::broke) {
            std::vector<Exit> breaks = std::exchange(loops_.back().breaks, {});
            merge(loops_.back().mark, false, breaks, statement);
        } else {
            raising_ = true;
            error_ = {};
        }
    } else if (outcome.completes) {
        eval(condition);  // what it does when it ends the loop
        if (raising_) outcome = {false, Flow::raised};
    }
    return leave_loop(statement, id, outcome);
}

}  // namespace ptofix::trace
