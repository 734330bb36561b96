#include "rewrites/kernel_users.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "rewrites/device_code.h"
#include "rewrites/module_ways.h"
#include "text/words.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

using FilePointer = std::shared_ptr<const trace::SourceFile>;

/// Does the identifier stand for a variable or an attribute, and not for what a definition, an import or a call names?
bool is_use(const syntax::Tree& tree, NodeId identifier) {
    const NodeId parent = tree.parent(identifier);
    switch (tree.kind(parent)) {
        case Kind::dotted_name:
        case Kind::aliased_import:
            return false;
        case Kind::function_definition:
        case Kind::class_definition:
        case Kind::keyword_argument:
            return tree[identifier].field != Field::name;
        default:
            return true;
    }
}

/// The kernel, and what is followed with it: the functions that call it, and those that call these. One of them may
/// be called by a kernel of yet another file.
class Users {
  public:
    Users(const trace::KernelTrace& kernel, const trace::SourceFile& file, OtherFiles& others)
        : kernel_(kernel), others_(others) {
        const FilePointer own(FilePointer(), &file);  // of the trace, which outlives this
        const std::string name(kernel.name);
        know_everywhere({nullptr, file.path(), name, name, true, true});
        for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
            if (file.tree.kind(id) != Kind::identifier || file.text(id) != name || !is_use(file.tree, id)) continue;
            know_functions_around(own, id);
        }
    }

    std::optional<rules::Blocked> obstacle() {
        while (!todo_.empty()) {
            const Known known = std::move(todo_.back());
            todo_.pop_back();
            if (known.file != nullptr) {
                if (auto found = look_at(known.file, known)) return found;
            }
            for (const auto& importer : others_.importers(known.path, known.first, known.is_last)) {
                if (importer.file == nullptr || importer.file->tree.empty()) continue;
                if (others_.key_of(importer.path) == others_.key_of(known.path)) continue;
                if (auto found = look_at(importer.file, known)) return found;
            }
        }
        return std::nullopt;
    }

  private:
    /// A file or folder, the first name behind it on the way, and the name of the kernel or function.
    struct Known {
        FilePointer file;  // of a function: where it is; null: it is known there without being defined
        std::string path, first, name;
        bool is_last, is_kernel;
    };

    void know(Known known) {
        if (seen_.emplace(others_.key_of(known.path), known.first, known.name).second) {
            todo_.push_back(std::move(known));
        }
    }

    /// And through the packages around.
    void know_everywhere(Known known) {
        const auto [ways, fresh] = ways_.try_emplace(known.path);
        if (fresh) ways->second = ways_to(known.path);
        for (const ModuleWay& each : ways->second) {
            know({nullptr, each.path, each.way.substr(0, each.way.find('.')), known.name, false, known.is_kernel});
        }
        know(std::move(known));
    }

    void know_functions_around(const FilePointer& file, NodeId node) {
        const syntax::Tree& tree = file->tree;
        std::vector<std::string> functions;
        std::string outermost;
        for (NodeId at = tree.parent(node); at != kNoNode; at = tree.parent(at)) {
            const Kind kind = tree.kind(at);
            // `run = lambda x, w, out: kernel(x, w, out)`
            const NodeId name = kind == Kind::assignment ? tree.child(at, Field::left)
                                : kind == Kind::function_definition || kind == Kind::class_definition
                                    ? tree.child(at, Field::name)
                                    : kNoNode;
            if (name == kNoNode || tree.kind(name) != Kind::identifier) continue;
            outermost = file->text(name);
            if (kind != Kind::class_definition) functions.push_back(outermost);
        }
        for (const std::string& function : functions) {
            know_everywhere({file, file->path(), outermost, function, true, false});
        }
    }

    std::optional<rules::Blocked> look_at(const FilePointer& file, const Known& known) {
        const syntax::Tree& tree = file->tree;
        std::vector<std::string_view> names{known.name};
        for (NodeId id = 0; id < tree.nodes().size(); ++id) {
            if (tree.kind(id) != Kind::aliased_import) continue;
            if (file->text(tree.child(id, Field::name)) == known.name) {
                names.push_back(file->text(tree.child(id, Field::alias)));
            }
        }
        const auto is_it = [&](NodeId node) {
            if (node != kNoNode && tree.kind(node) == Kind::attribute) node = tree.child(node, Field::attribute);
            if (node == kNoNode || tree.kind(node) != Kind::identifier) return false;
            return std::ranges::find(names, file->text(node)) != names.end();
        };
        const bool may_have_kernels = text::has_word(file->text(), "jit");
        for (NodeId id = 0; id < tree.nodes().size(); ++id) {
            // project.project: a module of the kernel's name.
            if (known.is_kernel && tree.kind(id) == Kind::attribute && is_it(tree.child(id, Field::object)) &&
                !is_it(id)) {
                return blocked("PTO207.blocked.attribute", file, id);
            }
            if (tree.kind(id) != Kind::identifier || !is_it(id) || !is_use(tree, id)) continue;
            if (may_have_kernels && runs_on_device(*file, id, {}))
                return blocked("PTO207.blocked.device_call", file, id);
            know_functions_around(file, id);
        }
        for (const std::string_view name : names) {
            know({nullptr, file->path(), std::string(name), std::string(name), true, known.is_kernel});
        }
        return std::nullopt;
    }

    rules::Blocked blocked(std::string_view id, const FilePointer& file, NodeId node) {
        rules::Blocked result{{id, {}}, rules::Location{others_.number_of(file), file->tree.range(node)}};
        result.reason.data.set("kernel", std::string(kernel_.name));
        return result;
    }

    const trace::KernelTrace& kernel_;
    OtherFiles& others_;
    std::vector<Known> todo_;
    std::map<std::string, std::vector<ModuleWay>> ways_;  // to each file
    std::set<std::tuple<std::string, std::string, std::string>> seen_;
};

}  // namespace

std::optional<rules::Blocked> user_obstacle(const trace::Trace& trace, trace::KernelId id, OtherFiles* others) {
    if (others == nullptr) return std::nullopt;
    const trace::KernelTrace& kernel = trace.kernels[id];
    return Users(kernel, *trace.files[kernel.site.file], *others).obstacle();
}

}  // namespace ptofix::rewrites
