#include "rewrites/loop_legality.h"

#include <algorithm>

#include "rewrites/liveness.h"
#include "rewrites/loop_checks.h"
#include "rewrites/mentions.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;
using trace::Branch;
using trace::BranchId;
using trace::is_device;
using trace::KernelTrace;
using trace::kNoAtom;
using trace::kNone;
using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::LoopUse;
using trace::Site;
using trace::SourceFile;
using trace::Symbols;
using trace::SymInt;
using trace::Trace;

// The code generator follows device loops to this depth (MAX_LOOP_DEPTH of the framework's codegen).
constexpr std::int64_t kMaxLoopDepth = 3;

class Check {
  public:
    Check(const Trace& trace, LoopId id)
        : trace_(trace), id_(id), loop_(trace.loops[id]), file_(*trace.files[loop_.site.file]), tree_(file_.tree) {}

    LoopVerdict run() {
        LoopVerdict verdict;
        verdict.blocked = obstacle();
        if (!verdict.blocked) verdict.doubt = doubts();
        return verdict;
    }

    /// What any other form of the loop needs too: a counting loop whose trips leave nothing to Python.
    std::optional<Blocked> leaves_nothing() {
        if (auto blocked = form()) return blocked;
        body_ = tree_.child(loop_.site.node, Field::body);
        for (const auto check : {&Check::exits, &Check::uses, &Check::names, &Check::traced}) {
            if (auto blocked = (this->*check)()) return blocked;
        }
        return std::nullopt;
    }

  private:
    /// The first thing in the way.
    std::optional<Blocked> obstacle() {
        if (auto blocked = leaves_nothing()) return blocked;
        if (auto blocked = nesting()) return blocked;
        const LoopRegion region(trace_, id_);
        if (auto blocked = check_calls(trace_, region)) return blocked;
        if (auto blocked = loop_position_calls(region)) return blocked;
        if (auto blocked = check_index_places(trace_, id_)) return blocked;
        if (auto blocked = check_writes(trace_, id_)) return blocked;
        if (trace_.kernels[loop_.kernel].legacy_frontend) return std::nullopt;
        return check_tiles_after(trace_, id_, region);
    }

    Site at(NodeId node) const { return {loop_.site.file, node}; }
    Blocked blocked(std::string_view reason, NodeId node, std::string_view key = {}, std::string value = {}) const {
        return blocked_at(trace_, reason, at(node), key, std::move(value));
    }

    /// `for name in range(...):` and nothing else.
    std::optional<Blocked> form() const {
        const NodeId statement = loop_.site.node;
        if (tree_.kind(statement) == Kind::while_statement) {
            return blocked("PTO201.blocked.not_a_range", statement, "what", "a condition");
        }
        if (tree_.kind(statement) != Kind::for_statement) return blocked("PTO201.blocked.comprehension", statement);
        const NodeId over = tree_.child(statement, Field::right);
        if (loop_.kind != LoopKind::python_range || tree_.kind(over) != Kind::call ||
            file_.text(tree_.child(over, Field::function)) != "range" || tree_.has_token(statement, Kind::async)) {
            return blocked("PTO201.blocked.not_a_range", over, "what", shown(trace_, at(over)));
        }
        const NodeId arguments = tree_.child(over, Field::arguments);
        for (NodeId a : tree_.children(arguments)) {
            const Kind kind = tree_.kind(a);
            if (kind == Kind::list_splat || kind == Kind::dictionary_splat || kind == Kind::keyword_argument) {
                return blocked("PTO201.blocked.not_a_range", over, "what", shown(trace_, at(over)));
            }
        }
        if (const NodeId alternative = tree_.child(statement, Field::alternative); alternative != kNoNode) {
            return blocked("PTO201.blocked.loop_else", alternative);
        }
        const NodeId target = tree_.child(statement, Field::left);
        if (tree_.kind(target) != Kind::identifier) return blocked("PTO201.blocked.target", target);
        return std::nullopt;
    }

    /// break, continue and return of this loop; yield.
    std::optional<Blocked> exits() const {
        for (NodeId n = body_; n < tree_[body_].subtree_end;) {
            switch (tree_.kind(n)) {
                case Kind::function_definition:
                case Kind::lambda:
                case Kind::class_definition:
                    n = tree_[n].subtree_end;
                    continue;
                case Kind::return_statement:
                case Kind::yield:
                case Kind::await:
                    return blocked("PTO201.blocked.breaks", n);
                case Kind::break_statement:
                case Kind::continue_statement:
                    if (own_loop_of(n) == loop_.site.node) return blocked("PTO201.blocked.breaks", n);
                    break;
                case Kind::global_statement:
                case Kind::nonlocal_statement:
                    return blocked("blocked.not_followed", n, "what", shown(trace_, at(n)));
                default:
                    break;
            }
            ++n;
        }
        return std::nullopt;
    }
    NodeId own_loop_of(NodeId n) const {
        while (tree_.kind(n) != Kind::for_statement && tree_.kind(n) != Kind::while_statement) n = tree_.parent(n);
        return n;
    }

    std::string root_name(Site site) const {
        const SourceFile& file = *trace_.files[site.file];
        NodeId n = site.node;
        for (;;) {
            NodeId next = kNoNode;
            switch (file.tree.kind(n)) {
                case Kind::call:
                    next = file.tree.child(n, Field::function);
                    break;
                case Kind::attribute:
                    next = file.tree.child(n, Field::object);
                    break;
                case Kind::subscript:
                    next = file.tree.child(n, Field::value);
                    break;
                default:
                    break;
            }
            if (next == kNoNode) return shown(trace_, {site.file, n});
            n = next;
        }
    }
    std::string callee(Site site) const {
        const SourceFile& file = *trace_.files[site.file];
        if (file.tree.kind(site.node) != Kind::call) return shown(trace_, site);
        return shown(trace_, {site.file, file.tree.child(site.node, Field::function)});
    }

    Blocked reason_of(const LoopUse& use) const {
        switch (use.kind) {
            case LoopUse::Kind::list_append:
                return blocked_at(trace_, "PTO201.blocked.list_append", use.site, "name", root_name(use.site));
            case LoopUse::Kind::list_index:
                return blocked_at(trace_, "PTO201.blocked.list_index", use.site, "name", root_name(use.site));
            case LoopUse::Kind::carried_value:
                return blocked_at(trace_, "PTO201.blocked.carried_value", carried_at(use), "name", use.detail);
            case LoopUse::Kind::index_in_shape:
                return blocked_at(trace_, "PTO201.blocked.index_in_shape", use.site);
            case LoopUse::Kind::index_in_tile:
                return blocked_at(trace_, "PTO201.blocked.index_in_tile", use.site);
            case LoopUse::Kind::index_in_condition:
                return blocked_at(trace_, "PTO201.blocked.index_in_condition", condition_of(use.site));
            case LoopUse::Kind::index_in_text:
                return blocked_at(trace_, "PTO201.blocked.index_in_text", use.site);
            case LoopUse::Kind::index_as_key:
                return blocked_at(trace_, "PTO201.blocked.index_as_key", use.site, "name", root_name(use.site));
            case LoopUse::Kind::index_escapes:
                return blocked_at(trace_, "PTO201.blocked.index_escapes", use.site, "name", callee(use.site));
            case LoopUse::Kind::index_divided:
                return blocked_at(trace_, "PTO201.blocked.index_divided", use.site);
            case LoopUse::Kind::index_after_loop:
                return blocked_at(trace_, "PTO201.blocked.index_after_loop", use.site, "name", root_name(use.site));
            case LoopUse::Kind::breaks:
                return blocked_at(trace_, "PTO201.blocked.breaks", use.site);
        }
        return blocked_at(trace_, "blocked.not_followed", use.site, "what", shown(trace_, use.site));
    }
    /// Of an `if` statement, its condition: the statement itself would be the whole block.
    Site condition_of(Site site) const {
        const Tree& tree = trace_.files[site.file]->tree;
        const NodeId condition = tree.child(site.node, Field::condition);
        return condition == kNoNode ? site : Site{site.file, condition};
    }
    Site carried_at(const LoopUse& use) const {
        const NodeId read = read_before_binding(file_, body_, use.detail);
        return read == kNoNode ? at(tree_.child(loop_.site.node, Field::left)) : at(read);
    }

    std::optional<Blocked> uses() const {
        const LoopUse* first = nullptr;
        for (const LoopUse& use : trace_.loop_uses) {
            if (use.loop != id_ || use.kind == LoopUse::Kind::breaks) continue;
            if (first == nullptr || use.site < first->site) first = &use;
        }
        if (first == nullptr) return std::nullopt;
        return reason_of(*first);
    }

    /// What the body binds must neither be read by the next trip nor after the loop.
    std::optional<Blocked> names() const {
        const std::string_view target = file_.text(tree_.child(loop_.site.node, Field::left));
        for (const Binding& binding : bound_names(file_, loop_.site.node)) {
            if (binding.name != target) {
                const NodeId early = read_before_binding(file_, body_, binding.name);
                if (early != kNoNode) {
                    return blocked("PTO201.blocked.carried_value", early, "name", std::string(binding.name));
                }
            }
            if (const NodeId captured = read_by_closure(binding.name); captured != kNoNode) {
                return blocked("PTO201.blocked.index_after_loop", captured, "name", std::string(binding.name));
            }
            const NodeId late = read_after(file_, loop_.site.node, binding.name);
            if (late != kNoNode) {
                return blocked("PTO201.blocked.index_after_loop", late, "name", std::string(binding.name));
            }
        }
        return std::nullopt;
    }

    /// A nested function or lambda outside of the loop that reads the name: nobody knows when.
    NodeId read_by_closure(std::string_view name) const {
        const NodeId function = tree_.enclosing(loop_.site.node, Kind::function_definition);
        const NodeId around = function == kNoNode ? kNoNode : tree_.child(function, Field::body);
        if (around == kNoNode) return kNoNode;
        const Mentions mentions(file_);
        for (const NodeId mention : mentions.below(around, name)) {
            if (tree_.is_inside(mention, loop_.site.node)) continue;
            NodeId outermost = kNoNode;
            for (NodeId at = mention; at != around; at = tree_.parent(at)) {
                const Kind kind = tree_.kind(at);
                if (kind == Kind::function_definition || kind == Kind::lambda) outermost = at;
            }
            if (outermost == kNoNode) continue;
            if (const NodeId read = find_read(file_, outermost, name); read != kNoNode) return read;
        }
        return kNoNode;
    }

    /// The trace must show the body as it is, once, for every trip.
    std::optional<Blocked> traced() const {
        const KernelTrace& kernel = trace_.kernels[loop_.kernel];
        const NodeId header = tree_.child(loop_.site.node, Field::right);
        if (!kernel.complete) return blocked("blocked.not_followed", header, "what", "the work bound was reached");
        if (loop_.step.known() && loop_.step.value < 0) return blocked("PTO201.blocked.counts_down", header);
        if (loop_.trips.is(1)) return blocked("blocked.not_followed", header, "what", "one trip");
        if (loop_.per_item || loop_.index == kNoAtom) {
            return blocked("blocked.not_followed", header, "what", "the trips differ");
        }
        // An inner range() that depends on the index.
        std::optional<Symbols> symbols;
        for (LoopId inner = id_ + 1; inner < kernel.end_loop; ++inner) {
            const Loop& other = trace_.loops[inner];
            if (!is_inside(inner) || is_device(other.kind)) continue;
            for (const SymInt bound : {other.start, other.stop, other.step}) {
                if (!bound.symbolic()) continue;
                if (!symbols) symbols = trace_.symbols;
                if (symbols->depends_on(bound, loop_.index)) {
                    const Tree& tree = trace_.files[other.site.file]->tree;
                    const NodeId over = tree.child(other.site.node, Field::right);
                    const Site site = over == kNoNode ? other.site : Site{other.site.file, over};
                    return blocked_at(trace_, "PTO201.blocked.index_escapes", site, "name", callee(site));
                }
            }
        }
        return std::nullopt;
    }

    bool is_inside(LoopId inner) const {
        for (LoopId l = inner; l != kNone; l = trace_.loops[l].parent) {
            if (l == id_) return inner != id_;
        }
        return false;
    }

    /// Only the innermost device loop may have an unroll list.
    std::optional<Blocked> nesting() const {
        for (LoopId outer = loop_.parent; outer != kNone; outer = trace_.loops[outer].parent) {
            const Loop& around = trace_.loops[outer];
            if (!is_device(around.kind)) continue;
            const bool unrolled = around.unroll.size() > 1 || (around.unroll.size() == 1 && around.unroll[0] != 1);
            if (unrolled || !around.unroll_known) {
                return blocked_at(trace_, "PTO201.blocked.outer_unroll", around.spec->call);
            }
        }
        return std::nullopt;
    }

    /// is_loop_begin and is_loop_end ask the innermost device loop, which would be another one after the change.
    std::optional<Blocked> loop_position_calls(const LoopRegion& region) const {
        bool in_device_loop = false;
        for (LoopId outer = loop_.parent; outer != kNone; outer = trace_.loops[outer].parent) {
            in_device_loop = in_device_loop || is_device(trace_.loops[outer].kind);
        }
        if (!in_device_loop) return std::nullopt;
        for (Site part : region.parts) {
            const SourceFile& file = *trace_.files[part.file];
            for (NodeId n = part.node; n < file.tree[part.node].subtree_end; ++n) {
                if (file.tree.kind(n) != Kind::call) continue;
                const std::string_view name = file.text(file.tree.child(n, Field::function));
                if (name.ends_with("is_loop_begin") || name.ends_with("is_loop_end")) {
                    return blocked_at(trace_, "PTO201.blocked.loop_position", {part.file, n}, "name",
                                      std::string(name));
                }
            }
        }
        return std::nullopt;
    }

    /// A device loop in an arm that is chosen at run time.
    std::optional<Blocked> device_condition_around() const {
        if (loop_.first_op >= loop_.end_op) return std::nullopt;
        for (BranchId b = trace_.operations[loop_.first_op].branch; b != kNone; b = trace_.branches[b].parent) {
            const Branch& branch = trace_.branches[b];
            const bool inside =
                branch.site.file == loop_.site.file && tree_.is_inside(branch.site.node, loop_.site.node);
            if (branch.device && !inside)
                return blocked_at(trace_, "PTO201.blocked.in_condition", condition_of(branch.site));
        }
        return std::nullopt;
    }

    std::optional<Blocked> doubts() const {
        if (auto place = doubt_places(trace_, id_)) return place;
        if (auto condition = device_condition_around()) return condition;
        std::int64_t around = 0;
        for (LoopId outer = loop_.parent; outer != kNone; outer = trace_.loops[outer].parent) {
            around += is_device(trace_.loops[outer].kind) ? 1 : 0;
        }
        std::int64_t inside = 0;
        for (LoopId inner = id_ + 1; inner < trace_.kernels[loop_.kernel].end_loop; ++inner) {
            if (!is_inside(inner)) continue;
            std::int64_t depth = 0;
            for (LoopId l = inner; l != id_; l = trace_.loops[l].parent)
                depth += is_device(trace_.loops[l].kind) ? 1 : 0;
            inside = std::max(inside, depth);
        }
        if (around + 1 + inside > kMaxLoopDepth) {
            Blocked deep = blocked("PTO201.blocked.too_deep", tree_.child(loop_.site.node, Field::right));
            deep.reason.data.set("depth", around + inside);
            return deep;
        }
        if (loop_.site.file != trace_.main) {
            return blocked("PTO201.blocked.helper_shared", tree_.child(loop_.site.node, Field::right), "function",
                           std::string(trace_.frames[loop_.frame].function->name));
        }
        return std::nullopt;
    }

    const Trace& trace_;
    const LoopId id_;
    const Loop& loop_;
    const SourceFile& file_;
    const Tree& tree_;
    NodeId body_ = kNoNode;
};

}  // namespace

std::string shown(const Trace& trace, Site site) {
    constexpr std::size_t kMostBytes = 60;
    std::string text;
    for (char c : trace.files[site.file]->text(site.node)) {
        const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (space && (text.empty() || text.back() == ' ')) continue;
        text.push_back(space ? ' ' : c);
    }
    if (text.size() <= kMostBytes) return text;
    std::size_t cut = kMostBytes;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // not inside a character
    return text.substr(0, cut) + "...";
}

std::optional<Blocked> check_trips(const Trace& trace, LoopId loop) {
    return Check(trace, loop).leaves_nothing();
}

LoopVerdict can_be_device_loop(const Trace& trace, LoopId loop) {
    if (auto no = check_tiles_inside(trace, loop)) {
        LoopVerdict verdict;
        verdict.blocked = std::move(no);
        return verdict;
    }
    return Check(trace, loop).run();
}

}  // namespace ptofix::rewrites
