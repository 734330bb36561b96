#include "trace/interpreter.h"

#include <algorithm>

namespace ptofix::trace {

Interpreter::Interpreter(Project& project, Trace& trace, Heap& heap, const TraceOptions& options)
    : project_(project),
      trace_(trace),
      heap_(heap),
      options_(options),
      imports_left_(options.imports_budget),
      kernels_left_(options.kernels_budget),
      hosts_left_(std::max(options.hosts_budget, options.host_steps)) {}

Interpreter::Aside::Aside(Interpreter& interpreter)
    : of_(interpreter),
      file_(of_.file_),
      scope_(of_.scope_),
      loops_(std::exchange(of_.loops_, {})),
      frames_(std::exchange(of_.frames_, {})),
      facts_(std::exchange(of_.facts_, {})),
      tries_(std::exchange(of_.tries_, {})),
      handled_(std::exchange(of_.handled_, {})),
      kernel_(of_.kernel_),
      branch_(of_.branch_),
      tiles_(of_.tiles_),
      trying_(of_.trying_) {}

Interpreter::Aside::~Aside() {
    of_.scope_ = scope_;
    of_.loops_ = std::move(loops_);
    of_.frames_ = std::move(frames_);
    of_.facts_ = std::move(facts_);
    of_.tries_ = std::move(tries_);
    of_.handled_ = std::move(handled_);
    of_.kernel_ = kernel_;
    of_.branch_ = branch_;
    of_.tiles_ = tiles_;
    of_.trying_ = trying_;
    of_.enter_file(file_);
}

FileId Interpreter::add_file(std::shared_ptr<const SourceFile> file) {
    const auto id = static_cast<FileId>(trace_.files.size());
    trace_.files.push_back(file.get());
    heap_.keep(std::move(file));
    return id;
}

void Interpreter::enter_file(FileId file) {
    if (file == file_) return;
    file_ = file;
    source_ = file == kNoFile ? nullptr : trace_.files[file];
    tree_ = source_ ? &source_->tree : nullptr;
}

bool Interpreter::deeper() {
    if (depth_ >= kMaxDepth) return false;
    ++depth_;
    return true;
}

void Interpreter::charge(std::size_t items) {
    // Work on long lists and texts counts as that many steps of sixteen items.
    budget_.take(static_cast<WorkBudget::Steps>(std::min<std::size_t>(items >> 4, budget_.left())));
}

bool Interpreter::out_of_budget() {
    return !budget_.step();
}

Value Interpreter::unknown(UnknownReason::Why why, NodeId node, std::string_view detail) {
    static const UnknownReason kLibraryValue{UnknownReason::Why::library_value, {}, {}};
    if (why != UnknownReason::Why::not_given && why != UnknownReason::Why::budget) risk();
    Value v;
    v.file = file_;
    v.node = node;
    v.as.reason = why == UnknownReason::Why::library_value ? &kLibraryValue : nullptr;
    if (options_.keep_unknowns) {
        v.as.reason = heap_.make<UnknownReason>(UnknownReason{why, here(node), std::string(detail)});
        trace_.unknowns.push_back({why, here(node), std::string(detail), kernel_});
    }
    return v;
}

Value Interpreter::string_value(std::string_view s, NodeId node) {
    Value v = Value::with(Tag::string);
    v.as.text = heap_.intern(s);
    return v.at(here(node));
}

Value Interpreter::make_list(Tag tag, std::vector<Value> items, NodeId node) {
    Value v = Value::with(tag);
    v.as.list = heap_.make<List>();
    v.as.list->items = std::move(items);
    v.as.list->unordered = tag == Tag::set;
    v.as.list->birth = ++sequence_;
    return v.at(here(node));
}

Value Interpreter::make_dict(NodeId node) {
    Value v = Value::with(Tag::dict);
    v.as.dict = heap_.make<Dict>();
    v.as.dict->birth = ++sequence_;
    return v.at(here(node));
}

Scope* Interpreter::new_scope(Scope* parent) {
    Scope* s = heap_.make<Scope>();
    s->parent = parent;
    s->file = file_;
    s->birth = ++sequence_;
    return s;
}

void Interpreter::keep_scopes() {
    for (Scope* s = scope_; s != nullptr && !s->kept; s = s->parent) s->kept = true;
}

void Interpreter::bind(Scope* scope, std::string_view name, Value value) {
    value = with_assumption(name, value);
    Scope::Entry* e = scope->find(name);
    if (e == nullptr) e = scope->add(name);
    const auto index = static_cast<std::uint32_t>(e - scope->entries.data());
    trail_.before({Place::Kind::name, scope, index});
    e->value = value;
    e->bound = true;
    e->partial = false;
    e->written = ++sequence_;
    name_tensor(value, name);
}

void Interpreter::unbind(Scope* scope, std::string_view name) {
    Scope::Entry* e = scope->find(name);
    if (e == nullptr) return;
    trail_.before({Place::Kind::name, scope, static_cast<std::uint32_t>(e - scope->entries.data())});
    e->bound = false;
    e->partial = false;
}

Scope* Interpreter::scope_of_binding(Scope* from, std::string_view name) {
    if (std::ranges::find(from->globals, name) != from->globals.end()) {
        Scope* module = from;
        while (module->parent != nullptr) module = module->parent;
        return module;
    }
    if (std::ranges::find(from->nonlocals, name) != from->nonlocals.end()) {
        for (Scope* s = from->parent; s != nullptr; s = s->parent) {
            if (!s->is_class && s->find(name) != nullptr) return s;
        }
    }
    return from;
}

void Interpreter::bind_name(std::string_view name, Value value) {
    if (raising_) return;
    Scope* target = scope_of_binding(scope_, name);
    bind(target, name, value);
}

void Interpreter::bind_around_comprehension(std::string_view name, Value value) {
    Scope* s = scope_;
    while (s->is_comprehension && s->parent != nullptr) s = s->parent;
    bind(scope_of_binding(s, name), name, value);
}

void Interpreter::unbind_name(std::string_view name) {
    unbind(scope_of_binding(scope_, name), name);
}

void Interpreter::unbind_target(NodeId target) {
    const NodeId inner = kind(target) == Kind::as_pattern_target ? tree_->named_child(target, 0) : target;
    if (inner != kNoNode && kind(inner) == Kind::identifier) unbind_name(text(inner));
}

Scope::Entry* Interpreter::entry_of(Scope* scope, std::string_view name, Scope** found) {
    bool first = true;
    for (Scope* s = scope; s != nullptr; s = s->parent) {
        if (s->is_class && !first) continue;
        first = false;
        if (!s->globals.empty() && std::ranges::find(s->globals, name) != s->globals.end()) {
            while (s->parent != nullptr) s = s->parent;
        }
        Scope::Entry* e = s->find(name);
        if (e != nullptr && e->bound) {
            if (found != nullptr) *found = s;
            return e;
        }
    }
    return nullptr;
}

Value Interpreter::load(std::string_view name, NodeId node) {
    Scope* scope = nullptr;
    Scope::Entry* e = entry_of(scope_, name, &scope);
    if (e == nullptr) return lookup_builtin(name, node);
    if (!loops_.empty() && e->written < loops_.back().start) note_stale(scope, *e);
    if (!tries_.empty() && !frames_.empty() && scope != scope_ && is_unbound_local(name, scope)) {
        risk();
        return unknown(UnknownReason::Why::undefined_name, node, name);
    }
    if (e->partial) {  // on some ways it has no value here
        risk();
        if (scope->is_module && is_builtin(name)) return unknown(UnknownReason::Why::joined, node, name);
    }
    return narrowed(e->value);
}

namespace {

/// Built-in functions that no library of operations has under the same name.
bool is_never_hidden(std::string_view name) {
    static constexpr std::string_view kNames[] = {"range", "len",        "print",     "list",   "dict", "tuple",
                                                  "str",   "isinstance", "enumerate", "zip",    "int",  "float",
                                                  "set",   "sorted",     "getattr",   "hasattr"};
    return std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace

bool Interpreter::is_unbound_local(std::string_view name, const Scope* found) {
    // A name that the function binds, and that is found outside of it only: Python raises, which a handler may count
    // on.
    const CallFrame& frame = frames_.back();
    for (const Scope* s = scope_; s != nullptr; s = s->parent) {
        if (s == found) return false;
        if (s == frame.scope) break;
    }
    const Function& f = *frame.function;
    if (f.is_lambda || f.body == kNoNode || f.site.file == kNoFile) return false;
    const Effects& effects = effects_of({f.site.file, f.body});
    return std::ranges::binary_search(effects.own, name) && !std::ranges::binary_search(effects.declared, name);
}

bool Interpreter::is_builtin(std::string_view name) {
    static constexpr std::string_view kBuiltins[] = {
        "abs",      "all",        "any",         "ascii",        "bin",           "bool",     "bytearray", "bytes",
        "callable", "chr",        "classmethod", "compile",      "complex",       "delattr",  "dict",      "dir",
        "divmod",   "enumerate",  "eval",        "exec",         "filter",        "float",    "format",    "frozenset",
        "getattr",  "globals",    "hasattr",     "hash",         "help",          "hex",      "id",        "input",
        "int",      "isinstance", "issubclass",  "iter",         "len",           "list",     "locals",    "map",
        "max",      "memoryview", "min",         "next",         "object",        "oct",      "open",      "ord",
        "pow",      "print",      "property",    "range",        "repr",          "reversed", "round",     "set",
        "setattr",  "slice",      "sorted",      "staticmethod", "str",           "sum",      "super",     "tuple",
        "type",     "vars",       "zip",         "__import__",   "NotImplemented"};
    return std::ranges::find(kBuiltins, name) != std::end(kBuiltins);
}

Value Interpreter::lookup_builtin(std::string_view name, NodeId node) {
    Scope* module = scope_;
    while (module->parent != nullptr) module = module->parent;
    for (const std::string& star : module->star_modules) {
        // A library's names, whatever they are: pypto's and torch's by name, of others nothing is known.
        if (star.starts_with("pypto") && is_never_hidden(name)) break;
        if (star.starts_with("pypto") || star.starts_with("torch") || star == "math")
            return external_attribute(star, name, node);
        risk();
        return unknown(UnknownReason::Why::undefined_name, node, name);
    }
    if (name == "__name__") return module_name_value(node);
    if (name == "__file__") return unknown(UnknownReason::Why::runtime_value, node, name);
    if (is_builtin(name)) return external_value(std::string("builtins.").append(name), node);
    if (Class* k = exception_class(name); k != nullptr && name != "FrozenInstanceError") {
        Value v = Value::with(Tag::klass);
        v.as.klass = k;
        return v.at(here(node));
    }
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

}  // namespace ptofix::trace
