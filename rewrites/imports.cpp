#include "rewrites/imports.h"

#include <fmt/format.h>

#include "rewrites/lines.h"
#include "rewrites/variables.h"

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

constexpr std::string_view kFramework = "pypto";

/// Imports that stand in the module itself, not in a function or under a condition.
template <typename Visit>
void each_import(const trace::SourceFile& file, Visit&& visit) {
    if (file.tree.empty()) return;
    for (const NodeId child : file.tree.children(file.tree.root())) {
        const Kind kind = file.tree.kind(child);
        if (kind == Kind::import_statement || kind == Kind::import_from_statement) visit(child, kind);
    }
}

bool names_module(std::string_view dotted, std::string_view module) {
    return dotted == module || (dotted.starts_with(module) && dotted.substr(module.size()).starts_with('.'));
}

}  // namespace

std::string module_alias(const trace::SourceFile& file, std::string_view module) {
    std::string alias;
    each_import(file, [&](NodeId statement, Kind kind) {
        if (kind != Kind::import_statement) return;
        for (const NodeId child : file.tree.children(statement)) {
            if (file.tree.kind(child) == Kind::dotted_name && names_module(file.text(child), module)) alias = module;
            if (file.tree.kind(child) != Kind::aliased_import) continue;
            const NodeId name = file.tree.child(child, Field::name);
            const NodeId as = file.tree.child(child, Field::alias);
            if (name == kNoNode || as == kNoNode || file.text(name) != module) continue;
            if (alias.empty()) alias = file.text(as);
        }
    });
    return alias;
}

bool is_shadowed(const trace::SourceFile& file, NodeId node, std::string_view name) {
    const syntax::Tree& tree = file.tree;
    for (NodeId scope = tree.parent(node); scope != kNoNode; scope = tree.parent(scope)) {
        const Kind kind = tree.kind(scope);
        if (kind != Kind::function_definition && kind != Kind::lambda) continue;
        for (const NodeId use : variable_uses(file, scope, name)) {
            if (binds(tree, use)) return true;
        }
        for (NodeId id = scope; id < tree[scope].subtree_end; ++id) {
            const Kind statement = tree.kind(id);
            const bool import = statement == Kind::import_statement || statement == Kind::import_from_statement;
            if (import && id > node && file.text(id).find(name) != std::string_view::npos) return true;
        }
    }
    return false;
}

bool imports_name(const trace::SourceFile& file, std::string_view module, std::string_view name) {
    bool found = false;
    each_import(file, [&](NodeId statement, Kind kind) {
        if (kind != Kind::import_from_statement) return;
        const NodeId from = file.tree.child(statement, Field::module_name);
        if (from == kNoNode || file.text(from) != module) return;
        for (const NodeId child : file.tree.children(statement)) {
            if (child == from) continue;
            const bool all = file.tree.kind(child) == Kind::wildcard_import;
            const bool one = file.tree.kind(child) == Kind::dotted_name && file.text(child) == name;
            found = found || all || one;
        }
    });
    return found;
}

std::string require_module(trace::FileId id, const trace::SourceFile& file, std::string_view module,
                           std::vector<rules::FileEdit>& edits) {
    if (std::string alias = module_alias(file, module); !alias.empty()) return alias;
    // Behind the import of the framework: there is one in every file that has a kernel.
    NodeId anchor = kNoNode;
    NodeId last = kNoNode;
    each_import(file, [&](NodeId statement, Kind kind) {
        last = statement;
        const NodeId from =
            kind == Kind::import_from_statement ? file.tree.child(statement, Field::module_name) : kNoNode;
        for (const NodeId child : file.tree.children(statement)) {
            const Kind k = file.tree.kind(child);
            if (k != Kind::dotted_name && k != Kind::aliased_import) continue;
            if (from != kNoNode && child != from) continue;
            if (names_module(file.text(child), kFramework) || file.text(child).starts_with("pypto as "))
                anchor = statement;
        }
    });
    if (anchor == kNoNode) anchor = last;
    if (anchor == kNoNode) return std::string(module);
    const std::uint32_t line = file.lines.line_of(file.tree[anchor].end);
    const bool unterminated = file.lines.newline_of(line) == text::Newline::none;
    edits.push_back(insertion(id, file.lines.full_line_range(line).end,
                              unterminated ? fmt::format("\nimport {}", module) : fmt::format("import {}\n", module)));
    return std::string(module);
}

}  // namespace ptofix::rewrites
