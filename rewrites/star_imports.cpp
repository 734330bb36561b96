#include "rewrites/star_imports.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rewrites/imports.h"
#include "rewrites/variables.h"

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

// Longer chains of stars are taken for ones that may give anything.
constexpr int kMostStars = 4;

/// The statements that take all that a module has.
std::vector<NodeId> stars_in(const trace::SourceFile& file) {
    std::vector<NodeId> stars;
    for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
        if (file.tree.kind(id) == Kind::wildcard_import) stars.push_back(file.tree.parent(id));
    }
    return stars;
}

std::string_view module_of(const trace::SourceFile& file, NodeId star) {
    const NodeId module = file.tree.child(star, Field::module_name);
    return module == kNoNode ? std::string_view() : file.text(module);
}

/// The framework has no other torch.
bool is_framework(std::string_view module) {
    return module == "pypto" || module.starts_with("pypto.");
}

bool is_the_module(const trace::SourceFile& file, std::string_view name, std::string_view module) {
    if (module_alias(file, module) != name) return false;
    const auto uses = variable_uses(file, file.tree.root(), name);
    return std::ranges::none_of(uses, [&](NodeId use) { return binds(file.tree, use); });
}

bool may_give(const trace::SourceFile& file, NodeId star, std::string_view name, std::string_view module,
              OtherFiles* others, int depth) {
    const std::string_view from = module_of(file, star);
    if (is_framework(from)) return false;
    if (others == nullptr || depth > kMostStars) return true;
    const auto given = others->import(from, file.path());
    if (given == nullptr) return true;
    if (is_mentioned(*given, name) && !is_the_module(*given, name, module)) return true;
    return std::ranges::any_of(stars_in(*given),
                               [&](NodeId next) { return may_give(*given, next, name, module, others, depth + 1); });
}

}  // namespace

bool may_clash_with_star(const trace::SourceFile& file, std::string_view module, OtherFiles* others) {
    const std::string alias = module_alias(file, module);
    const std::string name = alias.empty() ? std::string(module) : alias;
    // A module that is imported behind a star is what its name means from there on.
    NodeId last = 0;
    for (const NodeId child : file.tree.children(file.tree.root())) {
        if (alias.empty() || file.tree.kind(child) != Kind::import_statement) continue;
        for (const NodeId part : file.tree.children(child)) {
            const NodeId as = file.tree.child(part, Field::alias);
            const std::string_view text = file.text(as == kNoNode ? part : as);
            if (text.substr(0, text.find('.')) == name) last = child;
        }
    }
    for (const NodeId star : stars_in(file)) {
        if (star > last && may_give(file, star, name, module, others, 0)) return true;
    }
    if (!alias.empty() || others == nullptr) return false;
    for (const auto& importer : others->importers(file.path(), name, true)) {
        if (importer.file == nullptr || importer.file->tree.empty()) continue;
        const trace::SourceFile& other = *importer.file;
        if (!is_mentioned(other, name) || is_the_module(other, name, module)) continue;
        for (const NodeId star : stars_in(other)) {
            const std::string from(module_of(other, star));
            if (others->means(from, other.path(), file.path()) != OtherFiles::Means::no) return true;
        }
    }
    return false;
}

}  // namespace ptofix::rewrites
