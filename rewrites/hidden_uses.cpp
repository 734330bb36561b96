#include "rewrites/hidden_uses.h"

#include <algorithm>
#include <array>

#include "rewrites/variables.h"
#include "text/words.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::SourceFile;

// Whoever mentions one of these, in whatever role, may look a variable or a module up by its name.
constexpr std::array<std::string_view, 12> kLookups = {"globals",      "locals",     "__globals__",   "f_globals",
                                                       "f_locals",     "__import__", "import_module", "getmodule",
                                                       "currentframe", "_getframe",  "__builtins__",  "runpy"};

bool is_call_of(const syntax::Tree& tree, NodeId node) {
    const NodeId parent = tree.parent(node);
    return tree.kind(parent) == Kind::call && tree.child(parent, Field::function) == node;
}

bool has_arguments(const syntax::Tree& tree, NodeId call) {
    const NodeId list = tree.child(call, Field::arguments);
    return list == kNoNode || tree.kind(list) != Kind::argument_list || tree.named_child(list, 0) != kNoNode;
}

bool looks_up(const SourceFile& file, NodeId identifier) {
    const syntax::Tree& tree = file.tree;
    const std::string_view name = file.text(identifier);
    if (std::ranges::find(kLookups, name) != kLookups.end()) return true;
    const NodeId parent = tree.parent(identifier);
    if (parent == kNoNode) return false;
    const bool is_attribute = tree.kind(parent) == Kind::attribute && tree[identifier].field == Field::attribute;
    // A method of such a name is another thing: model.eval(), model.modules().
    if (name == "eval" || name == "exec") return !is_attribute && tree.kind(parent) != Kind::function_definition;
    if (name == "vars") return !is_attribute && (!is_call_of(tree, identifier) || !has_arguments(tree, parent));
    if (name == "builtins") return true;
    if (name != "modules") return false;
    if (is_attribute) return !is_call_of(tree, parent);
    const NodeId statement = tree.statement_of(identifier);
    return tree.kind(statement) == Kind::import_from_statement;
}

/// A string that is a statement, which nobody evaluates. An example in it is a use.
bool is_docstring(const SourceFile& file, NodeId content) {
    const syntax::Tree& tree = file.tree;
    NodeId at = tree.parent(content);
    while (tree.kind(at) == Kind::string || tree.kind(at) == Kind::concatenated_string) at = tree.parent(at);
    return tree.kind(at) == Kind::expression_statement && !text::has_part(file.text(content), ">>>");
}

bool is_in_all(const SourceFile& file, NodeId content) {
    const NodeId statement = file.tree.statement_of(content);
    const auto uses = variable_uses(file, statement, "__all__");
    return std::ranges::any_of(uses, [&](NodeId use) { return binds(file.tree, use); });
}

}  // namespace

NodeId hidden_use(const SourceFile& file, const std::set<std::string>& names, bool all_counts) {
    for (NodeId node = 0; node < file.tree.nodes().size(); ++node) {
        const Kind kind = file.tree.kind(node);
        if (kind == Kind::identifier && looks_up(file, node)) return node;
        if (kind != Kind::string_content) continue;
        const std::string_view text = file.text(node);
        const auto is_there = [&](const std::string& name) { return text::has_word(text, name); };
        if (std::ranges::none_of(names, is_there) || is_docstring(file, node)) continue;
        if (all_counts || !is_in_all(file, node)) return node;
    }
    return kNoNode;
}

NodeId path_in_string(const SourceFile& file, std::string_view name) {
    for (NodeId node = 0; node < file.tree.nodes().size(); ++node) {
        if (file.tree.kind(node) != Kind::string_content) continue;
        const std::string_view text = file.text(node);
        const bool imports = text::has_word(text, "import");
        for (std::size_t at = text::find_word(text, name); at != std::string_view::npos;
             at = text::find_word(text, name, at + 1)) {
            const bool is_path = imports || (at > 0 && (text[at - 1] == '.' || text[at - 1] == ':'));
            if (is_path && !is_docstring(file, node)) return node;
        }
    }
    return kNoNode;
}

}  // namespace ptofix::rewrites
