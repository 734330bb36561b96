// Imports: modules of the project are found, read and executed when they are imported, as Python does; what is not of
// the project is known by its dotted name only.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "text/words.h"
#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

std::string absolute_path(const std::string& path) {
    std::error_code error;
    // Most are as they should be, and asked for with every module.
    const bool is_plain =
        path.starts_with('/') && path.find("//") == std::string::npos && path.find("/.") == std::string::npos;
    if (is_plain) return path;
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

std::string joined(std::string_view module, std::string_view name) {
    std::string out(module);
    if (!out.ends_with('.')) out += '.';
    return out.append(name);
}

}  // namespace

Value Interpreter::module_value(Module* m, NodeId node) {
    Value v = Value::with(Tag::module);
    v.as.module = m;
    return v.at(here(node));
}

Value Interpreter::imported_module(std::string_view dotted, NodeId node) {
    if (Module* m = load_module(dotted, here(node)); m != nullptr) return module_value(m, node);
    if (!is_always_there(dotted.substr(0, dotted.find('.')))) risk();
    return external_value(dotted, node);
}

void Interpreter::exec_import(NodeId node) {
    for (NodeId c : tree_->children(node)) {
        NodeId dotted = c;
        std::string_view alias;
        if (kind(c) == Kind::aliased_import) {
            dotted = tree_->child(c, Field::name);
            if (const NodeId a = tree_->child(c, Field::alias); a != kNoNode) alias = text(a);
        } else if (kind(c) != Kind::dotted_name) {
            continue;
        }
        if (dotted == kNoNode) continue;
        // `import a.b` binds a; `import a.b as c` binds a.b.
        const std::string name = text::without_blanks(text(dotted));  // blanks and lines that go on may stand at a dot
        const NodeId first = tree_->named_child(dotted, 0);
        const std::string_view top = first == kNoNode ? text(dotted) : text(first);
        const Value whole = imported_module(name, c);
        if (raising_) return;
        bind_name(alias.empty() ? top : alias, alias.empty() && top != name ? imported_module(top, c) : whole);
    }
}

void Interpreter::exec_import_from(NodeId node) {
    const NodeId module = tree_->child(node, Field::module_name);
    if (module == kNoNode) return;
    const std::string from = text::without_blanks(text(module));
    Module* m = load_module(from, here(node));
    for (NodeId c : tree_->children(node)) {
        if (raising_) return;
        if (kind(c) == Kind::wildcard_import) {
            import_all(from, m, node);
            continue;
        }
        if ((*tree_)[c].field != Field::name) continue;
        NodeId dotted = c;
        std::string_view alias = text(c);
        if (kind(c) == Kind::aliased_import) {
            dotted = tree_->child(c, Field::name);
            if (const NodeId a = tree_->child(c, Field::alias); a != kNoNode) alias = text(a);
        }
        if (dotted == kNoNode) continue;
        bind_name(alias, imported_name(from, m, text(dotted), c));
    }
}

Value Interpreter::imported_name(std::string_view from, Module* m, std::string_view name, NodeId node) {
    if (m != nullptr) {
        if (const auto v = module_name(m, name, node)) return *v;
    }
    if (Module* sub = load_module(joined(from, name), here(node)); sub != nullptr) return module_value(sub, node);
    if (m == nullptr) {
        if (from.starts_with('.')) return unknown(UnknownReason::Why::undefined_name, node, name);
        if (!is_always_there(from.substr(0, from.find('.')))) risk();
        return external_attribute(std::string(from), name, node);
    }
    if (!m->executing && !m->broken && m->globals->star_modules.empty()) return definite_error("ImportError", node);
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

void Interpreter::import_all(std::string_view from, Module* m, NodeId node) {
    Scope* into = scope_;
    while (into->parent != nullptr) into = into->parent;
    if (m == nullptr) {
        // Any name may be one of those: what was bound before may be hidden.
        if (!is_always_there(from.substr(0, from.find('.')))) risk();
        for (std::size_t i = 0; i < into->entries.size(); ++i) {
            const Scope::Entry e = into->entries[i];
            const bool own = e.value.tag == Tag::module || e.value.tag == Tag::external;
            if (!e.bound || own || e.name.starts_with("_")) continue;
            lose(e.value);
            bind(into, e.name, unknown(UnknownReason::Why::joined, node, e.name));
        }
        into->star_modules.emplace_back(from);
        return;
    }
    if (m->globals == into) return;
    std::optional<std::vector<Value>> all;
    if (Scope::Entry* e = m->globals->find("__all__"); e != nullptr && e->bound) {
        all = iterate(e->value);
        if (!all) into->star_modules.emplace_back(from);
    }
    for (std::size_t i = 0; i < m->globals->entries.size(); ++i) {
        const Scope::Entry e = m->globals->entries[i];
        const auto is_name = [&](const Value& v) { return v.tag == Tag::string && *v.as.text == e.name; };
        const bool wanted = all ? std::ranges::any_of(*all, is_name) : !e.name.starts_with("_");
        if (!e.bound || !wanted) continue;
        bind(into, e.name, e.partial ? unknown(UnknownReason::Why::joined, node, e.name) : e.value);
    }
    for (const std::string& star : std::vector(m->globals->star_modules)) into->star_modules.push_back(star);
    if (m->executing || m->broken) into->star_modules.emplace_back(from);
}

Module* Interpreter::load_module(std::string_view name, Site site) {
    // The framework and the libraries around it are described by our tables, never read from disk.
    static constexpr std::string_view kExternal[] = {
        "pypto",     "torch",       "torch_npu",   "numpy",     "math",      "os",      "sys",
        "typing",    "dataclasses", "enum",        "functools", "itertools", "logging", "pytest",
        "pypto_pro", "copy",        "collections", "time",      "json",      "re",      "abc"};
    if (name.empty() || site.file == kNoFile) return nullptr;
    const std::string_view top = name.substr(0, name.find('.'));
    if (!top.empty() && std::ranges::find(kExternal, top) != std::end(kExternal)) return nullptr;
    constexpr int kMaxResolve = 32;  // packages that import each other
    if (out_of_budget() || resolving_ >= kMaxResolve) return nullptr;
    ++resolving_;
    // A package is imported before what is in it, which then is an attribute of it.
    Module* parent = nullptr;
    const std::size_t dot = name.rfind('.');
    const bool inner = dot != std::string_view::npos && dot > 0 && name[dot - 1] != '.';
    if (inner) parent = load_module(name.substr(0, dot), site);
    Module* m = load_file(name, site);
    --resolving_;
    if (parent != nullptr && m != nullptr && parent != m && parent->globals->find(name.substr(dot + 1)) == nullptr) {
        bind(parent->globals, *heap_.intern(name.substr(dot + 1)), module_value(m, site.node));
    }
    return m;
}

Module* Interpreter::load_file(std::string_view name, Site site) {
    const std::shared_ptr<const SourceFile> file = project_.import(name, trace_.files[site.file]->path());
    if (!file) return nullptr;
    if (const auto it = modules_.find(absolute_path(file->path())); it != modules_.end()) {
        // The file that is traced runs as a script: imported by another, it is a second module that runs by itself.
        if (it->second->file == trace_.main && !file->path().ends_with("__init__.py")) return nullptr;
        execute_module(it->second);
        return it->second;
    }
    constexpr std::size_t kMaxFiles = 200;
    if (trace_.files.size() >= kMaxFiles) return nullptr;
    Module* m = module_of(add_file(file), name);
    execute_module(m);
    return m;
}

Module* Interpreter::module_of(FileId file, std::string_view name) {
    Module* m = heap_.make<Module>();
    m->file = file;
    m->name = name;
    m->globals = new_scope(nullptr);
    m->globals->is_module = true;
    m->globals->file = file;
    modules_.emplace(absolute_path(trace_.files[file]->path()), m);
    return m;
}

void Interpreter::exec_module_body() {
    // One statement that takes long must not hide those behind it: when the module's share is used up, each of them has
    // what its own length allows and a little more, and of what needs more it is known only that it may have changed.
    constexpr WorkBudget::Steps kStepsANode = 4;
    constexpr WorkBudget::Steps kMore = 4'000;
    WorkBudget::Steps more = 2'000'000;  // for all of them
    WorkBudget::Steps granted = 0;
    const auto grant = [&](NodeId statement) {
        const WorkBudget::Steps by_length = kStepsANode * ((*tree_)[statement].subtree_end - statement);
        granted = budget_.taken() + by_length;
        budget_.grant(by_length + std::min(kMore, more));
    };
    const auto settle_account = [&] { more -= std::min(more, budget_.taken() - std::min(budget_.taken(), granted)); };
    bool is_over = false;
    for (const NodeId s : tree_->children(tree_->root())) {
        if (!(*tree_)[s].named || kind(s) == Kind::comment) continue;
        if (is_over) grant(s);
        const Flow flow = exec(s);
        if (is_over) settle_account();
        if (raising_ || (flow != Flow::normal && !budget_.is_spent())) {
            if (!source_->source->is_notebook()) return;
            // It ends a cell; the next one is run all the same.
            raising_ = false;
            error_ = {};
            forget_skipped(s);
            continue;
        }
        if (!budget_.is_spent()) continue;
        is_over = true;
        trace_.cut_short = true;
        grant(s);
        forget_skipped(s);
        settle_account();
        if (budget_.is_spent()) return;
    }
}

void Interpreter::execute_module(Module* m) {
    if (m->executed || m->executing) return;
    m->executing = true;
    // Nothing of what is around the import is around the module's code; what it defines stays, also when the arm that
    // first asked for it is taken back.
    {
        const Aside aside(*this);
        kernel_ = kNone;  // module code is host code, whoever imports it
        branch_ = kNone;
        tiles_ = {};
        trying_ = false;
        const WorkBudget::Share share(budget_, imports_left_, options_.step_budget);
        const bool inside = trail_.is_open();
        const Trail::Mark mark = inside ? trail_.open(sequence_) : 0;
        enter_file(m->file);
        scope_ = m->globals;
        exec_module_body();
        m->broken = std::exchange(raising_, false);
        if (inside) {
            // It runs once: what it changed elsewhere holds on the ways that come after it, and not on the others.
            for (const Change& c : trail_.changes(mark)) {
                if (Trail::birth(c.place) < m->globals->birth && c.place.kind != Place::Kind::tiles) {
                    trail_.overwrite(c.place, top(c.content, tree_->root()));
                }
            }
            trail_.close();
        }
    }
    m->executing = false;
    m->executed = true;
    if (m->broken) risk();
}

std::optional<Value> Interpreter::module_name(Module* m, std::string_view name, NodeId node) {
    Scope::Entry* e = m->globals->find(name);
    if (e != nullptr && e->bound) return e->partial ? unknown(UnknownReason::Why::joined, node, name) : e->value;
    if (name == "__name__") return unknown(UnknownReason::Why::runtime_value, node, name);
    if (m->globals->star_modules.empty()) return std::nullopt;
    Scope* inner = std::exchange(scope_, m->globals);
    const Value v = lookup_builtin(name, node);
    scope_ = inner;
    return v;
}

Value Interpreter::module_name_value(NodeId node) {
    if (file_ == trace_.main) return string_value("__main__", node);
    for (const auto& [path, m] : modules_) {
        // By which name it was imported is not kept where that name was relative; it is never that of the script.
        if (m->file == file_ && !m->name.starts_with('.')) return string_value(m->name, node);
    }
    Value v = Value::with(Tag::marker);
    v.as.text = heap_.intern("__name__");
    return v.at(here(node));
}

}  // namespace ptofix::trace
