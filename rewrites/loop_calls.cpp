// The calls that a loop's body makes, itself and in the functions it calls: each must be one whose effect is known.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "rewrites/liveness.h"
#include "rewrites/loop_checks.h"
#include "rewrites/names.h"
#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;
using trace::find_operation;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

// Python's own functions that change nothing. The tracer says where one gets the loop's index and needs its number.
constexpr auto kPureBuiltins = std::to_array<std::string_view>({"abs",
                                                                "all",
                                                                "any",
                                                                "bool",
                                                                "dict",
                                                                "divmod",
                                                                "enumerate",
                                                                "float",
                                                                "getattr",
                                                                "hasattr",
                                                                "int",
                                                                "isinstance",
                                                                "len",
                                                                "list",
                                                                "max",
                                                                "min",
                                                                "pow",
                                                                "range",
                                                                "reversed",
                                                                "round",
                                                                "set",
                                                                "sorted",
                                                                "str",
                                                                "sum",
                                                                "tuple",
                                                                "type",
                                                                "zip",
                                                                "replace",
                                                                "asdict",
                                                                "astuple",
                                                                "SimpleNamespace"});
constexpr auto kPureModules =
    std::to_array<std::string_view>({"math", "dataclasses", "itertools", "functools", "operator"});
constexpr auto kPureMethods = std::to_array<std::string_view>(
    {"get",   "items", "keys",  "values",     "copy",     "index", "count", "format", "join", "split",
     "strip", "lower", "upper", "startswith", "endswith", "min",   "max",   "size",   "dim",  "simplify"});
constexpr auto kMutatingMethods =
    std::to_array<std::string_view>({"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
                                     "update", "add", "setdefault", "popitem", "discard"});
constexpr auto kMakers = std::to_array<std::string_view>({"list", "dict", "set", "sorted", "replace"});
constexpr auto kOutput = std::to_array<std::string_view>({"print", "logging", "logger", "log", "warnings", "sys"});

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

class Calls {
  public:
    Calls(const Trace& trace, const LoopRegion& region) : trace_(trace), region_(region) {}

    std::optional<Blocked> check() {
        for (std::size_t i = 0; i < region_.parts.size(); ++i) {
            const Site part = region_.parts[i];
            const SourceFile& file = *trace_.files[part.file];
            const FrameworkNames names(file);
            if (i == 0 || i >= region_.own) read_names(i);
            for (NodeId n = part.node; n < file.tree[part.node].subtree_end; ++n) {
                std::optional<Blocked> found;
                switch (file.tree.kind(n)) {
                    case Kind::call:
                        found = check_call(file, names, {part.file, n});
                        break;
                    case Kind::assignment:
                    case Kind::augmented_assignment:
                        found = check_target(file, {part.file, n});
                        break;
                    default:
                        break;
                }
                if (found) return found;
            }
        }
        return std::nullopt;
    }

  private:
    /// The names that this part binds; the statements bind theirs together.
    void read_names(std::size_t first) {
        locals_.clear();
        for (std::size_t i = first; i < std::max(region_.own, first + 1); ++i) {
            const Site part = region_.parts[i];
            const SourceFile& file = *trace_.files[part.file];
            for (const Binding& b : bound_names(file, part.node)) {
                if (!region_.by_statement || makes_new(file, b.node)) locals_.insert(b.name);
            }
        }
    }

    /// `name = []`, `name = dict(...)`: what is changed under this name was made here. The trace of a loop tells what
    /// other names stand for; that of statements does not.
    static bool makes_new(const SourceFile& file, NodeId target) {
        const NodeId assignment = file.tree.parent(target);
        if (file.tree.kind(assignment) != Kind::assignment || file.tree[target].field != Field::left) return false;
        const NodeId right = file.tree.child(assignment, Field::right);
        switch (right == kNoNode ? Kind::identifier : file.tree.kind(right)) {
            case Kind::list:
            case Kind::dictionary:
            case Kind::set:
            case Kind::list_comprehension:
            case Kind::dictionary_comprehension:
            case Kind::set_comprehension:
                return true;
            case Kind::call: {
                const std::string_view callee = file.text(file.tree.child(right, Field::function));
                return is_one_of(kMakers, callee) || defines_class(file, callee);
            }
            default:
                return false;
        }
    }

    static NodeId root_of(const SourceFile& file, NodeId n) {
        for (;;) {
            NodeId next = kNoNode;
            switch (file.tree.kind(n)) {
                case Kind::attribute:
                    next = file.tree.child(n, Field::object);
                    break;
                case Kind::subscript:
                    next = file.tree.child(n, Field::value);
                    break;
                default:
                    break;
            }
            if (next == kNoNode) return n;
            n = next;
        }
    }
    /// Made anew by each trip: bound in the part that the loop runs.
    bool is_local(const SourceFile& file, NodeId root) const {
        return file.tree.kind(root) == Kind::identifier && locals_.contains(file.text(root));
    }

    static bool defines_class(const SourceFile& file, std::string_view name) {
        for (NodeId n = 0; n < file.tree.nodes().size(); ++n) {
            if (file.tree.kind(n) == Kind::class_definition && file.text(file.tree.child(n, Field::name)) == name)
                return true;
        }
        return false;
    }

    std::optional<Blocked> check_call(const SourceFile& file, const FrameworkNames& names, Site call) const {
        if (region_.explained->contains(call)) return std::nullopt;
        const Tree& tree = file.tree;
        const NodeId callee = tree.child(call.node, Field::function);
        const std::string text = shown(trace_, {call.file, callee});
        const auto unknown = [&] { return blocked_at(trace_, "PTO201.blocked.unknown_call", call, "name", text); };
        if (const auto function = names.function(callee)) {
            // Not recorded: a setting, a number, or an arm that is never taken.
            std::string_view name = *function;
            if (find_operation(name)) return std::nullopt;
            name = name.substr(name.rfind('.') + 1);
            return find_operation(name) ? std::nullopt : std::optional(unknown());
        }
        if (tree.kind(callee) == Kind::identifier) {
            if (is_one_of(kOutput, text)) return blocked_at(trace_, "PTO201.blocked.side_effect", call, "name", text);
            if (is_one_of(kPureBuiltins, text) || defines_class(file, text)) return std::nullopt;
            return unknown();
        }
        if (tree.kind(callee) != Kind::attribute) return unknown();
        const NodeId root = root_of(file, callee);
        const std::string_view root_text = file.text(root);
        const std::string_view method = file.text(tree.child(callee, Field::attribute));
        if (is_one_of(kPureModules, root_text)) return std::nullopt;
        if (is_one_of(kOutput, root_text)) return blocked_at(trace_, "PTO201.blocked.side_effect", call, "name", text);
        if (is_one_of(kPureMethods, method)) return std::nullopt;
        if (is_one_of(kMutatingMethods, method)) {
            if (is_local(file, root)) return std::nullopt;
            return blocked_at(trace_, "PTO201.blocked.list_append", call, "name",
                              shown(trace_, {call.file, tree.child(callee, Field::object)}));
        }
        return unknown();
    }

    /// x.y = ..., and x[...] = ... where the trace does not say what x is.
    std::optional<Blocked> check_target(const SourceFile& file, Site assignment) const {
        const Tree& tree = file.tree;
        const NodeId left = tree.child(assignment.node, Field::left);
        if (left == kNoNode) return std::nullopt;
        for (NodeId n = left; n < tree[left].subtree_end;) {
            const Kind kind = tree.kind(n);
            if (kind != Kind::attribute && kind != Kind::subscript) {
                ++n;
                continue;
            }
            const Site target{assignment.file, n};
            if (!region_.explained->contains(target) && !is_local(file, root_of(file, n))) {
                if (kind == Kind::attribute) {
                    return blocked_at(trace_, "PTO201.blocked.list_append", target, "name", shown(trace_, target));
                }
                return blocked_at(trace_, "blocked.not_followed", target, "what", shown(trace_, target));
            }
            n = tree[n].subtree_end;
        }
        return std::nullopt;
    }

    const Trace& trace_;
    const LoopRegion& region_;
    std::unordered_set<std::string_view> locals_;  // of the statements, or of the function that is looked at
};

}  // namespace

std::optional<Blocked> check_calls(const Trace& trace, const LoopRegion& region) {
    return Calls(trace, region).check();
}

}  // namespace ptofix::rewrites
