#include "rewrites/imports.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

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

namespace {

/// What an import statement calls the module or the thing of that child; empty: the child is no name.
std::string_view given_name(const trace::SourceFile& file, NodeId child) {
    if (file.tree.kind(child) == Kind::aliased_import) return file.text(file.tree.child(child, Field::alias));
    if (file.tree.kind(child) != Kind::dotted_name) return {};
    if (file.tree[child].field == Field::module_name) return {};
    const NodeId first = file.tree.named_child(child, 0);  // not by its text: the dots may have blanks around them
    return first == kNoNode ? file.text(child) : file.text(first);
}

bool is_import(Kind kind) {
    return kind == Kind::import_statement || kind == Kind::import_from_statement;
}

/// Does the child of an import statement give the name to the module itself?
bool gives_module(const trace::SourceFile& file, NodeId child, std::string_view module) {
    const syntax::Tree& tree = file.tree;
    if (tree.kind(tree.parent(child)) != Kind::import_statement) return false;
    if (module.empty()) return true;
    if (tree.kind(child) != Kind::aliased_import) return given_name(file, child) == module;
    return file.text(tree.child(child, Field::name)) == module;
}

/// Imports in the function make the name a variable of its own, which has its value only behind one that always runs.
bool is_shadowed_by_import(const trace::SourceFile& file, NodeId function, NodeId node, std::string_view name,
                           std::string_view module) {
    const syntax::Tree& tree = file.tree;
    bool some = false, always_there = false;
    for (NodeId id = function; id < tree[function].subtree_end; ++id) {
        if (!is_import(tree.kind(id)) || tree.enclosing(id, Kind::function_definition) != function) continue;
        for (const NodeId child : tree.children(id)) {
            if (given_name(file, child) != name) continue;
            some = true;
            if (!gives_module(file, child, module)) return true;
            const bool always = tree.parent(id) == tree.child(function, Field::body);
            always_there = always_there || (always && tree[id].end <= tree[node].start);
        }
    }
    return some && !always_there;
}

/// A function that may give the module's name another value.
bool is_global_of_function(const trace::SourceFile& file, std::string_view name) {
    const auto uses = variable_uses(file, file.tree.root(), name);
    return std::ranges::any_of(uses,
                               [&](NodeId use) { return file.tree.enclosing(use, Kind::global_statement) != kNoNode; });
}

}  // namespace

bool is_shadowed(const trace::SourceFile& file, NodeId node, std::string_view name, std::string_view module) {
    const syntax::Tree& tree = file.tree;
    for (NodeId scope = tree.parent(node); scope != kNoNode; scope = tree.parent(scope)) {
        const Kind kind = tree.kind(scope);
        if (kind != Kind::function_definition && kind != Kind::lambda) continue;
        for (const NodeId use : variable_uses(file, scope, name)) {
            if (binds(tree, use)) return true;
        }
        if (kind == Kind::function_definition && is_shadowed_by_import(file, scope, node, name, module)) return true;
    }
    return is_global_of_function(file, name);
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

bool goes_on(std::string_view line) {
    const std::size_t last = line.find_last_not_of("\r\n");
    return last != std::string_view::npos && line[last] == '\\';
}

/// Where a new statement can stand by itself: behind the line of the anchor, with all that the statements on it go on
/// to. Where that line's end is not sure, in front of it.
std::uint32_t place_behind(const trace::SourceFile& file, NodeId anchor) {
    const syntax::Tree& tree = file.tree;
    const auto line_of = [&](std::uint32_t at) { return file.lines.line_of(at); };
    std::uint32_t first = line_of(tree[anchor].start), last = line_of(tree[anchor].end);
    for (const NodeId child : tree.children(tree.root())) {
        if (tree[child].start >= tree[anchor].end && line_of(tree[child].start) == last && tree[child].named) {
            last = line_of(tree[child].end);
        }
    }
    if (!goes_on(file.lines.line_text(last))) return file.lines.full_line_range(last).end;
    std::vector<NodeId> before;
    for (const NodeId child : tree.children(tree.root())) {
        if (child < anchor) before.push_back(child);
    }
    for (const NodeId child : before | std::views::reverse) {
        while (first > 1 && goes_on(file.lines.line_text(first - 1))) --first;
        if (line_of(tree[child].end) >= first) first = std::min(first, line_of(tree[child].start));
    }
    return file.lines.line_start(first);
}

}  // namespace

bool can_use_module(const trace::SourceFile& file, NodeId node, std::string_view module) {
    const syntax::Tree& tree = file.tree;
    if (tree.empty()) return false;
    const std::string alias = module_alias(file, module);
    const std::string_view name = alias.empty() ? module : std::string_view(alias);
    if (is_shadowed(file, node, name, module)) return false;
    for (const NodeId use : variable_uses(file, tree.root(), name)) {
        if (binds(tree, use) && tree.enclosing(use, Kind::function_definition) == kNoNode) return false;
    }
    const NodeId import = alias.empty() ? import_anchor(file) : import_of(file, alias, module);
    if (import == kNoNode) return false;
    // A function may be called before the file is read to its end.
    const std::uint32_t known_from = alias.empty() ? place_behind(file, import) : tree[import].end;
    if (known_from > tree[node].start) return false;
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        if (!is_import(tree.kind(id)) || tree.enclosing(id, Kind::function_definition) != kNoNode) continue;
        for (const NodeId child : tree.children(id)) {
            if (given_name(file, child) != name) continue;
            // Under a condition it may be there or not, which an import beside it would decide.
            const bool is_conditional = alias.empty() && tree.parent(id) != tree.root();
            if (!gives_module(file, child, module) || is_conditional) return false;
        }
    }
    return true;
}

bool is_used_too_early(const trace::SourceFile& file, NodeId definition, std::string_view module) {
    const syntax::Tree& tree = file.tree;
    const std::string alias = module_alias(file, module);
    const NodeId import = alias.empty() ? import_anchor(file) : import_of(file, alias, module);
    if (import == kNoNode) return false;
    for (const NodeId child : tree.children(tree.root())) {
        if (tree[child].end <= tree[definition].end || tree[child].start >= tree[import].start) continue;
        const Kind kind = tree.kind(child);
        const bool runs = tree[child].named && !is_import(kind) && kind != Kind::comment &&
                          kind != Kind::function_definition && !tree.is_inside(definition, child);
        if (runs) return true;
    }
    return false;
}

std::string require_module(trace::FileId id, const trace::SourceFile& file, std::string_view module,
                           std::vector<rules::FileEdit>& edits) {
    if (std::string alias = module_alias(file, module); !alias.empty()) return alias;
    const NodeId anchor = import_anchor(file);
    if (anchor == kNoNode) return std::string(module);
    const std::uint32_t at = place_behind(file, anchor);
    const std::string_view before = file.text().substr(0, at);
    const bool unterminated = !before.empty() && !before.ends_with('\n') && !before.ends_with('\r');
    edits.push_back(
        insertion(id, at, unterminated ? fmt::format("\nimport {}", module) : fmt::format("import {}\n", module)));
    return std::string(module);
}

}  // namespace ptofix::rewrites
