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
    loops_.push_back({id, ++sequence_, false});
    return id;
}

void Interpreter::end_loop(LoopId loop) {
    trace_.loops[loop].end_op = static_cast<std::uint32_t>(trace_.operations.size());
    loops_.pop_back();
}

void Interpreter::end_comprehension(LoopId loop, bool complete, std::size_t items) {
    end_loop(loop);
    Loop& record = trace_.loops[loop];
    record.per_item = true;
    if (complete) record.trips = SymInt::of(static_cast<std::int64_t>(items));
    // Most make numbers only and are no loops of the kernel.
    if (record.first_op == record.end_op && loop + 1 == trace_.loops.size()) {
        trace_.loops.pop_back();
        std::erase_if(trace_.loop_uses, [&](const LoopUse& u) { return u.loop == loop; });
    }
}

Interpreter::TraceMark Interpreter::mark_trace() const {
    return {trace_.operations.size(),
            trace_.operands.size(),
            trace_.loops.size(),
            trace_.tiles.size(),
            trace_.branches.size(),
            trace_.frames.size(),
            frames_.empty() ? 0 : frames_.back().returns.size()};
}

void Interpreter::rewind_trace(const TraceMark& mark) {
    if (!frames_.empty()) frames_.back().returns.resize(mark.returns);
    // In host code nothing was recorded but whole kernels, which stand for themselves.
    if (kernel_ == kNone) return;
    trace_.operations.resize(mark.operations);
    trace_.operands.resize(mark.operands);
    trace_.loops.resize(mark.loops);
    trace_.tiles.resize(mark.tiles);
    trace_.branches.resize(mark.branches);
    trace_.frames.resize(mark.frames);
    std::erase_if(trace_.loop_uses, [&](const LoopUse& u) { return u.loop >= mark.loops; });
}

void Interpreter::note_loop_use(LoopUse::Kind use, LoopId loop, NodeId node, std::string_view detail) {
    if (loop == kNone) {
        if (loops_.empty()) return;
        loop = loops_.back().id;
    }
    if (kernel_ == kNone || is_device(trace_.loops[loop].kind)) return;
    const Site site = here(node);
    for (auto it = trace_.loop_uses.rbegin(); it != trace_.loop_uses.rend() && it - trace_.loop_uses.rbegin() < 32;
         ++it) {
        if (it->kind == use && it->loop == loop && it->site == site) return;
    }
    trace_.loop_uses.push_back({use, loop, site, std::string(detail)});
}

void Interpreter::note_use(LoopUse::Kind use, SymInt value, NodeId node, std::string_view detail) {
    if (!value.symbolic() || kernel_ == kNone) return;
    for (ActiveLoop& active : loops_) {
        const Loop& loop = trace_.loops[active.id];
        if (is_device(loop.kind) || loop.index == kNoAtom || !trace_.symbols.depends_on(value, loop.index)) continue;
        note_loop_use(use, active.id, node, detail);
        if (use == LoopUse::Kind::list_index || use == LoopUse::Kind::index_in_condition ||
            use == LoopUse::Kind::index_in_shape || use == LoopUse::Kind::index_in_tile ||
            use == LoopUse::Kind::index_as_key) {
            active.wants_items = true;
        }
    }
}

void Interpreter::note_use(LoopUse::Kind use, const Value& value, NodeId node, std::string_view detail) {
    if (value.tag == Tag::symbol) {
        note_use(use, value.sym(), node, detail);
    } else if (value.is_sequence()) {
        for (const Value& item : value.as.list->items) {
            if (item.tag == Tag::symbol) note_use(use, item.sym(), node, detail);
        }
    } else if (value.tag == Tag::slice) {
        for (const Value* part : {&value.as.slice->start, &value.as.slice->stop, &value.as.slice->step}) {
            if (part->tag == Tag::symbol) note_use(use, part->sym(), node, detail);
        }
    }
}

void Interpreter::note_decided(const Value& value, NodeId node) {
    if (value.tag != Tag::symbol || kernel_ == kNone) return;
    for (const ActiveLoop& active : loops_) {
        const Loop& loop = trace_.loops[active.id];
        if (is_device(loop.kind) || loop.index == kNoAtom) continue;
        if (trace_.symbols.depends_on(value.sym(), loop.index)) {
            note_loop_use(LoopUse::Kind::index_in_condition, active.id, node);
        }
    }
}

void Interpreter::note_mutation(std::uint32_t birth, NodeId node) {
    if (kernel_ == kNone) return;
    for (ActiveLoop& active : loops_) {
        if (birth >= active.start || is_device(trace_.loops[active.id].kind)) continue;
        if (node != kNoNode) note_loop_use(LoopUse::Kind::list_append, active.id, node);
        active.wants_items = true;
    }
}

std::optional<std::vector<Value>> Interpreter::iterate(const Value& v) {
    switch (v.tag) {
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
            if (v.as.list->open) return std::nullopt;
            return v.as.list->items;
        case Tag::dict: {
            if (v.as.dict->open) return std::nullopt;
            std::vector<Value> keys;
            for (const auto& [k, value] : v.as.dict->items) keys.push_back(k);
            return keys;
        }
        case Tag::string: {
            if (v.as.text->size() > kMaxItems) return std::nullopt;
            std::vector<Value> characters;
            for (char c : *v.as.text) {
                if (static_cast<unsigned char>(c) >= 0x80) return std::nullopt;
                characters.push_back(string_value(std::string_view(&c, 1), v.node));
            }
            return characters;
        }
        case Tag::range: {
            const Range& r = *v.as.range;
            if (!r.start.known() || !r.stop.known() || !r.step.known() || r.step.value == 0) return std::nullopt;
            std::vector<Value> items;
            constexpr std::size_t kMaxRange = 4096;
            for (std::int64_t i = r.start.value; r.step.value > 0 ? i < r.stop.value : i > r.stop.value;
                 i += r.step.value) {
                if (items.size() >= kMaxRange) return std::nullopt;
                items.push_back(Value::integer(i));
            }
            return items;
        }
        case Tag::instance: {  // NamedTuple
            if (v.as.instance->klass == nullptr || !v.as.instance->klass->is_named_tuple) return std::nullopt;
            std::vector<Value> items;
            for (const auto& [n, value] : v.as.instance->attributes) items.push_back(value);
            return items;
        }
        default:
            return std::nullopt;
    }
}

Flow Interpreter::exec_for(NodeId statement) {
    const NodeId target = tree_->child(statement, Field::left);
    const NodeId right = tree_->child(statement, Field::right);
    const NodeId body = tree_->child(statement, Field::body);
    if (target == kNoNode || right == kNoNode || body == kNoNode) return Flow::normal;
    const Value over = eval(right);
    Flow flow = Flow::normal;
    if (over.tag == Tag::loop_spec) {
        flow = run_device_loop(statement, *over.as.loop, target, body);
    } else if (over.tag == Tag::range) {
        flow = run_range_loop(statement, *over.as.range, target, body);
    } else if (auto items = iterate(over); items && items->size() <= kMaxItems) {
        flow = run_items(statement, *items, target, body, LoopKind::python_iteration);
    } else {
        const LoopId id = begin_loop(LoopKind::python_iteration, statement);
        if (items) trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(items->size()));
        flow = run_symbolic(id, target, unknown(UnknownReason::Why::joined, right), body);
        end_loop(id);
    }
    if (const NodeId alternative = tree_->child(statement, Field::alternative);
        alternative != kNoNode && flow == Flow::normal) {
        if (const NodeId b = tree_->child(alternative, Field::body); b != kNoNode) flow = exec_block(b);
    }
    return flow;
}

Flow Interpreter::run_items(NodeId statement, const std::vector<Value>& items, NodeId target, NodeId body,
                            LoopKind loop_kind) {
    const LoopId id = begin_loop(loop_kind, statement);
    trace_.loops[id].per_item = true;
    trace_.loops[id].trips = SymInt::of(static_cast<std::int64_t>(items.size()));
    Flow out = Flow::normal;
    const Trail::Mark mark = trail_.open();
    for (const Value& item : items) {
        assign(target, item);
        const Flow flow = exec_block(body);
        if (flow == Flow::broke) break;
        if (flow == Flow::returned || flow == Flow::raised) {
            out = flow;
            break;
        }
        if (exhausted_) break;
        if (&item == &items.front()) note_carried(id, mark);
    }
    trail_.close();
    end_loop(id);
    return out;
}

Flow Interpreter::run_range_loop(NodeId statement, const Range& range, NodeId target, NodeId body) {
    const LoopId id = begin_loop(LoopKind::python_range, statement);
    Symbols& s = trace_.symbols;
    const bool down = range.step.known() && range.step.value < 0;
    const SymInt trips =
        s.max(SymInt::of(0), down ? s.ceil_div(s.subtract(range.start, range.stop), s.negate(range.step))
                                  : s.ceil_div(s.subtract(range.stop, range.start), range.step));
    {
        Loop& loop = trace_.loops[id];
        loop.start = range.start;
        loop.stop = range.stop;
        loop.step = range.step;
        loop.trips = trips;
    }
    if (trips.is(0)) {
        end_loop(id);
        return Flow::normal;
    }
    Value index;
    if (trips.is(1) && range.start.known()) {
        index = Value::of(range.start);
    } else {
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
        index = Value::of(trace_.symbols.of_atom(a));
    }
    // A first run with a symbolic index. If the body wants concrete indices and they are few, it is taken back and the
    // loop is run item by item.
    const TraceMark recorded = mark_trace();
    const Trail::Mark mark = trail_.open();
    const std::uint32_t steps_before = steps_;
    Flow flow = run_symbolic(id, target, index.at(here(target)), body);
    const std::uint32_t cost = steps_ - steps_before;
    const bool wants_items = loops_.back().wants_items;
    const bool may = trips.known() && range.start.known() && range.step.known() &&
                     trips.value <= static_cast<std::int64_t>(kMaxItems) &&
                     static_cast<std::uint64_t>(cost) * static_cast<std::uint64_t>(trips.value) <
                         (options_.step_budget - std::min(steps_, options_.step_budget)) / 2;
    if (wants_items && may && !exhausted_) {
        trail_.rollback(mark);
        trail_.close();
        rewind_trace(recorded);
        trace_.loops[id].per_item = true;
        flow = Flow::normal;
        std::int64_t at = range.start.value;
        for (std::int64_t i = 0; i < trips.value; ++i, at += range.step.value) {
            assign(target, Value::integer(at).at(here(target)));
            const Flow f = exec_block(body);
            if (f == Flow::broke) break;
            if (f == Flow::returned || f == Flow::raised) {
                flow = f;
                break;
            }
            if (exhausted_) break;
        }
    } else {
        trail_.close();
    }
    end_loop(id);
    return flow;
}

void Interpreter::note_carried(LoopId loop, Trail::Mark mark) {
    const std::uint32_t start = loops_.back().start;
    for (const Change& c : trail_.changes(mark)) {
        if (c.place.kind != Place::Kind::name) continue;
        const Scope::Entry& e = static_cast<const Scope*>(c.place.object)->entries[c.place.index];
        if (e.stale_read > start && e.stale_written < start && e.stale_written != 0) {
            note_loop_use(LoopUse::Kind::carried_value, loop, trace_.loops[loop].site.node, e.name);
        }
    }
}

Flow Interpreter::run_symbolic(LoopId loop, NodeId target, const Value& index, NodeId body) {
    const TraceMark recorded = mark_trace();
    const Trail::Mark mark = trail_.open();
    assign(target, index);
    Flow flow = exec_block(body);
    note_carried(loop, mark);

    // Values that were there before and differ after an iteration are widened to what holds for both.
    std::vector<Change> widened;
    std::vector<Change> changes = trail_.changes(mark);
    const NodeId at = trace_.loops[loop].site.node;
    for (const Change& c : changes) {
        const Content& before = c.before;
        if (const auto* name = std::get_if<NameContent>(&before); name != nullptr && !name->bound) continue;
        if (c.place.kind == Place::Kind::list && static_cast<List*>(c.place.object)->birth > loops_.back().start)
            continue;
        if (c.place.kind == Place::Kind::dict && static_cast<Dict*>(c.place.object)->birth > loops_.back().start)
            continue;
        if (c.place.kind == Place::Kind::instance &&
            static_cast<Instance*>(c.place.object)->birth > loops_.back().start)
            continue;
        // The target itself is new in every iteration; a value that no iteration reads from the one before needs no
        // care.
        if (c.place.kind == Place::Kind::name) {
            const Scope::Entry& e = static_cast<Scope*>(c.place.object)->entries[c.place.index];
            const bool read_stale = e.stale_read > loops_.back().start && e.stale_written < loops_.back().start;
            if (!read_stale) continue;
        }
        mark_joined(c.content, is_device(trace_.loops[loop].kind));  // the next iteration reads it
        if (same(before, c.content)) continue;
        widened.push_back({c.place, join(before, c.content, at), before});
    }
    if (!widened.empty() && !exhausted_) {
        const bool wanted = loops_.back().wants_items;
        trail_.rollback(mark);
        rewind_trace(recorded);
        for (const Change& w : widened) {
            trail_.put(w.place, w.content);
            if (w.place.kind == Place::Kind::name) {
                const auto& name = std::get<NameContent>(w.content);
                if (name.value.tag == Tag::unknown) loops_.back().wants_items = true;
            } else if (w.place.kind != Place::Kind::tiles) {
                loops_.back().wants_items = true;
            }
        }
        loops_.back().wants_items = loops_.back().wants_items || wanted;
        trace_.loops[loop].executed_twice = true;
        assign(target, index);
        flow = exec_block(body);
        // What the second run leaves in the widened places holds together with the widened values.
        for (const Change& w : widened) {
            const Content now = Trail::read(w.place);
            if (!same(now, w.content)) trail_.put(w.place, join(w.content, now, at));
        }
    }
    trail_.close();
    if (flow == Flow::broke || flow == Flow::continued) flow = Flow::normal;
    // A return inside may not happen in the iteration that was traced: the code after the loop is traced as well.
    if (flow == Flow::returned && !trace_.loops[loop].trips.known()) flow = Flow::normal;
    return flow;
}

Flow Interpreter::run_device_loop(NodeId statement, const LoopSpec& spec, NodeId target, NodeId body) {
    const LoopId id = begin_loop(spec.unroll ? LoopKind::device_unroll : LoopKind::device_loop, statement);
    SymInt start = spec.start.tag == Tag::none ? SymInt::of(0) : spec.start.sym();
    SymInt stop = spec.stop.sym();
    SymInt step = spec.step.tag == Tag::none ? SymInt::of(1) : spec.step.sym();
    {
        Loop& loop = trace_.loops[id];
        loop.spec = &spec;
        loop.start = start;
        loop.stop = stop;
        loop.step = step;
        loop.trips =
            trace_.symbols.max(SymInt::of(0), trace_.symbols.ceil_div(trace_.symbols.subtract(stop, start), step));
        loop.unroll_known = !spec.has_open_keywords;
        if (spec.unroll_given) {
            const auto items = iterate(spec.unroll_list);
            loop.unroll_known = items.has_value();
            if (items) {
                for (const Value& v : *items) {
                    if (v.tag != Tag::integer || v.as.i <= 0) loop.unroll_known = false;
                    if (v.tag == Tag::integer && v.as.i > 0) loop.unroll.push_back(v.as.i);
                }
                loop.unroll.push_back(1);
                std::ranges::sort(loop.unroll, std::greater{});
                loop.unroll.erase(std::ranges::unique(loop.unroll).begin(), loop.unroll.end());
                if (!loop.unroll_known) loop.unroll.clear();
            }
        } else if (spec.unroll && loop.unroll_known) {
            loop.unroll = {1};
        }
    }
    const TileState before = tiles_;
    const auto scoped = [&] {
        if (options_.legacy_frontend || tiles_ == before) return;
        trail_.before({Place::Kind::tiles, &tiles_});
        tiles_ = before;
    };
    const auto make_index = [&](std::int64_t factor) {
        std::string name = spec.idx_name.tag == Tag::string ? *spec.idx_name.as.text : std::string(text(target));
        Atom atom{AtomKind::loop_index, std::move(name), {}, id, OpaqueOp::none, {}, {}};
        if (step.known() && step.value > 0) {
            atom.bounds.low = trace_.symbols.bounds(start).low;
            if (const auto high = trace_.symbols.bounds(stop).high) atom.bounds.high = *high - 1;
        }
        (void)factor;
        const AtomId a = trace_.symbols.new_atom(std::move(atom));
        trace_.loops[id].index = a;
        return Value::of(trace_.symbols.of_atom(a)).at(here(target));
    };
    Flow flow = Flow::normal;
    if (spec.unroll) {
        // Each factor is a sub-loop of its own with its own body; the copies are separate operations.
        std::vector<std::int64_t> factors = trace_.loops[id].unroll;
        constexpr std::size_t kMaxFactors = 12;
        if (factors.empty() || factors.size() > kMaxFactors) factors.clear();
        trace_.loops[id].per_item = !factors.empty();
        const Value index = make_index(1);
        const auto item = [&](Value factor) {
            std::vector<Value> pair{index, factor};
            return make_list(Tag::tuple, std::move(pair), target);
        };
        if (factors.empty()) {
            Atom atom{AtomKind::parameter, "unroll factor", {1, std::nullopt}, UINT32_MAX, OpaqueOp::none, {}, {}};
            const AtomId a = trace_.symbols.new_atom(std::move(atom));
            flow = run_symbolic(id, target, item(Value::of(trace_.symbols.of_atom(a))), body);
            scoped();
        }
        for (std::int64_t f : factors) {
            trace_.loops[id].factor_starts.push_back(static_cast<OpId>(trace_.operations.size()));
            const SymInt scaled = trace_.symbols.multiply(step, SymInt::of(f));
            flow = run_symbolic(id, target, item(Value::of(scaled)), body);
            scoped();
            if (flow != Flow::normal) break;
        }
    } else {
        flow = run_symbolic(id, target, make_index(1), body);
        scoped();
    }
    end_loop(id);
    return flow;
}

Flow Interpreter::exec_while(NodeId statement) {
    const NodeId condition = tree_->child(statement, Field::condition);
    const NodeId body = tree_->child(statement, Field::body);
    if (condition == kNoNode || body == kNoNode) return Flow::normal;
    const LoopId id = begin_loop(LoopKind::python_while, statement);
    // Concrete while the condition is decided, within a bound; symbolic after that.
    std::int64_t rounds = 0;
    Flow out = Flow::normal;
    bool decided = true;
    while (rounds < static_cast<std::int64_t>(kMaxItems)) {
        const auto t = truth(eval(condition));
        if (!t) {
            decided = false;
            break;
        }
        if (!*t) break;
        ++rounds;
        const Flow flow = exec_block(body);
        if (flow == Flow::broke) break;
        if (flow == Flow::returned || flow == Flow::raised) {
            out = flow;
            break;
        }
        if (exhausted_) break;
    }
    if (decided && rounds < static_cast<std::int64_t>(kMaxItems)) {
        trace_.loops[id].per_item = true;
        trace_.loops[id].trips = SymInt::of(rounds);
    } else if (out == Flow::normal) {
        havoc_assigned_names(body);
        run_symbolic(id, condition, Value{}, body);
        havoc_assigned_names(body);
    }
    end_loop(id);
    if (const NodeId alternative = tree_->child(statement, Field::alternative);
        alternative != kNoNode && out == Flow::normal) {
        if (const NodeId b = tree_->child(alternative, Field::body); b != kNoNode) out = exec_block(b);
    }
    return out;
}

}  // namespace ptofix::trace
