// What the body of a Python loop does that a device loop could not: facts for the legality of a conversion.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

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

}  // namespace ptofix::trace
