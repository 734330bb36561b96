#include "trace/interpreter.h"

#include <algorithm>

namespace ptofix::trace {

Interpreter::Interpreter(Project& project, Trace& trace, Heap& heap, const TraceOptions& options)
    : project_(project), trace_(trace), heap_(heap), options_(options), limit_(options.step_budget) {}

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

bool Interpreter::out_of_budget() {
    if (exhausted_) return true;
    if (++steps_ < limit_) return false;
    exhausted_ = true;
    return true;
}

Value Interpreter::unknown(UnknownReason::Why why, NodeId node, std::string_view detail) {
    Value v;
    v.file = file_;
    v.node = node;
    v.as.reason = nullptr;
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
    v.as.list->birth = ++sequence_;
    return v.at(here(node));
}

Scope* Interpreter::new_scope(Scope* parent) {
    Scope* s = heap_.make<Scope>();
    s->parent = parent;
    s->file = file_;
    return s;
}

void Interpreter::bind(Scope* scope, std::string_view name, Value value) {
    Scope::Entry* e = scope->find(name);
    if (e == nullptr) {
        scope->entries.push_back({name, Value{}, false});
        e = &scope->entries.back();
    }
    const auto index = static_cast<std::uint32_t>(e - scope->entries.data());
    trail_.before({Place::Kind::name, scope, index});
    e->value = value;
    e->bound = true;
    e->written = ++sequence_;
    name_tensor(value, name);
}

void Interpreter::bind_name(std::string_view name, Value value) {
    Scope* target = scope_;
    if (std::ranges::find(scope_->globals, name) != scope_->globals.end()) {
        while (target->parent != nullptr) target = target->parent;
    } else if (std::ranges::find(scope_->nonlocals, name) != scope_->nonlocals.end()) {
        for (Scope* s = scope_->parent; s != nullptr; s = s->parent) {
            if (!s->is_class && s->find(name) != nullptr) {
                target = s;
                break;
            }
        }
    }
    bind(target, name, value);
}

Scope::Entry* Interpreter::entry_of(Scope* scope, std::string_view name) {
    bool first = true;
    for (Scope* s = scope; s != nullptr; s = s->parent) {
        if (s->is_class && !first) continue;
        first = false;
        Scope::Entry* e = s->find(name);
        if (e != nullptr && e->bound) return e;
    }
    return nullptr;
}

Value Interpreter::load(std::string_view name, NodeId node) {
    Scope::Entry* e = entry_of(scope_, name);
    if (e != nullptr) {
        if (!loops_.empty() && e->written < loops_.back().start) {
            // A value older than the loop is read inside it: if the loop also writes the name, it is loop-carried.
            if (e->stale_read < loops_.back().start || e->written < e->stale_written) e->stale_written = e->written;
            e->stale_read = ++sequence_;
        }
        if (e->value.tag != Tag::lazy_import) return e->value;
        const Value resolved = resolve(e->value);
        e = entry_of(scope_, name);  // resolving runs modules, which may add names
        if (e != nullptr) e->value = resolved;
        return resolved;
    }
    return lookup_builtin(name, node);
}

Value Interpreter::lookup_builtin(std::string_view name, NodeId node) {
    Scope* module = scope_;
    while (module->parent != nullptr) module = module->parent;
    for (const std::string& star : module->star_modules) {
        if (star.starts_with("pypto") || star == "torch" || star == "math") {
            return external_attribute(star, name, node);
        }
        Module* m = load_module(star, here(node));
        if (m == nullptr || m->globals == nullptr) continue;
        if (const auto v = module_name(m, name)) return *v;
    }
    if (name == "__name__") return string_value(file_ == trace_.main ? "__main__" : "module", node);
    if (name == "__file__") return unknown(UnknownReason::Why::runtime_value, node, name);
    static constexpr std::string_view kBuiltins[] = {
        "abs",      "all",          "any",         "bool",     "dict",  "divmod",     "enumerate", "filter",
        "float",    "frozenset",    "getattr",     "hasattr",  "int",   "isinstance", "iter",      "len",
        "list",     "map",          "max",         "min",      "next",  "object",     "pow",       "print",
        "property", "range",        "repr",        "reversed", "round", "set",        "setattr",   "slice",
        "sorted",   "staticmethod", "classmethod", "str",      "sum",   "super",      "tuple",     "type",
        "zip",      "callable",     "id",          "hash",     "vars",  "open",       "format"};
    if (std::ranges::find(kBuiltins, name) != std::end(kBuiltins)) {
        Value v = Value::with(Tag::external);
        v.as.text = heap_.intern(std::string("builtins.").append(name));
        return v.at(here(node));
    }
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

std::optional<Value> Interpreter::module_name(Module* m, std::string_view name) {
    Scope::Entry* e = m->globals->find(name);
    if (e == nullptr || !e->bound) return std::nullopt;
    if (e->value.tag != Tag::lazy_import) return e->value;
    const Value resolved = resolve(e->value);
    e = m->globals->find(name);  // resolving runs modules, which may add names
    e->value = resolved;
    return resolved;
}

Value Interpreter::resolve(Value v) {
    if (v.tag != Tag::lazy_import) return v;
    // Packages that import each other by name or by star come back here; after so many steps nothing new is found.
    constexpr int kMaxResolve = 16;
    if (out_of_budget() || resolving_ >= kMaxResolve) return {};
    ++resolving_;
    v = resolve_lazy(v);
    --resolving_;
    return v;
}

Value Interpreter::resolve_lazy(Value v) {
    const LazyImport& lazy = *v.as.lazy;
    const auto external = [&](std::string_view name) {
        Value out = Value::with(Tag::external);
        out.as.text = heap_.intern(name);
        return out.at(v.origin());
    };
    const FileId from = v.file;
    const FileId saved = file_;
    enter_file(from);
    Module* m = load_module(lazy.module, lazy.site);
    Value out;
    if (lazy.name.empty()) {
        if (m != nullptr) {
            out = Value::with(Tag::module);
            out.as.module = m;
        } else {
            out = external(lazy.module);
        }
    } else if (m != nullptr) {
        Scope::Entry* e = m->globals->find(lazy.name);
        if (e == nullptr || !e->bound) {
            const std::string joined =
                lazy.module.ends_with('.') ? lazy.module + lazy.name : lazy.module + "." + lazy.name;
            if (Module* sub = load_module(joined, lazy.site); sub != nullptr) {  // from package import module
                out = Value::with(Tag::module);
                out.as.module = sub;
            } else if (!m->globals->star_modules.empty()) {
                Scope* here_scope = scope_;
                scope_ = m->globals;
                enter_file(m->file);
                out = lookup_builtin(lazy.name, lazy.site.node);
                scope_ = here_scope;
            }
        } else {
            if (e->value.tag == Tag::lazy_import) {
                const Value pending = e->value;
                e->value = Value{};  // an import cycle reads unknown
                const Value resolved = resolve(pending);
                e = m->globals->find(lazy.name);  // resolving may have added names
                e->value = resolved;
            }
            out = e->value;
        }
    } else {
        std::string joined = lazy.module.ends_with('.') ? lazy.module + lazy.name : lazy.module + "." + lazy.name;
        if (Module* sub = load_module(joined, lazy.site); sub != nullptr) {
            out = Value::with(Tag::module);
            out.as.module = sub;
        } else {
            out = external_attribute(lazy.module, lazy.name, lazy.site.node);
        }
    }
    enter_file(saved);
    return out;
}

}  // namespace ptofix::trace
