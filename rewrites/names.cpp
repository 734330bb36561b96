#include "rewrites/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/kept.h"
#include "text/words.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;

constexpr std::string_view kFramework = "pypto";

bool is_in_framework(std::string_view module) {
    return module == kFramework || (module.starts_with(kFramework) && module[kFramework.size()] == '.');
}

/// Is an import in this statement in force at `at`: at module level, or in a function around it?
bool reaches(const Tree& tree, NodeId import, NodeId at) {
    const NodeId function = tree.enclosing(import, Kind::function_definition);
    return function == kNoNode || tree.is_inside(at, function);
}

}  // namespace

namespace {

std::vector<FrameworkNames::Import> read_imports(const trace::SourceFile& file) {
    std::vector<FrameworkNames::Import> imports;
    const Tree& tree = file.tree;
    for (NodeId n = 0; n < tree.nodes().size(); ++n) {
        if (tree.kind(n) == Kind::import_statement) {
            for (NodeId c : tree.children(n)) {
                if (tree.kind(c) == Kind::dotted_name && is_in_framework(text::without_blanks(file.text(c)))) {
                    imports.push_back({kFramework, std::string(kFramework), true, n});  // `import pypto.x` binds pypto
                } else if (tree.kind(c) == Kind::aliased_import) {
                    std::string module = text::without_blanks(file.text(tree.child(c, Field::name)));
                    if (!is_in_framework(module)) continue;
                    imports.push_back({file.text(tree.child(c, Field::alias)), std::move(module), true, n});
                }
            }
        } else if (tree.kind(n) == Kind::import_from_statement) {
            const NodeId from = tree.child(n, Field::module_name);
            const std::string module = from == kNoNode ? std::string() : text::without_blanks(file.text(from));
            if (!is_in_framework(module)) continue;
            for (NodeId c : tree.children(n)) {
                if (tree.kind(c) == Kind::wildcard_import) imports.push_back({{}, module, false, n});
                if (tree[c].field != Field::name) continue;
                const bool aliased = tree.kind(c) == Kind::aliased_import;
                const std::string_view name = file.text(aliased ? tree.child(c, Field::name) : c);
                const std::string_view local = aliased ? file.text(tree.child(c, Field::alias)) : name;
                imports.push_back({local, fmt::format("{}.{}", module, name), false, n});
            }
        }
    }
    return imports;
}

}  // namespace

FrameworkNames::FrameworkNames(const trace::SourceFile& file) : file_(file) {
    thread_local Kept<std::vector<Import>> kept;
    imports_ = kept.get(file.source, [&] { return read_imports(file); });
}

ModuleName framework_module(const trace::SourceFile& file, trace::FileId id, NodeId at) {
    const FrameworkNames names(file);
    const auto& imports = names.imports();
    ModuleName name;
    for (const FrameworkNames::Import& i : imports) {
        if (!i.is_module || i.target != kFramework || !reaches(file.tree, i.statement, at)) continue;
        if (name.text.empty() || i.local == kFramework) name.text = i.local;
    }
    if (!name.text.empty()) return name;
    name.text = kFramework;
    const auto from = std::ranges::find_if(
        imports, [&](const FrameworkNames::Import& i) { return reaches(file.tree, i.statement, at); });
    if (from == imports.end()) return name;  // a star import, or none: the name is taken to be known
    const std::uint32_t start = file.tree[from->statement].start;
    const std::uint32_t line_start = file.lines.line_start(file.lines.line_of(start));
    const std::string indent(file.text().substr(line_start, start - line_start));
    name.import = rules::FileEdit{id, {start, start}, fmt::format("import {}\n{}", kFramework, indent)};
    return name;
}

std::optional<std::string> FrameworkNames::function(NodeId callee) const {
    const Tree& tree = file_.tree;
    NodeId root = callee;
    while (tree.kind(root) == Kind::attribute) {
        root = tree.child(root, Field::object);
        if (root == kNoNode) return std::nullopt;
    }
    if (tree.kind(root) != Kind::identifier) return std::nullopt;
    for (const Import& i : *imports_) {
        if (i.local != file_.text(root)) continue;
        const std::string_view rest = file_.text().substr(tree[root].end, tree[callee].end - tree[root].end);
        std::string whole = i.target;
        for (char c : rest) {
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\\') whole.push_back(c);
        }
        if (whole.size() <= kFramework.size()) return std::string{};
        return whole.substr(kFramework.size() + 1);
    }
    return std::nullopt;
}

std::optional<std::string> framework_function(const trace::SourceFile& file, NodeId callee) {
    return FrameworkNames(file).function(callee);
}

char usual_quote(const trace::SourceFile& file) {
    std::int64_t balance = 0;
    for (const syntax::Node& n : file.tree.nodes()) {
        if (n.kind != Kind::string_start || n.end == n.start) continue;
        const std::string_view start = file.text().substr(n.start, n.end - n.start);
        if (start.ends_with("\"\"\"") || start.ends_with("'''")) continue;
        balance += start.back() == '\'' ? -1 : 1;
    }
    return balance < 0 ? '\'' : '"';
}

namespace {

UsedNames read_loop_names(const trace::Trace& trace) {
    UsedNames used;
    const auto add = [&](const trace::Value& v) {
        if (v.tag == trace::Tag::string) used.add(*v.as.text);
    };
    for (const trace::Loop& loop : trace.loops) {
        if (loop.spec == nullptr) continue;
        add(loop.spec->name);
        add(loop.spec->idx_name);
    }
    // Also those in code that was not traced.
    for (const trace::SourceFile* file : trace.files) {
        const Tree& tree = file->tree;
        for (NodeId n = 0; n < tree.nodes().size(); ++n) {
            if (tree.kind(n) != Kind::keyword_argument) continue;
            const std::string_view key = file->text(tree.child(n, Field::name));
            if (key != "name" && key != "idx_name") continue;
            const NodeId value = tree.child(n, Field::value);
            if (value == kNoNode || tree.kind(value) != Kind::string) continue;
            const NodeId content = tree.child_of_kind(value, Kind::string_content);
            if (content != kNoNode) used.add(std::string(file->text(content)));
        }
    }
    return used;
}

}  // namespace

UsedNames loop_names(const trace::Trace& trace) {
    thread_local Kept<UsedNames> kept;
    return *kept.get(trace.heap, [&] { return read_loop_names(trace); });
}

std::string UsedNames::unused(const std::string& wanted) {
    if (!names_.contains(wanted)) return wanted;
    for (int& n = next_.try_emplace(wanted, 2).first->second;; ++n) {
        std::string numbered = fmt::format("{}_{}", wanted, n);
        if (!names_.contains(numbered)) return numbered;
    }
}

}  // namespace ptofix::rewrites
