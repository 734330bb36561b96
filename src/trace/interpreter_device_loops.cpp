// pypto.loop and pypto.loop_unroll: the body is compiled once, or once for each factor of the unroll list.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

bool Interpreter::legacy_frontend() const {
    return kernel_ != kNone ? trace_.kernels[kernel_].legacy_frontend : options_.legacy_frontend;
}

Flow Interpreter::run_device_loop(NodeId statement, const LoopSpec& spec, NodeId target, NodeId body) {
    const LoopId id = begin_loop(spec.unroll ? LoopKind::device_unroll : LoopKind::device_loop, statement);
    const SymInt start = spec.start.tag == Tag::none ? SymInt::of(0) : spec.start.sym();
    const SymInt stop = spec.stop.sym();
    const SymInt step = spec.step.tag == Tag::none ? SymInt::of(1) : spec.step.sym();
    {
        Loop& loop = trace_.loops[id];
        loop.spec = &spec;
        loop.start = start;
        loop.stop = stop;
        loop.step = step;
        loop.trips =
            trace_.symbols.max(SymInt::of(0), trace_.symbols.ceil_div(trace_.symbols.subtract(stop, start), step));
        read_unroll_list(spec, loop);
    }
    const auto make_index = [&] {
        std::string name = spec.idx_name.tag == Tag::string ? *spec.idx_name.as.text : std::string(text(target));
        Atom atom{AtomKind::loop_index, std::move(name), {}, id, OpaqueOp::none, {}, {}};
        if (step.known() && step.value > 0) {
            atom.bounds.low = trace_.symbols.bounds(start).low;
            if (const auto high = trace_.symbols.bounds(stop).high) atom.bounds.high = *high - 1;
        }
        const AtomId a = trace_.symbols.new_atom(std::move(atom));
        trace_.loops[id].index = a;
        return Value::of(trace_.symbols.of_atom(a)).at(here(target));
    };
    const auto least = trace_.symbols.bounds(trace_.loops[id].trips).low;
    const bool may_skip = !least || *least < 1;
    const auto run = [&](const Value& item, bool skips) {
        const auto iteration = [&] {
            assign(target, item);
            return raising_ ? Flow::raised : exec_block(body);
        };
        return run_symbolic(id, skips, iteration, body);
    };
    Outcome outcome{true, Flow::normal};
    if (spec.unroll) {
        // Each factor is a sub-loop of its own with its own body; the copies are separate operations.
        std::vector<std::int64_t> factors = trace_.loops[id].unroll;
        constexpr std::size_t kMaxFactors = 12;
        if (factors.size() > kMaxFactors) factors.clear();
        trace_.loops[id].per_item = !factors.empty();
        const Value index = make_index();
        const auto item = [&](Value factor) {
            std::vector<Value> pair{index, factor};
            return make_list(Tag::tuple, std::move(pair), target);
        };
        if (factors.empty()) {
            Atom atom{AtomKind::parameter, "unroll factor", {1, std::nullopt}, UINT32_MAX, OpaqueOp::none, {}, {}};
            const AtomId a = trace_.symbols.new_atom(std::move(atom));
            outcome = run(item(Value::of(trace_.symbols.of_atom(a))), may_skip);
        }
        for (std::int64_t f : factors) {
            trace_.loops[id].factor_starts.push_back(static_cast<OpId>(trace_.operations.size()));
            const SymInt scaled = trace_.symbols.multiply(step, SymInt::of(f));
            // What a larger factor leaves may be nothing.
            outcome = run(item(Value::of(scaled)), may_skip || factors.size() > 1);
            if (!outcome.completes) break;
        }
    } else {
        outcome = run(make_index(), may_skip);
    }
    return leave_loop(statement, id, outcome);
}

void Interpreter::read_unroll_list(const LoopSpec& spec, Loop& loop) {
    loop.unroll_known = !spec.has_open_keywords;
    if (!spec.unroll_given) {
        if (spec.unroll && loop.unroll_known) loop.unroll = {1};
        return;
    }
    const auto items = iterate(spec.unroll_list, Order::any);
    loop.unroll_known = items.has_value();
    if (!items) return;
    for (const Value& v : *items) {
        if (v.tag != Tag::integer || v.as.i <= 0) loop.unroll_known = false;
        if (v.tag == Tag::integer && v.as.i > 0) loop.unroll.push_back(v.as.i);
    }
    loop.unroll.push_back(1);
    std::ranges::sort(loop.unroll, std::greater{});
    loop.unroll.erase(std::ranges::unique(loop.unroll).begin(), loop.unroll.end());
    if (!loop.unroll_known) loop.unroll.clear();
}

}  // namespace ptofix::trace
