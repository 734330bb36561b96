#include "rewrites/device_code.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

class DeviceCode {
  public:
    DeviceCode(const trace::SourceFile& file, std::span<const NodeId> kernels)
        : file_(file), tree_(file.tree), device_(kernels.begin(), kernels.end()) {
        for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
            if (tree_.kind(id) == Kind::function_definition) functions_.push_back(id);
        }
        // An alias of an alias is known one round later.
        for (std::size_t known = 0; known != jits_.size();) {
            known = jits_.size();
            find_jits();
        }
        find_kernels();
        for (std::size_t i = 0; i < device_.size(); ++i) find_calls(device_[i]);
    }

    bool has(NodeId node) const {
        for (NodeId at = node; at != kNoNode; at = tree_.parent(at)) {
            if (std::ranges::find(device_, at) != device_.end()) return true;
        }
        return false;
    }

  private:
    bool names_jit(NodeId node) const {
        if (node == kNoNode) return false;
        return std::ranges::any_of(jits_, [&](std::string_view jit) { return text::has_word(file_.text(node), jit); });
    }

    void add_jit(NodeId name) {
        if (name == kNoNode || tree_.kind(name) != Kind::identifier) return;
        if (std::ranges::find(jits_, file_.text(name)) == jits_.end()) jits_.push_back(file_.text(name));
    }

    bool add_functions(NodeId name) {
        if (tree_.kind(name) != Kind::identifier) return false;
        bool found = false;
        for (const NodeId function : functions_) {
            if (file_.text(tree_.child(function, Field::name)) != file_.text(name)) continue;
            found = true;
            if (std::ranges::find(device_, function) == device_.end()) device_.push_back(function);
        }
        return found;
    }

    /// jit(f): f is a kernel. False: no function is handed over.
    bool add_arguments(NodeId call) {
        const NodeId arguments = tree_.child(call, Field::arguments);
        if (arguments == kNoNode || !names_jit(tree_.child(call, Field::function))) return false;
        bool found = false;
        for (const NodeId child : tree_.children(arguments)) found = add_functions(child) || found;
        return found;
    }

    /// `import jit as k`, `k = jit`, `k = jit(host_options={})`.
    void find_jits() {
        for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
            if (tree_.kind(id) == Kind::aliased_import && names_jit(tree_.child(id, Field::name))) {
                add_jit(tree_.child(id, Field::alias));
            } else if (tree_.kind(id) == Kind::assignment && names_jit(tree_.child(id, Field::right))) {
                const NodeId right = tree_.child(id, Field::right);
                const bool is_kernel = tree_.kind(right) == Kind::call && add_arguments(right);
                if (!is_kernel) add_jit(tree_.child(id, Field::left));
            }
        }
    }

    void find_kernels() {
        for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
            if (tree_.kind(id) == Kind::call) add_arguments(id);
            if (tree_.kind(id) != Kind::decorator || !names_jit(id)) continue;
            for (const NodeId function : functions_) {
                if (tree_.parent(function) == tree_.parent(id)) device_.push_back(function);
            }
        }
    }

    void find_calls(NodeId function) {
        for (NodeId id = function; id < tree_[function].subtree_end; ++id) {
            if (tree_.kind(id) != Kind::call) continue;
            NodeId callee = tree_.child(id, Field::function);
            if (callee == kNoNode) continue;
            if (tree_.kind(callee) == Kind::attribute) {
                const std::string_view object = file_.text(tree_.child(callee, Field::object));
                if (object != "self" && object != "cls") continue;
                callee = tree_.child(callee, Field::attribute);
            }
            add_functions(callee);
        }
    }

    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    std::vector<NodeId> functions_, device_;
    std::vector<std::string_view> jits_{"jit"};
};

}  // namespace

bool runs_on_device(const trace::SourceFile& file, NodeId node, std::span<const NodeId> kernels) {
    if (file.tree.enclosing(node, Kind::function_definition) == kNoNode) return false;
    return DeviceCode(file, kernels).has(node);
}

}  // namespace ptofix::rewrites
