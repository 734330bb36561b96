#include "rewrites/attribute_calls.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "rewrites/variables.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::SourceFile;

/// The class of that name which stands at the top of the file, where nothing else gives the name a value.
NodeId class_of_file(const SourceFile& file, std::string_view name) {
    const syntax::Tree& tree = file.tree;
    NodeId found = kNoNode;
    for (const NodeId use : variable_uses(file, tree.root(), name)) {
        if (!binds(tree, use)) continue;
        const NodeId type = tree.parent(use);
        const bool is_class = tree.kind(type) == Kind::class_definition && tree.parent(type) == tree.root();
        if (!is_class || found != kNoNode) return kNoNode;
        found = type;
    }
    // `from module import *` may give it another one.
    const bool has_star =
        std::ranges::any_of(tree.nodes(), [](const syntax::Node& node) { return node.kind == Kind::wildcard_import; });
    return has_star ? kNoNode : found;
}

/// Does the class define the method once, and does nothing in the file ask for it but by calls? Then nobody puts
/// another one in its place.
bool has_method(const SourceFile& file, NodeId type, std::string_view class_name, std::string_view method) {
    const syntax::Tree& tree = file.tree;
    const NodeId body = tree.child(type, Field::body);
    if (body == kNoNode) return false;
    std::size_t bindings = 0, methods = 0;
    for (const NodeId use : variable_uses(file, body, method)) {
        if (!binds(tree, use)) continue;
        ++bindings;
        const NodeId function = tree.parent(use);
        if (tree.kind(function) != Kind::function_definition) continue;
        const NodeId outer = tree.parent(function);
        const NodeId statement = tree.kind(outer) == Kind::decorated_definition ? outer : function;
        if (tree.parent(statement) == body) ++methods;
    }
    if (bindings != 1 || methods != 1) return false;
    for (const NodeId use : variable_uses(file, tree.root(), class_name)) {
        const NodeId attribute = tree.parent(use);
        if (tree.kind(attribute) != Kind::attribute || tree.child(attribute, Field::object) != use) continue;
        if (file.text(tree.child(attribute, Field::attribute)) != method) continue;
        const NodeId call = tree.parent(attribute);
        if (tree.kind(call) != Kind::call || tree.child(call, Field::function) != attribute) return false;
    }
    return true;
}

/// How many arguments the call has; nothing where a list is handed over.
std::optional<std::size_t> count_of_arguments(const SourceFile& file, NodeId list) {
    const syntax::Tree& tree = file.tree;
    std::size_t count = 0;
    for (const NodeId child : tree.children(list)) {
        const Kind kind = tree.kind(child);
        if (kind == Kind::list_splat || kind == Kind::dictionary_splat) return std::nullopt;
        if (tree[child].named && kind != Kind::comment) ++count;
    }
    return count;
}

bool takes(const trace::KernelTrace& kernel, std::size_t count) {
    const auto& parameters = kernel.function->parameters;
    const auto needed = std::ranges::count_if(parameters, [](const trace::Parameter& p) { return !p.has_default; });
    return count >= static_cast<std::size_t>(needed) && count <= parameters.size();
}

/// `super().kernel(...)`
bool is_of_base(const SourceFile& file, NodeId object) {
    if (file.tree.kind(object) != Kind::call) return false;
    const NodeId callee = file.tree.child(object, Field::function);
    return callee != kNoNode && file.text(callee) == "super";
}

}  // namespace

bool may_be_call_of(const trace::KernelTrace& kernel, const SourceFile& file, NodeId call,
                    const std::function<bool(std::string_view name)>& is_imported) {
    const syntax::Tree& tree = file.tree;
    const NodeId callee = tree.child(call, Field::function);
    if (callee == kNoNode || tree.kind(callee) != Kind::attribute) return false;
    const NodeId attribute = tree.child(callee, Field::attribute);
    const NodeId object = tree.child(callee, Field::object);
    if (attribute == kNoNode || object == kNoNode || file.text(attribute) != kernel.name) return false;
    NodeId root = object;
    while (root != kNoNode && tree.kind(root) == Kind::attribute) root = tree.child(root, Field::object);
    if (root == kNoNode || is_of_base(file, object)) return false;
    if (tree.kind(root) == Kind::identifier) {
        const std::string_view name = file.text(root);
        if (is_imported(name)) return false;
        if (root == object) {
            if (name == "self" || name == "cls") return false;
            const NodeId type = class_of_file(file, name);
            if (type != kNoNode && has_method(file, type, name, kernel.name)) return false;
        }
    }
    const NodeId list = tree.child(call, Field::arguments);
    if (list == kNoNode || tree.kind(list) != Kind::argument_list) return false;
    const auto count = count_of_arguments(file, list);
    return !count || takes(kernel, *count);
}

}  // namespace ptofix::rewrites
