// Functions inside of functions that were handed to code that is not seen: a compiler, a test's helper. That code calls
// them, at a time that is not known.
#include <algorithm>
#include <unordered_set>

#include "trace/interpreter.h"

namespace ptofix::trace {

void Interpreter::run_handed_on() {
    std::unordered_set<NodeId> seen;
    for (std::size_t i = 0; i < lost_.size() && !budget_.is_spent(); ++i) {
        if (lost_[i].tag != Tag::function) continue;
        Function* f = lost_[i].as.function;
        const bool inside = f->closure != nullptr && f->closure->parent != nullptr;
        if (!inside || f->site.file != trace_.main || f->is_kernel || f->is_lambda) continue;
        if (executed_.contains(f->site.node) || !seen.insert(f->site.node).second) continue;
        forget_around(*f);
        host_saw_operation_ = false;
        run_entry(f, false);
        if (host_saw_operation_ && !budget_.is_spent() && !ran_in_kernel_.contains(f->site.node)) run_entry(f, true);
    }
}

void Interpreter::forget_around(const Function& f) {
    // What the names around it hold when it is called is known of those that hold one thing for ever.
    NodeId outermost = f.site.node;
    for (NodeId n = tree_->parent(outermost); n != kNoNode; n = tree_->parent(n)) {
        if (kind(n) == Kind::function_definition) outermost = n;
    }
    for (Scope* s = f.closure; s != nullptr && s->parent != nullptr; s = s->parent) {
        for (std::size_t i = 0; i < s->entries.size(); ++i) {
            const Scope::Entry e = s->entries[i];
            if (e.bound && !(stays(e.value) && is_bound_once(outermost, e.name)))
                bind(s, e.name, unknown(UnknownReason::Why::joined, f.site.node, e.name));
        }
    }
}

bool Interpreter::stays(const Value& v) const {
    switch (v.tag) {
        case Tag::list:
        case Tag::set:
        case Tag::dict:
        case Tag::instance:
        case Tag::iterator:
        case Tag::view:
        case Tag::bound_method:
            return false;
        case Tag::tuple:
            return v.as.list->items.size() < kMaxItems &&
                   std::ranges::all_of(
                       v.as.list->items, [&](const Value& item) { return item.tag != Tag::tuple && stays(item); });
        default:
            return true;
    }
}

bool Interpreter::is_bound_once(NodeId definition, std::string_view name) const {
    int times = 0;
    for (NodeId n = definition; n < (*tree_)[definition].subtree_end; ++n) {
        if (kind(n) != Kind::identifier || text(n) != name) continue;
        const Kind parent = kind(tree_->parent(n));
        if (parent == Kind::nonlocal_statement || parent == Kind::augmented_assignment) return false;
        const bool parameter = parent == Kind::parameters || parent == Kind::typed_parameter ||
                               ((parent == Kind::default_parameter || parent == Kind::typed_default_parameter) &&
                                (*tree_)[n].field == Field::name);
        if (!parameter && use_of(*tree_, source_->text(), n).how != Mention::rebound) continue;
        if (++times > 1) return false;
        for (NodeId up = tree_->parent(n); up != kNoNode && up != definition; up = tree_->parent(up)) {
            if (kind(up) == Kind::for_statement || kind(up) == Kind::while_statement) return false;
        }
    }
    return true;
}

}  // namespace ptofix::trace
