// Definitions: functions with their decorators, classes (dataclasses, NamedTuples, enums), imports.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "trace/interpreter.h"

namespace ptofix::trace {

std::vector<Parameter> Interpreter::read_parameters(NodeId list, bool annotations) {
    std::vector<Parameter> out;
    bool keyword_only = false;
    for (NodeId c : tree_->children(list)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        Parameter p;
        p.node = c;
        if (keyword_only) p.kind = Parameter::Kind::keyword_only;
        NodeId name = kNoNode;
        NodeId type = kNoNode;
        switch (kind(c)) {
            case Kind::identifier:
                name = c;
                break;
            case Kind::default_parameter:
            case Kind::typed_default_parameter: {
                name = tree_->child(c, Field::name);
                type = tree_->child(c, Field::type);
                if (const NodeId v = tree_->child(c, Field::value); v != kNoNode) {
                    p.default_value = eval(v);
                    if (p.default_value.node == kNoNode) p.default_value = p.default_value.at(here(v));
                    p.has_default = true;
                }
                break;
            }
            case Kind::typed_parameter:
                name = tree_->named_child(c, 0);
                type = tree_->child(c, Field::type);
                break;
            case Kind::list_splat_pattern:
            case Kind::dictionary_splat_pattern:
                name = c;
                break;
            case Kind::keyword_separator:
                keyword_only = true;
                continue;
            case Kind::positional_separator:
                for (Parameter& earlier : out) earlier.kind = Parameter::Kind::positional_only;
                continue;
            default:
                continue;
        }
        if (name == kNoNode) continue;
        if (kind(name) == Kind::list_splat_pattern || kind(name) == Kind::dictionary_splat_pattern) {
            const bool star = kind(name) == Kind::list_splat_pattern;
            p.kind = star ? Parameter::Kind::star : Parameter::Kind::double_star;
            if (star) keyword_only = true;
            name = tree_->named_child(name, 0);
            if (name == kNoNode) continue;
        }
        p.name = text(name);
        if (type != kNoNode) {
            p.annotation = tree_->named_child(type, 0);
            if (annotations && p.annotation != kNoNode) p.annotation_value = eval(p.annotation);
        }
        out.push_back(std::move(p));
    }
    return out;
}

namespace {

bool names_jit(std::string_view dotted) {
    return dotted == "pypto.frontend.jit" || dotted == "pypto.jit" || dotted == "pypto.frontend.parser.entry.jit";
}

}  // namespace

void Interpreter::decorate(Function* f, const Value& decorator, NodeId node) {
    f->decorators.push_back(decorator);
    if (decorator.tag == Tag::external) {
        const std::string_view name = *decorator.as.text;
        if (names_jit(name)) {
            f->is_kernel = true;
            f->jit_site = here(node);
        } else if (name == "pypto.frontend.function") {
            f->is_frontend_function = true;
        } else if (name == "builtins.staticmethod") {
            f->is_static_method = true;
        } else if (name == "builtins.classmethod") {
            f->is_class_method = true;
        } else if (name == "builtins.property" || name == "functools.cached_property") {
            f->is_property = true;
        }
    } else if (decorator.tag == Tag::bound_method && decorator.as.method->name == "jit" &&
               decorator.as.method->self.tag == Tag::dict) {
        const Dict& options = *decorator.as.method->self.as.dict;
        f->is_kernel = true;
        f->jit_site = here(node);
        f->jit_options_open = options.open;
        f->jit_options.clear();
        for (const auto& [k, v] : options.items) {
            if (k.tag == Tag::string) f->jit_options.emplace_back(*k.as.text, v);
        }
    }
    if (f->is_kernel && std::ranges::find(kernels_found_, f) == kernels_found_.end() && f->site.file == trace_.main) {
        kernels_found_.push_back(f);
    }
}

Value Interpreter::define_function(NodeId definition, const std::vector<Value>& decorators,
                                   const std::vector<NodeId>& nodes) {
    Function* f = heap_.make<Function>();
    const NodeId name = tree_->child(definition, Field::name);
    if (name == kNoNode) return {};
    f->name = text(name);
    f->site = here(definition);
    f->closure = scope_;
    f->body = tree_->child(definition, Field::body);
    f->birth = ++sequence_;
    f->is_async_or_generator = tree_->has_token(definition, Kind::async);
    const auto is_jit = [](const Value& d) {
        return (d.tag == Tag::external && names_jit(*d.as.text)) ||
               (d.tag == Tag::bound_method && d.as.method->name == "jit");
    };
    const bool kernel = std::ranges::any_of(decorators, is_jit);
    if (const NodeId p = tree_->child(definition, Field::parameters); p != kNoNode)
        f->parameters = read_parameters(p, kernel);
    for (std::size_t i = decorators.size(); i-- > 0;) decorate(f, decorators[i], nodes[i]);
    Value v = Value::with(Tag::function);
    v.as.function = f;
    return v.at(here(definition));
}

Flow Interpreter::exec_decorated(NodeId node) {
    std::vector<Value> decorators;
    std::vector<NodeId> nodes;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) != Kind::decorator) continue;
        const NodeId e = tree_->named_child(c, 0);
        decorators.push_back(e == kNoNode ? Value{} : eval(e));
        nodes.push_back(e == kNoNode ? c : e);
    }
    const NodeId definition = tree_->child(node, Field::definition);
    if (definition == kNoNode) return Flow::normal;
    const NodeId name = tree_->child(definition, Field::name);
    if (name == kNoNode) return Flow::normal;
    const Value v = kind(definition) == Kind::class_definition ? define_class(definition, decorators)
                                                               : define_function(definition, decorators, nodes);
    bind_name(text(name), v);
    return Flow::normal;
}

Value Interpreter::define_class(NodeId definition, const std::vector<Value>& decorators) {
    Class* k = heap_.make<Class>();
    const NodeId name = tree_->child(definition, Field::name);
    if (name == kNoNode) return {};
    k->name = text(name);
    k->site = here(definition);
    if (const NodeId bases = tree_->child(definition, Field::superclasses); bases != kNoNode) {
        Arguments args = eval_arguments(bases);
        k->bases = args.positional;
    }
    for (const Value& b : k->bases) {
        if (b.tag == Tag::klass) {
            k->is_dataclass = k->is_dataclass || b.as.klass->is_dataclass;
            k->is_named_tuple = k->is_named_tuple || b.as.klass->is_named_tuple;
            k->is_enum = k->is_enum || b.as.klass->is_enum;
            for (const Class::FieldInfo& f : b.as.klass->fields) k->fields.push_back(f);
        } else if (b.tag == Tag::external && (*b.as.text == "typing.NamedTuple")) {
            k->is_named_tuple = true;
        } else if (b.tag == Tag::external && b.as.text->starts_with("enum.")) {
            k->is_enum = true;
        } else {
            k->unknown_base = true;
        }
    }
    bool own_dataclass = false;
    for (const Value& d : decorators) {
        if (d.tag == Tag::external && d.as.text->starts_with("dataclasses.dataclass")) own_dataclass = true;
    }
    k->is_dataclass = k->is_dataclass || own_dataclass;
    Scope* outer = scope_;
    k->members = new_scope(outer);
    k->members->is_class = true;
    scope_ = k->members;
    const NodeId body = tree_->child(definition, Field::body);
    if (body != kNoNode) {
        for (NodeId s : tree_->children(body)) {
            if (!(*tree_)[s].named || kind(s) == Kind::comment) continue;
            const NodeId a = kind(s) == Kind::expression_statement ? tree_->named_child(s, 0) : kNoNode;
            const bool annotated =
                a != kNoNode && kind(a) == Kind::assignment && tree_->child(a, Field::type) != kNoNode;
            if (!annotated) {
                exec(s);
                continue;
            }
            Class::FieldInfo field;
            const NodeId left = tree_->child(a, Field::left);
            if (left == kNoNode || kind(left) != Kind::identifier) continue;
            field.name = text(left);
            field.site = here(a);
            const NodeId type = tree_->child(a, Field::type);
            const bool class_variable = text(type).starts_with("ClassVar") || text(type).starts_with("typing.ClassVar");
            if (const NodeId right = tree_->child(a, Field::right); right != kNoNode) {
                Value v = eval(right);
                if (v.tag == Tag::bound_method && v.as.method->name == "field" && v.as.method->self.tag == Tag::dict) {
                    for (const auto& [key, value] : v.as.method->self.as.dict->items) {
                        if (key.tag != Tag::string) continue;
                        if (*key.as.text == "default") {
                            field.default_value = value;
                            field.has_default = true;
                        } else if (*key.as.text == "default_factory") {
                            field.factory = value;
                            field.has_factory = true;
                        }
                    }
                } else {
                    if (v.node == kNoNode) v = v.at(here(right));
                    field.default_value = v;
                    field.has_default = true;
                    bind(scope_, field.name, v);
                }
            }
            if (class_variable) continue;
            const auto same_name = [&](const Class::FieldInfo& f) { return f.name == field.name; };
            if (auto it = std::ranges::find_if(k->fields, same_name); it != k->fields.end()) {
                *it = field;
            } else {
                k->fields.push_back(field);
            }
        }
    }
    scope_ = outer;
    Value v = Value::with(Tag::klass);
    v.as.klass = k;
    return v.at(here(definition));
}

void Interpreter::exec_import(NodeId node) {
    for (NodeId c : tree_->children(node)) {
        NodeId dotted = c;
        std::string_view alias;
        if (kind(c) == Kind::aliased_import) {
            dotted = tree_->child(c, Field::name);
            if (const NodeId a = tree_->child(c, Field::alias); a != kNoNode) alias = text(a);
        } else if (kind(c) != Kind::dotted_name) {
            continue;
        }
        if (dotted == kNoNode) continue;
        const std::string name(text(dotted));
        // `import a.b` binds a; `import a.b as c` binds a.b.
        const std::string_view top = std::string_view(name).substr(0, name.find('.'));
        Value v = Value::with(Tag::lazy_import);
        v.as.lazy = heap_.make<LazyImport>(LazyImport{alias.empty() ? std::string(top) : name, "", here(c)});
        bind_name(alias.empty() ? text(dotted).substr(0, top.size()) : alias, v.at(here(c)));
    }
}

void Interpreter::exec_import_from(NodeId node) {
    const NodeId module = tree_->child(node, Field::module_name);
    if (module == kNoNode) return;
    const std::string from(text(module));
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::wildcard_import) {
            Scope* top = scope_;
            while (top->parent != nullptr) top = top->parent;
            top->star_modules.push_back(from);
            continue;
        }
        if ((*tree_)[c].field != Field::name) continue;
        NodeId dotted = c;
        std::string_view alias = text(c);
        if (kind(c) == Kind::aliased_import) {
            dotted = tree_->child(c, Field::name);
            if (const NodeId a = tree_->child(c, Field::alias); a != kNoNode) alias = text(a);
        }
        if (dotted == kNoNode) continue;
        Value v = Value::with(Tag::lazy_import);
        v.as.lazy = heap_.make<LazyImport>(LazyImport{from, std::string(text(dotted)), here(c)});
        bind_name(alias, v.at(here(c)));
    }
}

namespace {

std::string absolute_path(const std::string& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

}  // namespace

Module* Interpreter::load_module(std::string_view name, Site site) {
    // The framework and the libraries around it are described by our tables, never read from disk.
    static constexpr std::string_view kExternal[] = {
        "pypto",     "torch",       "torch_npu",   "numpy",     "math",      "os",      "sys",
        "typing",    "dataclasses", "enum",        "functools", "itertools", "logging", "pytest",
        "pypto_pro", "copy",        "collections", "time",      "json",      "re",      "abc"};
    if (name.empty()) return nullptr;
    const std::string_view top = name.substr(0, name.find('.'));
    if (!top.empty() && std::ranges::find(kExternal, top) != std::end(kExternal)) return nullptr;
    if (site.file == kNoFile) return nullptr;
    const std::shared_ptr<const SourceFile> file = project_.import(name, trace_.files[site.file]->path());
    if (!file) return nullptr;
    if (const auto it = modules_.find(absolute_path(file->path())); it != modules_.end()) {
        execute_module(it->second);
        return it->second;
    }
    constexpr std::size_t kMaxFiles = 200;
    if (trace_.files.size() >= kMaxFiles) return nullptr;
    Module* m = module_of(add_file(file), name);
    execute_module(m);
    return m;
}

Module* Interpreter::module_of(FileId file, std::string_view name) {
    Module* m = heap_.make<Module>();
    m->file = file;
    m->name = name;
    m->globals = heap_.make<Scope>();
    m->globals->is_module = true;
    m->globals->file = file;
    modules_.emplace(absolute_path(trace_.files[file]->path()), m);
    return m;
}

void Interpreter::execute_module(Module* m) {
    if (m->executed || m->executing) return;
    m->executing = true;
    const FileId file = file_;
    Scope* scope = scope_;
    auto loops = std::exchange(loops_, {});
    Trail trail;
    std::swap(trail, trail_);  // what a module defines stays, also when the arm that first asked for it is taken back
    const KernelId kernel = kernel_;
    kernel_ = kNone;  // module code is host code, whoever imports it
    enter_file(m->file);
    scope_ = m->globals;
    exec_block(tree_->root());
    scope_ = scope;
    enter_file(file);
    kernel_ = kernel;
    loops_ = std::move(loops);
    std::swap(trail, trail_);
    m->executing = false;
    m->executed = true;
}

}  // namespace ptofix::trace
