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

namespace {

/// The top-level statement that gives the file the module by that name.
NodeId import_of(const trace::SourceFile& file, std::string_view alias, std::string_view module) {
    NodeId found = kNoNode;
    each_import(file, [&](NodeId statement, Kind kind) {
        if (found != kNoNode || kind != Kind::import_statement) return;
        for (const NodeId child : file.tree.children(statement)) {
            const bool plain = file.tree.kind(child) == Kind::dotted_name && alias == module;
            if (plain && names_module(file.text(child), module)) found = statement;
            if (file.tree.kind(child) != Kind::aliased_import) continue;
            const NodeId as = file.tree.child(child, Field::alias);
            if (as != kNoNode && file.text(as) == alias) found = statement;
        }
    });
    return found;
}

/// Behind the import of the framework, or the imports that the file begins with, or the first one.
NodeId import_anchor(const trace::SourceFile& file) {
    NodeId of_framework = kNoNode, last = kNoNode, first = kNoNode;
    each_import(file, [&](NodeId statement, Kind kind) {
        if (first == kNoNode) first = statement;
        const NodeId from =
            kind == Kind::import_from_statement ? file.tree.child(statement, Field::module_name) : kNoNode;
        for (const NodeId child : file.tree.children(statement)) {
            const Kind k = file.tree.kind(child);
            if (k != Kind::dotted_name && k != Kind::aliased_import) continue;
            if (from != kNoNode && child != from) continue;
            if (names_module(file.text(child), kFramework) || file.text(child).starts_with("pypto as ")) {
                of_framework = statement;
            }
        }
    });
    if (of_framework != kNoNode || first == kNoNode) return of_framework;
    for (const NodeId child : file.tree.children(file.tree.root())) {
        const Kind kind = file.tree.kind(child);
        if (kind == Kind::import_statement || kind == Kind::import_from_statement) last = child;
        if (kind == Kind::function_definition || kind == Kind::class_definition || kind == Kind::decorated_definition) {
            break;
        }
        if (last != kNoNode && kind == Kind::expression_statement) break;
    }
    return last == kNoNode ? first : last;
}

/// In the body of a function: it runs when that is called, and not while the file is read.
bool is_deferred(const syntax::Tree& tree, NodeId node) {
    for (NodeId at = tree.parent(node); at != kNoNode; at = tree.parent(at)) {
        if (tree.kind(at) != Kind::function_definition) continue;
        if (tree.is_inside(node, tree.child(at, Field::body))) return true;
    }
    return false;
}

}  // namespace

bool can_use_module(const trace::SourceFile& file, NodeId node, std::string_view module) {
    const syntax::Tree& tree = file.tree;
    if (tree.empty()) return false;
    const std::string alias = module_alias(file, module);
    const std::string_view name = alias.empty() ? module : std::string_view(alias);
    if (is_shadowed(file, node, name)) return false;
    for (const NodeId use : variable_uses(file, tree.root(), name)) {
        if (binds(tree, use) && tree.enclosing(use, Kind::function_definition) == kNoNode) return false;
    }
    const NodeId import = alias.empty() ? import_anchor(file) : import_of(file, alias, module);
    if (import == kNoNode) return false;
    const bool is_before = file.lines.line_of(tree[import].end) < file.lines.line_of(tree[node].start);
    if (!is_before && !is_deferred(tree, node)) return false;
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        const Kind kind = tree.kind(id);
        if (kind != Kind::import_statement && kind != Kind::import_from_statement) continue;
        if (tree.enclosing(id, Kind::function_definition) != kNoNode) continue;
        for (const NodeId child : tree.children(id)) {
            if (tree[child].field == Field::module_name) continue;
            std::string_view given, of;
            if (tree.kind(child) == Kind::aliased_import) {
                given = file.text(tree.child(child, Field::alias));
                of = file.text(tree.child(child, Field::name));
            } else if (tree.kind(child) == Kind::dotted_name) {
                of = file.text(child);
                given = of.substr(0, of.find('.'));
            }
            // Under a condition it may be there or not, which an import beside it would decide.
            const bool is_module = kind == Kind::import_statement && names_module(of, module);
            if (given == name && (!is_module || (alias.empty() && tree.parent(id) != tree.root()))) return false;
        }
    }
    return true;
}

std::string require_module(trace::FileId id, const trace::SourceFile& file, std::string_view module,
                           std::vector<rules::FileEdit>& edits) {
    if (std::string alias = module_alias(file, module); !alias.empty()) return alias;
    const NodeId anchor = import_anchor(file);
    if (anchor == kNoNode) return std::string(module);
    const std::uint32_t line = file.lines.line_of(file.tree[anchor].end);
    const bool unterminated = file.lines.newline_of(line) == text::Newline::none;
    edits.push_back(insertion(id, file.lines.full_line_range(line).end,
                              unterminated ? fmt::format("\nimport {}", module) : fmt::format("import {}\n", module)));
    return std::string(module);
}

}  // namespace ptofix::rewrites
