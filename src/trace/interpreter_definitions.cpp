// Definitions of functions: parameters with their defaults, decorators.
#include <algorithm>

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
            // Only kernels have use for it; a function may become one later: k = pypto.frontend.jit(k).
            if (p.annotation != kNoNode && (annotations || text(p.annotation).contains("Tensor")))
                p.annotation_value = eval(p.annotation);
        }
        out.push_back(std::move(p));
    }
    return out;
}

namespace {

bool names_jit(std::string_view dotted) {
    return dotted == "pypto.frontend.jit" || dotted == "pypto.jit" || dotted == "pypto.frontend.parser.entry.jit";
}

bool is_jit(const Value& d) {
    return (d.tag == Tag::external && names_jit(*d.as.text)) ||
           (d.tag == Tag::bound_method && d.as.method->name == "jit" && d.as.method->self.tag == Tag::dict);
}

}  // namespace

bool Interpreter::decorate(Function* f, const Value& decorator, NodeId node) {
    // What the decorator says about the function itself; false when it is one that makes something else of it.
    f->decorators.push_back(decorator);
    if (is_jit(decorator)) {
        f->is_kernel = true;
        f->jit_site = here(node);
        if (decorator.tag == Tag::bound_method) {
            const Dict& options = *decorator.as.method->self.as.dict;
            f->jit_options_open = options.open;
            f->jit_options.clear();
            for (const auto& [k, v] : options.items) {
                if (k.tag == Tag::string) f->jit_options.emplace_back(*k.as.text, v);
            }
        }
        if (std::ranges::find(kernels_found_, f) == kernels_found_.end() && f->site.file == trace_.main) {
            kernels_found_.push_back(f);
        }
        return true;
    }
    if (decorator.tag == Tag::external) {
        const std::string_view name = *decorator.as.text;
        if (name == "pypto.frontend.function") {
            f->is_frontend_function = true;
        } else if (name == "builtins.staticmethod") {
            f->is_static_method = true;
        } else if (name == "builtins.classmethod") {
            f->is_class_method = true;
        } else if (name == "builtins.property" || name == "functools.cached_property") {
            f->is_property = true;
            f->is_cached_property = name == "functools.cached_property";
        } else if (name == "functools.cache" || name == "functools.lru_cache") {
            f->cached = true;
        } else if (name.starts_with("contextlib.")) {
            f->opaque = true;  // a context manager now
        } else {
            // torch.no_grad, typing.final, abc.abstractmethod: what is decorated works as it is written.
            return is_library(name);
        }
        return true;
    }
    if (decorator.tag == Tag::bound_method && decorator.as.method->self.tag == Tag::function) return false;
    return is_library_value(decorator);
}

Value Interpreter::apply_decorator(const Value& v, const Value& decorator, NodeId node) {
    if (raising_) return v;
    const bool setter = decorator.tag == Tag::bound_method && decorator.as.method->self.tag == Tag::function &&
                        decorator.as.method->self.as.function->is_property;
    if (setter && v.tag == Tag::function) {  // @x.setter: the property x with another function to set it
        Function* f = heap_.make<Function>(*decorator.as.method->self.as.function);
        if (f->property_get.tag == Tag::unknown) f->property_get = decorator.as.method->self;
        (decorator.as.method->name == "getter" ? f->property_get : f->property_set) = v;
        if (decorator.as.method->name == "deleter") f->property_set = {};
        Value made = Value::with(Tag::function);
        made.as.function = f;
        return made.at(v.origin());
    }
    if (v.tag == Tag::function && decorate(v.as.function, decorator, node)) return v;
    const bool own = decorator.tag == Tag::function || decorator.tag == Tag::bound_method ||
                     decorator.tag == Tag::klass || decorator.tag == Tag::instance;
    if (own) return call_with(decorator, {v}, node);
    if (v.tag == Tag::function) {
        // One that is not known may hand it back, wrap it, or call it at once.
        if (!v.as.function->is_kernel) v.as.function->opaque = true;
        lose(v);
        return v;
    }
    return unknown(UnknownReason::Why::external_call, node);
}

Value Interpreter::define_function(NodeId definition, const std::vector<Value>& decorators,
                                   const std::vector<NodeId>& nodes) {
    Function* f = heap_.make<Function>();
    const NodeId name = tree_->child(definition, Field::name);
    if (name == kNoNode) return {};
    f->name = text(name);
    f->site = here(definition);
    f->closure = scope_;
    keep_scopes();
    f->body = tree_->child(definition, Field::body);
    f->birth = ++sequence_;
    f->is_async = tree_->has_token(definition, Kind::async);
    const bool kernel = std::ranges::any_of(decorators, is_jit);
    if (const NodeId p = tree_->child(definition, Field::parameters); p != kNoNode) {
        f->parameters = read_parameters(p, kernel);
    }
    Value v = Value::with(Tag::function);
    v.as.function = f;
    v = v.at(here(definition));
    for (std::size_t i = decorators.size(); i-- > 0;) v = apply_decorator(v, decorators[i], nodes[i]);
    // Behind what a decorator makes of it, it would not be found as an entry.
    const bool hidden = v.tag != Tag::function || v.as.function != f;
    if (hidden && f->site.file == trace_.main && frames_.empty()) wrapped_.push_back(f);
    return v;
}

Flow Interpreter::exec_decorated(NodeId node) {
    std::vector<Value> decorators;
    std::vector<NodeId> nodes;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) != Kind::decorator) continue;
        const NodeId e = tree_->named_child(c, 0);
        decorators.push_back(e == kNoNode ? Value{} : eval(e));
        nodes.push_back(e == kNoNode ? c : e);
        if (raising_) return Flow::raised;
    }
    const NodeId definition = tree_->child(node, Field::definition);
    if (definition == kNoNode) return Flow::normal;
    const NodeId name = tree_->child(definition, Field::name);
    if (name == kNoNode) return Flow::normal;
    const Value v = kind(definition) == Kind::class_definition ? define_class(definition, decorators)
                                                               : define_function(definition, decorators, nodes);
    if (raising_) return Flow::raised;
    bind_name(text(name), v);
    return Flow::normal;
}

}  // namespace ptofix::trace
