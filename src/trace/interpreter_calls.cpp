// Calls: arguments with * and **, project functions inlined with their arguments, classes.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Arguments Interpreter::eval_arguments(NodeId list) {
    Arguments args;
    if (kind(list) == Kind::generator_expression) {
        args.positional.push_back(eval(list));
        args.positional_sites.push_back(here(list));
        args.splat_sites.push_back({});
        return args;
    }
    for (NodeId c : tree_->children(list)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        switch (kind(c)) {
            case Kind::keyword_argument: {
                const NodeId name = tree_->child(c, Field::name);
                const NodeId value = tree_->child(c, Field::value);
                if (name == kNoNode || value == kNoNode) break;
                Value v = eval(value);
                if (v.node == kNoNode) v = v.at(here(value));
                args.keyword.emplace_back(text(name), v);
                args.keyword_sites.push_back(here(value));
                args.keyword_splats.push_back({});
                break;
            }
            case Kind::list_splat: {
                const NodeId inner = tree_->named_child(c, 0);
                const Value over = inner == kNoNode ? Value{} : eval(inner);
                const auto items = iterate(over);
                if (!items) {
                    args.open = true;
                    break;
                }
                for (const Value& v : *items) {
                    args.positional.push_back(v);
                    args.positional_sites.push_back(v.node == kNoNode ? here(inner) : v.origin());
                    args.splat_sites.push_back(here(c));
                }
                // The expression of an element, when the list is a display of this very file: edits go there.
                if (over.is_sequence() && over.file == file_ && over.node != kNoNode &&
                    (kind(over.node) == Kind::list || kind(over.node) == Kind::tuple)) {
                    std::vector<NodeId> elements;
                    for (NodeId e : tree_->children(over.node)) {
                        if ((*tree_)[e].named && kind(e) != Kind::comment) elements.push_back(e);
                    }
                    const bool plain =
                        std::ranges::none_of(elements, [&](NodeId e) { return kind(e) == Kind::list_splat; });
                    if (plain && elements.size() == items->size()) {
                        const std::size_t base = args.positional_sites.size() - items->size();
                        for (std::size_t i = 0; i < elements.size(); ++i)
                            args.positional_sites[base + i] = here(elements[i]);
                    }
                }
                break;
            }
            case Kind::dictionary_splat: {
                const NodeId inner = tree_->named_child(c, 0);
                const Value over = inner == kNoNode ? Value{} : eval(inner);
                if (over.tag != Tag::dict) {
                    args.open = true;
                    break;
                }
                args.open = args.open || over.as.dict->open;
                for (const auto& [k, v] : over.as.dict->items) {
                    if (k.tag != Tag::string) {
                        args.open = true;
                        continue;
                    }
                    args.keyword.emplace_back(*k.as.text, v);
                    args.keyword_sites.push_back(v.origin());
                    args.keyword_splats.push_back(here(c));
                }
                break;
            }
            default: {
                Value v = eval(c);
                if (v.node == kNoNode) v = v.at(here(c));
                args.positional.push_back(v);
                args.positional_sites.push_back(here(c));
                args.splat_sites.push_back({});
            }
        }
    }
    return args;
}

Value Interpreter::eval_call(NodeId node) {
    const NodeId callee_node = tree_->child(node, Field::function);
    const NodeId arguments = tree_->child(node, Field::arguments);
    if (callee_node == kNoNode || arguments == kNoNode) return {};
    const Value callee = eval(callee_node);
    Arguments args = eval_arguments(arguments);
    Value v = call(callee, args, node);
    if (v.node == kNoNode && v.tag != Tag::unknown) v = v.at(here(node));
    return v;
}

Value Interpreter::call(Value callee, Arguments& args, NodeId node) {
    switch (callee.tag) {
        case Tag::function: {
            Function* f = callee.as.function;
            if (f->is_kernel && kernel_ == kNone) return call_kernel(f, args, node);
            return call_function(f, nullptr, args, node);
        }
        case Tag::bound_method:
            return call_method(*callee.as.method, args, node);
        case Tag::klass:
            return call_class(callee.as.klass, args, node);
        case Tag::external:
            return call_external(*callee.as.text, args, node);
        case Tag::instance: {
            const Value m = class_attribute(callee.as.instance->klass, "__call__", callee, node);
            if (callee.as.instance->klass != nullptr && m.tag == Tag::bound_method)
                return call_method(*m.as.method, args, node);
            break;
        }
        case Tag::dtype:
            return unknown(UnknownReason::Why::external_call, node);
        default:
            break;
    }
    // What the callee does with its arguments is unknown: it may change the lists and dicts it was given.
    for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
    for (const auto& [n, v] : args.keyword) note_use(LoopUse::Kind::index_escapes, v, node);
    return unknown(UnknownReason::Why::external_call, node, source_ ? text(node).substr(0, 60) : std::string_view{});
}

bool Interpreter::bind_arguments(const Function& f, const Value* self, const Arguments& args, Scope* scope,
                                 NodeId node) {
    std::vector<Value> positional;
    if (self != nullptr) positional.push_back(*self);
    positional.insert(positional.end(), args.positional.begin(), args.positional.end());
    std::size_t at = 0;
    std::vector<bool> used(args.keyword.size(), false);
    bool saw_star = false;
    for (const Parameter& p : f.parameters) {
        switch (p.kind) {
            case Parameter::Kind::star: {
                std::vector<Value> rest;
                while (at < positional.size()) rest.push_back(positional[at++]);
                Value v = make_list(Tag::tuple, std::move(rest), node);
                v.as.list->open = args.open;
                bind(scope, p.name, v.at({}));
                saw_star = true;
                continue;
            }
            case Parameter::Kind::double_star: {
                Value v = Value::with(Tag::dict);
                v.as.dict = heap_.make<Dict>();
                v.as.dict->birth = ++sequence_;
                v.as.dict->open = args.open;
                for (std::size_t i = 0; i < args.keyword.size(); ++i) {
                    if (!used[i])
                        v.as.dict->items.emplace_back(string_value(args.keyword[i].first, node),
                                                      args.keyword[i].second);
                    used[i] = true;
                }
                bind(scope, p.name, v);
                continue;
            }
            default:
                break;
        }
        if (p.kind != Parameter::Kind::keyword_only && !saw_star && at < positional.size()) {
            bind(scope, p.name, positional[at++]);
            continue;
        }
        const auto it = std::ranges::find_if(args.keyword, [&](const auto& k) { return k.first == p.name; });
        if (it != args.keyword.end()) {
            used[static_cast<std::size_t>(it - args.keyword.begin())] = true;
            bind(scope, p.name, it->second);
        } else if (p.has_default && !args.open) {
            bind(scope, p.name, p.default_value);
        } else {
            Value v = unknown(UnknownReason::Why::not_given, p.node == kNoNode ? node : p.node, p.name);
            bind(scope, p.name, v);
        }
    }
    return at >= positional.size();
}

Value Interpreter::call_function(Function* f, const Value* self, Arguments& args, NodeId node) {
    if (frames_.size() >= kMaxFrames || depth_ >= kMaxDepth - 20)
        return unknown(UnknownReason::Why::budget, node, f->name);
    const auto recursion = std::ranges::count_if(frames_, [&](const CallFrame& c) { return c.function == f; });
    if (recursion > 3) return unknown(UnknownReason::Why::recursion, node, f->name);
    if (f->is_async_or_generator) return unknown(UnknownReason::Why::unsupported, node, f->name);
    if (f->site.file == trace_.main) ++executed_[f->site.node];

    const Site call_site = here(node);
    Scope* scope = new_scope(f->closure);
    bind_arguments(*f, self, args, scope, node);

    const FileId caller_file = file_;
    Scope* caller_scope = scope_;
    FrameId id = kNone;
    if (kernel_ != kNone) {
        id = static_cast<FrameId>(trace_.frames.size());
        trace_.frames.push_back({frames_.empty() ? kNone : frames_.back().id, f, call_site});
    }
    frames_.push_back({f, id, scope, {}, false, loops_.size()});
    scope_ = scope;
    enter_file(f->site.file);
    scope->file = file_;

    Value result;
    if (f->is_lambda) {
        result = f->body == kNoNode ? Value{} : eval(f->body);
    } else {
        const Flow flow = f->body == kNoNode ? Flow::normal : exec_block(f->body);
        CallFrame& frame = frames_.back();
        if (frame.yields) {
            result = unknown(UnknownReason::Why::unsupported, node, "generator");
        } else if (frame.returns.empty()) {
            result = flow == Flow::raised ? unknown(UnknownReason::Why::error, node, f->name) : Value::none();
        } else {
            result = frame.returns.front();
            for (std::size_t i = 1; i < frame.returns.size(); ++i) result = join(result, frame.returns[i], node);
            if (flow == Flow::normal) result = join(result, Value::none(), node);
        }
    }
    frames_.pop_back();
    scope_ = caller_scope;
    enter_file(caller_file);
    return result;
}

Value Interpreter::call_class(Class* klass, Arguments& args, NodeId node) {
    if (klass->is_enum) return unknown(UnknownReason::Why::unsupported, node, klass->name);
    Value v = Value::with(Tag::instance);
    v.as.instance = heap_.make<Instance>();
    Instance& instance = *v.as.instance;
    instance.klass = klass;
    instance.birth = ++sequence_;
    v = v.at(here(node));
    if (klass->is_dataclass || klass->is_named_tuple) {
        std::size_t at = 0;
        for (const Class::FieldInfo& field : klass->fields) {
            Value value;
            const Value* given = at < args.positional.size() ? &args.positional[at] : args.find(field.name);
            ++at;
            if (given != nullptr) {
                value = *given;
            } else if (args.open) {
                value = unknown(UnknownReason::Why::not_given, node, field.name);
            } else if (field.has_factory) {
                Arguments none;
                value = call(field.factory, none, node);
                if (value.node == kNoNode || value.file == file_)
                    value = value.tag == Tag::unknown ? value
                                                      : value.at(value.origin().known() ? value.origin() : field.site);
            } else if (field.has_default) {
                value = field.default_value;
            } else {
                value = unknown(UnknownReason::Why::not_given, node, field.name);
            }
            instance.attributes.emplace_back(field.name, value);
        }
        const Value post = class_attribute(klass, "__post_init__", v, node);
        if (post.tag == Tag::bound_method) {
            Arguments none;
            call_method(*post.as.method, none, node);
        }
        return v;
    }
    const Value init = class_attribute(klass, "__init__", v, node);
    if (init.tag == Tag::bound_method) call_method(*init.as.method, args, node);
    return v;
}

Value Interpreter::call_method(const BoundMethod& m, Arguments& args, NodeId node) {
    if (m.function.tag == Tag::function) {
        Function* f = m.function.as.function;
        if (f->is_kernel && kernel_ == kNone) return call_kernel(f, args, node);
        return call_function(f, &m.self, args, node);
    }
    if (m.name == "partial" && m.self.tag == Tag::list) {  // functools.partial(f, a, k=v): [f, positional, keywords]
        const auto& parts = m.self.as.list->items;
        Arguments all;
        all.positional = parts[1].as.list->items;
        for (const Value& p : all.positional) {
            all.positional_sites.push_back(p.origin());
            all.splat_sites.push_back({});
        }
        all.positional.insert(all.positional.end(), args.positional.begin(), args.positional.end());
        all.positional_sites.insert(all.positional_sites.end(), args.positional_sites.begin(),
                                    args.positional_sites.end());
        all.splat_sites.insert(all.splat_sites.end(), args.splat_sites.begin(), args.splat_sites.end());
        all.keyword = args.keyword;
        all.keyword_sites = args.keyword_sites;
        all.keyword_splats = args.keyword_splats;
        for (const auto& [k, v] : parts[2].as.dict->items) {
            if (args.find(*k.as.text) != nullptr) continue;
            all.keyword.emplace_back(*k.as.text, v);
            all.keyword_sites.push_back(v.origin());
            all.keyword_splats.push_back({});
        }
        all.open = args.open || parts[2].as.dict->open;
        return call(parts[0], all, node);
    }
    if (m.name == "jit" && m.self.tag == Tag::dict) {  // pypto.frontend.jit(options)(f)
        const Value* f = args.get(0, "func");
        if (f != nullptr && f->tag == Tag::function) {
            Value self = Value::with(Tag::bound_method);
            self.as.method = &m;
            decorate(f->as.function, self.at(here(node)), node);
            return *f;
        }
        return unknown(UnknownReason::Why::external_call, node);
    }
    switch (m.self.tag) {
        case Tag::list:
        case Tag::tuple:
            return list_method(m.self, m.name, args, node);
        case Tag::dict:
            return dict_method(m.self, m.name, args, node);
        case Tag::set:
            return set_method(m.self, m.name, args, node);
        case Tag::string:
            return string_method(m.self, m.name, args, node);
        case Tag::tensor:
            return tensor_method(m.self, m.name, args, node);
        case Tag::symbol:
        case Tag::integer: {
            const Value* other = args.get(0, "other");
            if (other == nullptr) return unknown(UnknownReason::Why::unsupported, node);
            return Value::of(m.name == "min" ? trace_.symbols.min(m.self.sym(), other->sym())
                                             : trace_.symbols.max(m.self.sym(), other->sym()));
        }
        case Tag::instance:
            if (m.name == "_replace") {
                Value v = copy(m.self, 1);
                for (const auto& [k, value] : args.keyword) {
                    for (auto& [n, old] : v.as.instance->attributes) {
                        if (n == k) old = value;
                    }
                }
                return v;
            }
            return unknown(UnknownReason::Why::unsupported, node);
        default:
            return unknown(UnknownReason::Why::external_call, node);
    }
}

}  // namespace ptofix::trace
