#include "rewrites/name_uses.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "rewrites/variables.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::FileId;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

FileId file_count(const Trace& trace) {
    return static_cast<FileId>(trace.files.size());
}

bool is_scope(Kind kind) {
    return kind == Kind::function_definition || kind == Kind::lambda || kind == Kind::class_definition ||
           kind == Kind::module_;
}

/// The nearest scope around `node` that it is evaluated in: the header of a function (defaults, decorators) and the
/// bases of a class belong to the scope around them.
NodeId scope_around(const SourceFile& file, NodeId node) {
    const syntax::Tree& tree = file.tree;
    NodeId below = node;
    for (NodeId at = tree.parent(node); at != kNoNode; below = at, at = tree.parent(at)) {
        if (tree.kind(at) == Kind::module_) return at;
        if (is_scope(tree.kind(at)) && tree[below].field == Field::body) return at;
    }
    return tree.root();
}

bool is_pattern(Kind kind) {
    return kind == Kind::pattern_list || kind == Kind::tuple_pattern || kind == Kind::list_pattern ||
           kind == Kind::list_splat_pattern || kind == Kind::dictionary_splat_pattern;
}

/// Is this identifier a place that gives the name a value, or names something without reading a variable?
enum class Role { read, binds, none };
Role role_of(const SourceFile& file, NodeId node) {
    const syntax::Tree& tree = file.tree;
    NodeId below = node;
    NodeId at = tree.parent(node);
    while (at != kNoNode && is_pattern(tree.kind(at))) {
        below = at;
        at = tree.parent(at);
    }
    if (at == kNoNode) return Role::read;
    const Field field = tree[below].field;
    switch (tree.kind(at)) {
        case Kind::assignment:
        case Kind::for_statement:
        case Kind::for_in_clause:
            return field == Field::left ? Role::binds : Role::read;
        case Kind::named_expression:
            return field == Field::name ? Role::binds : Role::read;
        case Kind::function_definition:
        case Kind::class_definition:
            return field == Field::name ? Role::binds : Role::read;
        case Kind::parameters:
        case Kind::lambda_parameters:
            return Role::binds;
        case Kind::default_parameter:
        case Kind::typed_default_parameter:
            return field == Field::name ? Role::binds : Role::read;
        case Kind::typed_parameter:
            return field == Field::type ? Role::none : Role::binds;
        case Kind::as_pattern_target:
            return Role::binds;
        case Kind::dotted_name:
            if (is_name_of_pattern(tree, at)) {
                // `case name:` binds, `case a.b:` reads a.
                if (tree[node].start != tree[at].start) return Role::none;
                return binds(tree, node) ? Role::binds : Role::read;
            }
            return Role::none;  // imports are read apart
        case Kind::aliased_import:
            return Role::none;
        case Kind::case_pattern:
        case Kind::splat_pattern:
            return Role::binds;
        case Kind::as_pattern:
            return is_name_of_whole_pattern(tree, node) ? Role::binds : Role::read;
        case Kind::keyword_pattern:  // the "name" of `case C(name=1)`
            return Role::none;
        case Kind::keyword_argument:
            return field == Field::name ? Role::none : Role::read;
        case Kind::attribute:
            return field == Field::attribute ? Role::none : Role::read;
        case Kind::global_statement:
        case Kind::nonlocal_statement:
        case Kind::type:
            return Role::none;
        default:
            return Role::read;
    }
}

/// Does the statement say `global name` (or nonlocal) for the function it stands in?
bool declares(const SourceFile& file, NodeId function, Kind statement, std::string_view name) {
    const syntax::Tree& tree = file.tree;
    for (NodeId at = function + 1; at < tree[function].subtree_end; ++at) {
        if (tree.kind(at) != statement || scope_around(file, at) != function) continue;
        for (const NodeId c : tree.children(at)) {
            if (tree.kind(c) == Kind::identifier && file.text(c) == name) return true;
        }
    }
    return false;
}

/// What an `import` binds: the alias, or the first part of a dotted name.
std::string_view imported_as(const SourceFile& file, NodeId imported) {
    const syntax::Tree& tree = file.tree;
    if (tree.kind(imported) == Kind::aliased_import) {
        const NodeId alias = tree.child(imported, Field::alias);
        return alias == kNoNode ? std::string_view{} : file.text(alias);
    }
    const std::string_view dotted = file.text(imported);
    return dotted.substr(0, dotted.find('.'));
}

bool binds(const SourceFile& file, NodeId scope, std::string_view name) {
    const syntax::Tree& tree = file.tree;
    bool bound = false;
    for (NodeId at = scope + 1; at < tree[scope].subtree_end && !bound; ++at) {
        const Kind kind = tree.kind(at);
        if ((kind == Kind::dotted_name || kind == Kind::aliased_import) && tree[at].field == Field::name) {
            bound = imported_as(file, at) == name && scope_around(file, at) == scope;
            continue;
        }
        if (kind != Kind::identifier || file.text(at) != name || role_of(file, at) != Role::binds) continue;
        // A parameter belongs to the function whose header it stands in, a definition's name to the scope around it.
        NodeId owner = scope_around(file, at);
        for (NodeId up = tree.parent(at); up != kNoNode; up = tree.parent(up)) {
            if (tree.kind(up) == Kind::parameters || tree.kind(up) == Kind::lambda_parameters) {
                owner = tree.parent(up);
                break;
            }
            if (is_scope(tree.kind(up))) {
                if (tree.kind(up) != Kind::module_ && tree[at].field == Field::name && tree.parent(at) == up) {
                    owner = scope_around(file, up);
                }
                break;
            }
        }
        bound = owner == scope;
    }
    if (!bound || tree.kind(scope) != Kind::function_definition) return bound;
    return !declares(file, scope, Kind::global_statement, name) &&
           !declares(file, scope, Kind::nonlocal_statement, name);
}

/// The scope whose variable this identifier reads.
NodeId scope_read(const SourceFile& file, NodeId node, std::string_view name) {
    const syntax::Tree& tree = file.tree;
    NodeId scope = scope_around(file, node);
    bool own = true;
    while (tree.kind(scope) != Kind::module_) {
        // What a class binds is not seen by the functions in it.
        const bool seen = own || tree.kind(scope) != Kind::class_definition;
        if (seen && binds(file, scope, name)) return scope;
        if (tree.kind(scope) == Kind::function_definition && declares(file, scope, Kind::global_statement, name)) break;
        own = false;
        scope = scope_around(file, scope);
    }
    return tree.root();
}

void add_reads(const Trace& trace, FileId id, NodeId scope, std::string_view name, std::vector<Site>& out) {
    const SourceFile& file = *trace.files[id];
    for (NodeId at = scope; at < file.tree[scope].subtree_end; ++at) {
        if (file.tree.kind(at) != Kind::identifier || file.text(at) != name) continue;
        if (role_of(file, at) == Role::read && scope_read(file, at, name) == scope) out.push_back({id, at});
    }
}

/// "unroll" for ".../configs/unroll.py", "configs" for ".../configs/__init__.py".
std::string module_name(const SourceFile& file) {
    const std::filesystem::path path(file.path());
    const std::string stem = path.stem().string();
    return stem == "__init__" ? path.parent_path().filename().string() : stem;
}

std::string_view last_part(std::string_view dotted) {
    return dotted.substr(dotted.rfind('.') + 1);
}

bool is_read_attribute(const SourceFile& file, NodeId attribute) {
    return role_of(file, attribute) != Role::binds;
}

/// In `user`, which names of its own mean the module or the name of it that is asked for.
struct Imports {
    std::vector<std::string_view> modules;  // `module.name` reads it
    struct Name {
        std::string_view name;
        NodeId import;
    };
    std::vector<Name> names;  // `name` reads it
};

Imports imports_of(const SourceFile& user, const std::string& module, std::string_view name) {
    Imports found;
    const syntax::Tree& tree = user.tree;
    for (NodeId at = 0; at < tree.nodes().size(); ++at) {
        const Kind kind = tree.kind(at);
        if (kind != Kind::import_statement && kind != Kind::import_from_statement) continue;
        const NodeId from = tree.child(at, Field::module_name);
        const bool from_it = from != kNoNode && last_part(user.text(from)) == module;
        for (const NodeId c : tree.children(at)) {
            if (from_it && tree.kind(c) == Kind::wildcard_import) found.names.push_back({name, c});
            if (tree[c].field != Field::name) continue;
            const NodeId written = tree.kind(c) == Kind::aliased_import ? tree.child(c, Field::name) : c;
            if (written == kNoNode) continue;
            const bool aliased = written != c;
            if (from_it && user.text(written) == name) found.names.push_back({imported_as(user, c), c});
            if (!from_it && last_part(user.text(written)) == module) {
                found.modules.push_back(aliased ? imported_as(user, c) : user.text(written));
            }
        }
    }
    return found;
}

}  // namespace

Site scope_of(const Trace& trace, Site node) {
    return {node.file, scope_around(*trace.files[node.file], node.node)};
}

Site binding_scope(const Trace& trace, Site node, std::string_view name) {
    const SourceFile& file = *trace.files[node.file];
    const NodeId scope = scope_around(file, node.node);
    if (file.tree.kind(scope) != Kind::function_definition) return {node.file, scope};
    if (declares(file, scope, Kind::global_statement, name)) return {node.file, file.tree.root()};
    if (!declares(file, scope, Kind::nonlocal_statement, name)) return {node.file, scope};
    return {node.file, scope_read(file, scope, name)};
}

std::vector<Site> reads_of(const Trace& trace, Site scope, std::string_view name) {
    std::vector<Site> out;
    const SourceFile& home = *trace.files[scope.file];
    add_reads(trace, scope.file, scope.node, name, out);
    if (home.tree.kind(scope.node) != Kind::module_) return out;
    const std::string module = module_name(home);
    for (FileId id = 0; id < file_count(trace); ++id) {
        if (id == scope.file) continue;
        const SourceFile& user = *trace.files[id];
        const Imports imports = imports_of(user, module, name);
        for (const Imports::Name& import : imports.names) {
            add_reads(trace, id, binding_scope(trace, {id, import.import}, import.name).node, import.name, out);
        }
        if (imports.modules.empty()) continue;
        for (const Site read : attribute_reads(trace, name)) {
            if (read.file != id) continue;
            const std::string_view object = user.text(user.tree.child(read.node, Field::object));
            const bool of_module =
                std::ranges::any_of(imports.modules, [&](std::string_view m) { return m == object; });
            if (of_module) out.push_back(read);
        }
    }
    return out;
}

std::vector<Site> attribute_reads(const Trace& trace, std::string_view name) {
    std::vector<Site> out;
    for (FileId id = 0; id < file_count(trace); ++id) {
        const SourceFile& file = *trace.files[id];
        for (NodeId at = 0; at < file.tree.nodes().size(); ++at) {
            if (file.tree.kind(at) != Kind::attribute) continue;
            const NodeId attribute = file.tree.child(at, Field::attribute);
            if (attribute == kNoNode || file.text(attribute) != name || !is_read_attribute(file, at)) continue;
            out.push_back({id, at});
        }
    }
    return out;
}

std::vector<Site> definitions_of(const Trace& trace, Site callee) {
    static constexpr std::string_view kLibraries[] = {"pypto", "torch", "torch_npu", "numpy",  "np",
                                                      "math",  "os",    "pytest",    "logging"};
    const SourceFile& file = *trace.files[callee.file];
    const Kind kind = file.tree.kind(callee.node);
    std::string_view name = file.text(callee.node);
    bool method = false;
    if (kind == Kind::attribute) {
        const std::string_view whole = name;
        const std::string_view root = whole.substr(0, whole.find('.'));
        if (std::ranges::find(kLibraries, root) != std::end(kLibraries)) return {};
        const NodeId attribute = file.tree.child(callee.node, Field::attribute);
        if (attribute == kNoNode) return {};
        name = file.text(attribute);
        method = true;
    } else if (kind != Kind::identifier) {
        return {};
    }
    const auto find_in = [&](FileId id, std::vector<Site>& out) {
        const SourceFile& other = *trace.files[id];
        for (NodeId at = 0; at < other.tree.nodes().size(); ++at) {
            const Kind k = other.tree.kind(at);
            if (k != Kind::function_definition && k != Kind::class_definition) continue;
            const NodeId own = other.tree.child(at, Field::name);
            if (own == kNoNode || other.text(own) != name) continue;
            const bool in_class = other.tree.kind(scope_around(other, at)) == Kind::class_definition;
            if (in_class == method || (method && id != callee.file)) out.push_back({id, at});
        }
    };
    std::vector<Site> out;
    find_in(callee.file, out);
    if (!out.empty() && !method) return out;
    for (FileId id = 0; id < file_count(trace); ++id) {
        if (id != callee.file) find_in(id, out);
    }
    return out;
}

}  // namespace ptofix::rewrites
