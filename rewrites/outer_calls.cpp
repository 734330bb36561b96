#include "rewrites/outer_calls.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "rewrites/attribute_calls.h"
#include "rewrites/device_code.h"
#include "rewrites/hidden_uses.h"
#include "rewrites/host_conversion.h"
#include "rewrites/kernel_users.h"
#include "rewrites/module_ways.h"
#include "rewrites/variables.h"
#include "text/words.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::SourceFile;
using FilePointer = std::shared_ptr<const SourceFile>;
using Means = OtherFiles::Means;

// Nobody writes a longer way than this through modules that hand each other on: outer.package.module.kernel.
constexpr int kMostSteps = 4;

/// Where the kernel is known: a file, or a folder that is a package without a file, and what leads to it from there:
/// "kernel", "module.kernel".
struct Known {
    std::string path;
    std::string name;
    std::string module = {};  // of a folder: what leads from there to `target`
    std::string target = {};
    int steps = 0;  // modules on the way that hand another one on
};

std::string_view first_of(std::string_view dotted) {
    return dotted.substr(0, dotted.find('.'));
}

NodeId function_around(const syntax::Tree& tree, NodeId node) {
    return tree.enclosing(node, Kind::function_definition);
}

/// "main" and tests leave the kernel to whoever imports it.
bool is_in_wrapper(const SourceFile& file, NodeId call) {
    for (NodeId at = file.tree.parent(call); at != kNoNode; at = file.tree.parent(at)) {
        if (file.tree.kind(at) == Kind::lambda) return true;
        if (file.tree.kind(at) != Kind::function_definition) continue;
        const std::string_view name = file.text(file.tree.child(at, Field::name));
        return name != "main" && !name.starts_with("test");
    }
    return false;
}

/// One name that an import statement gives: `from module import name as local`, `import module as local`.
struct Imported {
    NodeId statement = kNoNode;
    std::string module;  // of `from`; else empty
    std::string name;    // "*" for all
    std::string local;   // what the file calls it; of `import a.b` the "a"
    bool is_alias = false;
};

std::vector<Imported> imports_in(const SourceFile& file) {
    const syntax::Tree& tree = file.tree;
    std::vector<Imported> all;
    for (NodeId node = 0; node < tree.nodes().size(); ++node) {
        const Kind kind = tree.kind(node);
        if (kind != Kind::import_statement && kind != Kind::import_from_statement) continue;
        const bool is_from = kind == Kind::import_from_statement;
        const NodeId from = is_from ? tree.child(node, Field::module_name) : kNoNode;
        if (is_from && from == kNoNode) continue;
        for (const NodeId child : tree.children(node)) {
            if (child == from) continue;
            const Kind what = tree.kind(child);
            Imported imported{node, is_from ? text::without_blanks(file.text(from)) : std::string(), {}, {}, false};
            if (what == Kind::wildcard_import) {
                imported.name = "*";
            } else if (what == Kind::aliased_import) {
                imported.name = text::without_blanks(file.text(tree.child(child, Field::name)));
                imported.local = file.text(tree.child(child, Field::alias));
                imported.is_alias = true;
            } else if (what == Kind::dotted_name) {
                imported.name = text::without_blanks(file.text(child));
                imported.local = first_of(imported.name);
            } else {
                continue;
            }
            all.push_back(std::move(imported));
        }
    }
    return all;
}

/// Do both give the name one and the same thing?
bool agree(const Imported& a, const Imported& b) {
    if (a.module.empty() && b.module.empty() && !a.is_alias && !b.is_alias) return true;  // import a.b, import a.c
    return a.module == b.module && a.name == b.name;
}

/// The reason that names the place.
rules::Blocked caller_obstacle(const trace::KernelTrace& kernel, const SourceFile& file, trace::FileId id,
                               NodeId node) {
    rules::Blocked blocked{{"PTO207.blocked.caller", {}}, rules::Location{id, file.tree.range(node)}};
    blocked.reason.data.set("kernel", std::string(kernel.name)).set("path", file.path());
    blocked.reason.data.set("line", std::int64_t{file.lines.line_of(file.tree[node].start)});
    return blocked;
}

class Search {
  public:
    Search(const trace::Trace& trace, trace::KernelId kernel, OtherFiles& others)
        : kernel_(trace.kernels[kernel]), own_(*trace.files[kernel_.site.file]), others_(others) {}

    OuterCalls run() {
        look_at_own_file();
        know_with_folders(own_.path(), std::string(kernel_.name));
        while (!todo_.empty() && !out_.obstacle) {
            const Known known = std::move(todo_.back());
            todo_.pop_back();
            const bool is_last = known.name.find('.') == std::string::npos;
            steps_ = known.steps;
            for (const auto& importer : others_.importers(known.path, first_of(known.name), is_last)) {
                if (others_.key_of(importer.path) == others_.key_of(known.path)) continue;
                look_at(importer, known);
                if (out_.obstacle) break;
            }
        }
        if (!out_.obstacle) look_at_attribute_calls();
        return std::move(out_);
    }

  private:
    /// `def run(module): module.kernel(x, w, out)`: nobody knows what it is given.
    void look_at_attribute_calls() {
        for (const auto& caller : others_.attribute_callers(kernel_.name)) {
            if (caller.file == nullptr) continue;
            const bool is_own = others_.key_of(caller.path) == others_.key_of(own_.path());
            const FilePointer& file = is_own ? own_file_ : caller.file;
            const std::vector<Imported> imports = imports_in(*file);
            const auto is_imported = [&](std::string_view name) {
                return std::ranges::any_of(imports, [&](const Imported& one) { return one.local == name; });
            };
            for (NodeId node = 0; node < file->tree.nodes().size(); ++node) {
                if (file->tree.kind(node) != Kind::call) continue;
                if (!may_be_call_of(kernel_, *file, node, is_imported)) continue;
                out_.elsewhere = out_.elsewhere || !is_own;
                return block(file, node);
            }
        }
    }

    void know(std::string path, std::string name, std::string module = {}, std::string target = {}) {
        // Modules that import each other lead to each other without end.
        if (steps_ > kMostSteps) return;
        if (seen_.emplace(others_.key_of(path), name).second) {
            todo_.push_back({std::move(path), std::move(name), std::move(module), std::move(target), steps_});
        }
    }

    /// And by package.module.kernel, for those who import the package alone.
    void know_with_folders(const std::string& path, const std::string& given) {
        know(path, given);
        for (ModuleWay& each : ways_to(path)) {
            const std::string name = each.way + "." + given;
            if (each.has_init) {
                know(std::move(each.path), name);
            } else {
                know(std::move(each.path), name, std::move(each.way), path);
            }
        }
    }

    void block(const FilePointer& file, NodeId node) {
        if (!out_.obstacle) out_.obstacle = caller_obstacle(kernel_, *file, others_.number_of(file), node);
    }

    void look_at_own_file() {
        const FilePointer file(FilePointer(), &own_);  // of the trace, which outlives this
        own_file_ = file;
        const NodeId definition = own_.tree.child(kernel_.site.node, Field::name);
        follow(file, own_.tree.root(), std::string(kernel_.name), definition, Means::yes);
        const std::vector<Imported> imports = imports_in(own_);
        for (const Imported& imported : imports) {
            if (imported.local == kernel_.name) return block(file, imported.statement);
        }
        block_import_of_itself(file, imports);
        const NodeId hidden = hidden_use(own_, {std::string(kernel_.name)}, false);
        if (hidden != kNoNode) block(file, hidden);
    }

    /// `import kernels` in kernels.py: nothing resolves to the file that asks.
    void block_import_of_itself(const FilePointer& file, const std::vector<Imported>& imports) {
        const std::string own = module_name(file->path());
        const auto may_be_it = [&](std::string_view module) {
            if (module.substr(module.rfind('.') + 1) != own) return false;
            const FilePointer target = others_.import(module, file->path());
            return target == nullptr || others_.key_of(target->path()) == others_.key_of(file->path());
        };
        for (const Imported& imported : imports) {
            const std::string dot = imported.module.ends_with('.') || imported.module.empty() ? "" : ".";
            if (may_be_it(imported.module) || may_be_it(imported.module + dot + imported.name)) {
                return block(file, imported.statement);
            }
        }
    }

    void look_at(const OtherFiles::Importer& importer, const Known& known) {
        const FilePointer& file = importer.file;
        if (file == nullptr) {
            if (out_.obstacle) return;
            out_.obstacle = rules::Blocked{{"PTO207.blocked.caller_unparsed", {}}, std::nullopt};
            out_.obstacle->reason.data.set("kernel", std::string(kernel_.name)).set("path", importer.path);
            out_.elsewhere = true;
            return;
        }
        if (file->tree.empty()) return;
        const std::vector<Imported> imports = imports_in(*file);
        if (importer.by_other_name) {
            out_.elsewhere = true;
            return block(file, imports.empty() ? file->tree.root() : imports.front().statement);
        }
        bool knows = false;
        const std::string last = known.name.substr(known.name.rfind('.') + 1);
        names_ = {last};
        for (const Imported& imported : imports) knows |= import_of(file, imports, imported, known);
        if (importer.at_run_time) look_for_module_in_strings(file, module_name(known.path));
        if (!knows) {
            const NodeId path = importer.in_string ? path_in_string(*file, last) : kNoNode;
            if (path == kNoNode) return;
            out_.elsewhere = true;
            return block(file, path);
        }
        others_.number_of(file);  // a change of it is a change for this
        out_.elsewhere = out_.elsewhere || others_.key_of(file->path()) != others_.key_of(own_.path());
        // By its name in a string: __all__, getattr(). Whoever reads that is out of sight.
        block_import_of_itself(file, imports);
        const NodeId hidden = hidden_use(*file, names_, true);
        if (hidden != kNoNode) block(file, hidden);
    }

    /// import_module("package.module"): what becomes of it is not followed.
    void look_for_module_in_strings(const FilePointer& file, const std::string& module) {
        for (NodeId node = 0; node < file->tree.nodes().size(); ++node) {
            if (file->tree.kind(node) != Kind::string_content || !text::has_word(file->text(node), module)) continue;
            out_.elsewhere = true;
            return block(file, node);
        }
    }

    /// Does the import lead to the kernel? Then the uses of the name are followed.
    bool import_of(const FilePointer& file, const std::vector<Imported>& imports, const Imported& imported,
                   const Known& known) {
        const auto means = [&](const std::string& module) {
            const Means what = others_.means(module, file->path(), known.path);
            if (what == Means::no || known.module.empty()) return what;
            return others_.means(module + "." + known.module, file->path(), known.target);
        };
        const std::string_view first = first_of(known.name);
        const std::string rest = known.name.substr(first.size());  // "" or ".kernel"
        if (imported.module.empty()) {
            if (imported.is_alias) {
                const Means what = means(imported.name);
                if (what == Means::no) return false;
                return named(file, imports, imported, imported.local + "." + known.name, what);
            }
            bool knows = false;
            for (std::size_t end = imported.name.find('.');; end = imported.name.find('.', end + 1)) {
                const std::string prefix = imported.name.substr(0, end);
                const Means what = means(prefix);
                if (what != Means::no) knows |= named(file, imports, imported, prefix + "." + known.name, what);
                if (end == std::string::npos) return knows;
            }
        }
        const Means from = means(imported.module);
        if (from != Means::no && imported.name == "*") return named(file, imports, imported, known.name, from);
        if (from != Means::no && imported.name == first) {
            if (from == Means::maybe) block(file, imported.statement);
            return named(file, imports, imported, imported.local + rest, from) || from == Means::maybe;
        }
        if (imported.name == "*" || from == Means::yes) return false;
        const std::string dot = imported.module.ends_with('.') ? "" : ".";
        // `from package import name` of a name that nothing is known of is not taken for a module of that name.
        const std::string module = imported.module + dot + imported.name;
        const Means what = means(module);
        if (what == Means::no) return false;
        return named(file, imports, imported, imported.local + "." + known.name, what);
    }

    /// An import made this name lead to the kernel; at the top of a file others can import it from there.
    bool named(const FilePointer& file, const std::vector<Imported>& imports, const Imported& imported,
               const std::string& name, Means how) {
        const syntax::Tree& tree = file->tree;
        const std::string local(first_of(name));
        const NodeId function = function_around(tree, imported.statement);
        const bool is_reached = follow(file, function == kNoNode ? tree.root() : function, name, kNoNode, how);
        if (how == Means::maybe && !is_reached) return false;
        // In a class it is reached through the class. Behind another import the name may be another thing.
        const NodeId type = tree.enclosing(imported.statement, Kind::class_definition);
        if (type != kNoNode && (function == kNoNode || type > function)) block(file, imported.statement);
        for (const Imported& other : imports) {
            if (other.name == "*"      ? other.statement > imported.statement && may_give(file, other, local)
                : imported.name != "*" ? other.local == local && !agree(other, imported)
                                       : other.local == local) {
                block(file, other.statement);
            }
        }
        if (name.find('.') == std::string::npos) names_.insert(name);
        if (function != kNoNode) return true;
        const int steps = std::exchange(steps_, steps_ + (name.find('.') == std::string::npos ? 0 : 1));
        know_with_folders(file->path(), name);
        steps_ = steps;
        return true;
    }

    bool may_give(const FilePointer& file, const Imported& star, const std::string& local) {
        const FilePointer from = others_.import(star.module, file->path());
        return from == nullptr || (from->path() != own_.path() && is_mentioned(*from, local));
    }

    /// The uses of the dotted name in the scope: a call is noted, what leads away from it is passed over, and where it
    /// may go elsewhere there is no fix. False: nothing here may lead to the kernel.
    bool follow(const FilePointer& file, NodeId scope, const std::string& name, NodeId definition, Means how) {
        const syntax::Tree& tree = file->tree;
        bool reached = false;
        const auto stop_at = [&](NodeId node) {
            reached = true;
            block(file, node);
        };
        for (const NodeId use : variable_uses(*file, scope, first_of(name))) {
            if (use == definition) continue;
            if (binds(tree, use)) {
                if (how == Means::yes) stop_at(use);
                continue;
            }
            NodeId at = use;
            std::string_view left = std::string_view(name).substr(first_of(name).size());
            bool leads_away = false;
            while (!left.empty() && !leads_away) {
                const NodeId attribute = tree.parent(at);
                if (tree.kind(attribute) != Kind::attribute || tree.child(attribute, Field::object) != at) break;
                const std::string_view next = first_of(left.substr(1));
                const std::string_view taken = file->text(tree.child(attribute, Field::attribute));
                leads_away = taken != next && !reaches_all(taken);
                if (taken != next && !leads_away) break;
                left.remove_prefix(1 + next.size());
                at = attribute;
            }
            if (leads_away) continue;
            const NodeId call = tree.parent(at);
            const bool is_call =
                left.empty() && tree.kind(call) == Kind::call && tree.child(call, Field::function) == at;
            if (!is_call || how == Means::maybe || runs_on_device(*file, call, {})) {
                stop_at(at);
                continue;
            }
            reached = true;
            add(file, call);
        }
        return reached;
    }

    /// kernels.__dict__ has whatever the module has.
    static bool reaches_all(std::string_view attribute) {
        return attribute.starts_with("__") && attribute != "__name__" && attribute != "__file__" &&
               attribute != "__doc__" && attribute != "__version__" && attribute != "__path__";
    }

    void add(const FilePointer& file, NodeId call) {
        const trace::FileId id = file == own_file_ ? kernel_.site.file : others_.number_of(file);
        out_.in_wrapper = out_.in_wrapper || is_in_wrapper(*file, call);
        const bool known = std::ranges::any_of(
            out_.calls, [&](const OuterCall& other) { return other.id == id && other.call == call; });
        // One that was not read for its own sake, as it does not name the framework: nothing of it can be written.
        if (file->source->is_notebook() && !file->source->identity()) return block(file, call);
        if (!known) out_.calls.push_back({file, id, call});
    }

    const trace::KernelTrace& kernel_;
    const SourceFile& own_;
    OtherFiles& others_;
    FilePointer own_file_;
    std::vector<Known> todo_;
    std::set<std::pair<std::string, std::string>> seen_;
    int steps_ = 0;                // to what is looked at
    std::set<std::string> names_;  // of the kernel in the file that is looked at
    OuterCalls out_;
};

}  // namespace

std::optional<OuterCalls> outer_calls(const trace::Trace& trace, trace::KernelId kernel, OtherFiles* others) {
    if (others == nullptr || !can_be_imported(trace, kernel)) return std::nullopt;
    const trace::Site site = trace.kernels[kernel].site;
    if (trace.files[site.file]->tree.enclosing(site.node, Kind::class_definition) != kNoNode) return std::nullopt;
    OuterCalls found = Search(trace, kernel, *others).run();
    if (!found.obstacle) {
        found.obstacle = user_obstacle(trace, kernel, others);
        found.elsewhere = found.elsewhere || found.obstacle.has_value();
    }
    return found.elsewhere ? std::optional(std::move(found)) : std::nullopt;
}

NodeId argument_of(const OuterCall& outer, const trace::KernelTrace& kernel, std::uint32_t parameter) {
    const std::string_view name = kernel.parameters[parameter].name;
    const auto own = std::ranges::find(kernel.function->parameters, name, &trace::Parameter::name);
    const auto position = static_cast<std::size_t>(own - kernel.function->parameters.begin());
    const syntax::Tree& tree = outer.file->tree;
    const NodeId list = tree.child(outer.call, Field::arguments);
    if (list == kNoNode || tree.kind(list) != Kind::argument_list) return kNoNode;
    std::size_t index = 0;
    NodeId found = kNoNode;
    for (const NodeId child : tree.children(list)) {
        const Kind kind = tree.kind(child);
        if (tree.parent(child) != list || !tree[child].named || kind == Kind::comment) continue;
        if (kind == Kind::list_splat || kind == Kind::dictionary_splat) return kNoNode;
        if (kind == Kind::keyword_argument) {
            if (outer.file->text(tree.child(child, Field::name)) == name) found = tree.child(child, Field::value);
        } else if (index++ == position) {
            found = child;
        }
    }
    if (found != kNoNode && may_change_in_call(*outer.file, outer.call, found)) return kNoNode;
    return found;
}

void require_argument(OuterCalls& calls, const trace::KernelTrace& kernel, std::uint32_t parameter) {
    for (const OuterCall& call : calls.calls) {
        if (calls.obstacle) return;
        if (argument_of(call, kernel, parameter) == kNoNode) {
            calls.obstacle = caller_obstacle(kernel, *call.file, call.id, call.call);
        }
    }
    if (calls.obstacle) calls.obstacle->reason.data.set("parameter", std::string(kernel.parameters[parameter].name));
}

}  // namespace ptofix::rewrites
