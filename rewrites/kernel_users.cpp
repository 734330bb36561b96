#include "rewrites/kernel_users.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rewrites/device_code.h"
#include "rewrites/module_ways.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

class Users {
  public:
    Users(const trace::KernelTrace& kernel, const std::string& path, OtherFiles& others)
        : kernel_(kernel), others_(others) {
        const std::string name(kernel.name);
        know({path, name, name, true});
        for (ModuleWay& each : ways_to(path)) {
            know({std::move(each.path), each.way.substr(0, each.way.find('.')), name, false});
        }
    }

    std::optional<rules::Blocked> obstacle() {
        while (!todo_.empty()) {
            const Known known = std::move(todo_.back());
            todo_.pop_back();
            for (const auto& importer : others_.importers(known.path, known.first, known.is_last)) {
                if (importer.file == nullptr || importer.file->tree.empty()) continue;
                if (others_.key_of(importer.path) == others_.key_of(known.path)) continue;
                if (auto found = look_at(importer.file, known.kernel)) return found;
            }
        }
        return std::nullopt;
    }

  private:
    /// A file or folder, the first name behind it on the way to the kernel, and the kernel's own.
    struct Known {
        std::string path, first, kernel;
        bool is_last;
    };

    void know(Known known) {
        if (seen_.emplace(others_.key_of(known.path), known.first).second) todo_.push_back(std::move(known));
    }

    std::optional<rules::Blocked> look_at(const std::shared_ptr<const trace::SourceFile>& file,
                                          const std::string& kernel) {
        const syntax::Tree& tree = file->tree;
        std::vector<std::string_view> names{kernel};
        for (NodeId id = 0; id < tree.nodes().size(); ++id) {
            if (tree.kind(id) != Kind::aliased_import) continue;
            if (file->text(tree.child(id, Field::name)) == kernel) {
                names.push_back(file->text(tree.child(id, Field::alias)));
            }
        }
        const auto is_kernel = [&](NodeId node) {
            if (node != kNoNode && tree.kind(node) == Kind::attribute) node = tree.child(node, Field::attribute);
            if (node == kNoNode || tree.kind(node) != Kind::identifier) return false;
            return std::ranges::find(names, file->text(node)) != names.end();
        };
        for (NodeId id = 0; id < tree.nodes().size(); ++id) {
            const Kind kind = tree.kind(id);
            // project.project: a module of the kernel's name.
            if (kind == Kind::attribute && is_kernel(tree.child(id, Field::object)) && !is_kernel(id)) {
                return blocked("PTO207.blocked.attribute", file, id);
            }
            if (kind == Kind::call && is_kernel(tree.child(id, Field::function)) && runs_on_device(*file, id, {})) {
                return blocked("PTO207.blocked.device_call", file, id);
            }
        }
        for (const std::string_view name : names) know({file->path(), std::string(name), std::string(name), true});
        return std::nullopt;
    }

    rules::Blocked blocked(std::string_view id, const std::shared_ptr<const trace::SourceFile>& file, NodeId node) {
        rules::Blocked result{{id, {}}, rules::Location{others_.number_of(file), file->tree.range(node)}};
        result.reason.data.set("kernel", std::string(kernel_.name));
        return result;
    }

    const trace::KernelTrace& kernel_;
    OtherFiles& others_;
    std::vector<Known> todo_;
    std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

std::optional<rules::Blocked> user_obstacle(const trace::Trace& trace, trace::KernelId id, OtherFiles* others) {
    if (others == nullptr) return std::nullopt;
    const trace::KernelTrace& kernel = trace.kernels[id];
    return Users(kernel, trace.files[kernel.site.file]->path(), *others).obstacle();
}

}  // namespace ptofix::rewrites
