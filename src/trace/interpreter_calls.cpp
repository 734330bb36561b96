// Calls: arguments with * and **, project functions inlined with their arguments, methods bound to what they are of.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Arguments Interpreter::eval_arguments(NodeId list) {
    Arguments args;
    if (kind(list) == Kind::generator_expression) {
        args.push(eval(list), here(list), {});
        return args;
    }
    std::size_t named = 0, all = 0;
    for (NodeId c : tree_->children(list)) {
        all += (*tree_)[c].named;
        named += kind(c) == Kind::keyword_argument;
    }
    args.reserve(all - named, named);
    for (NodeId c : tree_->children(list)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        const Kind k = is_splat(c) ? Kind::list_splat : kind(c);
        switch (k) {
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
                const Value over = eval(c);
                const auto items = iterate(over);
                if (!items) {
                    // What comes after it has no known position, and neither have the items of a second one.
                    args.trailing.clear();
                    args.trailing_sites.clear();
                    if (over.tag == Tag::list || over.tag == Tag::tuple) {
                        for (const Value& v : over.as.list->items) {
                            if (args.open_positions) {
                                lose(v);
                            } else {
                                args.push(v, v.origin(), here(c));
                            }
                        }
                    }
                    args.open = args.open_positions = true;
                    break;
                }
                for (const Value& v : *items) {
                    if (args.open_positions) {
                        lose(v);
                        args.trailing.push_back(narrowed(v));
                        args.trailing_sites.push_back(v.node == kNoNode ? here(c) : v.origin());
                        continue;
                    }
                    args.positional.push_back(narrowed(v));
                    args.positional_sites.push_back(v.node == kNoNode ? here(c) : v.origin());
                    args.splat_sites.push_back(here(c));
                }
                // The expression of an element, when the list is a display of this very file: edits go there.
                if (!args.open_positions && over.is_sequence() && over.file == file_ && over.node != kNoNode &&
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
                    lose(over);
                    args.open = args.open_keywords = true;
                    break;
                }
                args.open_keywords = args.open_keywords || over.as.dict->open;
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
                if (args.open_positions) {
                    lose(v);
                    args.trailing.push_back(v);
                    args.trailing_sites.push_back(here(c));
                } else {
                    args.push(v, here(c), {});
                }
            }
        }
    }
    return args;
}

Value Interpreter::eval_call(NodeId node) {
    const NodeId callee_node = tree_->child(node, Field::function);
    const NodeId arguments = tree_->child(node, Field::arguments);
    if (callee_node == kNoNode || arguments == kNoNode) return {};
    Value callee;
    if (kind(callee_node) == Kind::attribute) {
        const Value object = eval(tree_->child(callee_node, Field::object));
        const std::string_view name = text(tree_->child(callee_node, Field::attribute));
        if (raising_) return {};
        callee = attribute(object, name, callee_node);
        const bool own = callee.tag == Tag::unknown && object.tag == Tag::instance && object.as.instance->lost;
        if (object.tag == Tag::unknown || own) touch_lost(object, name, node);
    } else {
        callee = eval(callee_node);
    }
    if (raising_) return {};
    Arguments args = eval_arguments(arguments);
    if (raising_) return {};
    if (is_super(callee, args)) return make_super(node);
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
            const Value m = special_method(callee, "__call__", node);
            if (m.tag == Tag::bound_method) return call_method(*m.as.method, args, node);
            break;
        }
        case Tag::dtype:
            return unknown(UnknownReason::Why::external_call, node);
        default:
            break;
    }
    for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
    for (const auto& [n, v] : args.keyword) note_use(LoopUse::Kind::index_escapes, v, node);
    if (is_library_value(callee)) {
        // What a library's own object does with what it is given: it holds it, or reads it.
        lose(args);
        return unknown(UnknownReason::Why::library_value, node);
    }
    // What the callee does with its arguments is unknown: it may change the lists and dicts it was given.
    escape(args, node);
    return unknown(UnknownReason::Why::external_call, node, source_ ? text(node).substr(0, 60) : std::string_view{});
}

Arguments Interpreter::settled(const Function& f, bool is_method, const Arguments& args) {
    Arguments out = args;
    if (args.trailing.empty() || args.open_keywords) return out;
    // A call that is legal gives each of these parameters by position: none of them may be left out, none comes by
    // name.
    std::size_t places = 0;
    for (const Parameter& p : f.parameters) {
        if (p.kind == Parameter::Kind::star) return out;
        if (p.kind != Parameter::Kind::plain && p.kind != Parameter::Kind::positional_only) break;
        if (p.kind == Parameter::Kind::plain && args.find(p.name) != nullptr) break;
        if (p.has_default) return out;
        ++places;
    }
    const std::size_t given = args.positional.size() + args.trailing.size() + (is_method ? 1 : 0);
    if (given > places) return out;
    for (std::size_t i = given; i < places; ++i) out.push({}, {}, {});
    for (std::size_t i = 0; i < args.trailing.size(); ++i) out.push(args.trailing[i], args.trailing_sites[i], {});
    out.trailing.clear();
    out.trailing_sites.clear();
    out.open = out.open_positions = false;
    return out;
}

bool Interpreter::bind_arguments(const Function& f, const Value* self, const Arguments& given, Scope* scope,
                                 NodeId node) {
    const Arguments args = settled(f, self != nullptr, given);
    std::vector<Value> positional;
    if (self != nullptr) positional.push_back(*self);
    positional.insert(positional.end(), args.positional.begin(), args.positional.end());
    std::size_t at = 0;
    std::vector<bool> used(args.keyword.size(), false);
    bool saw_star = false;
    bool fits = true;
    for (const Parameter& p : f.parameters) {
        switch (p.kind) {
            case Parameter::Kind::star: {
                std::vector<Value> rest;
                while (at < positional.size()) rest.push_back(positional[at++]);
                Value v = make_list(Tag::tuple, std::move(rest), node);
                v.as.list->open = args.open_positions;
                bind(scope, p.name, v.at({}));
                saw_star = true;
                continue;
            }
            case Parameter::Kind::double_star: {
                Value v = make_dict(node).at({});
                v.as.dict->open = args.open_keywords;
                for (std::size_t i = 0; i < args.keyword.size(); ++i) {
                    if (!used[i])
                        put(*v.as.dict, string_value(args.keyword[i].first, node), args.keyword[i].second, node);
                    used[i] = true;
                }
                bind(scope, p.name, v);
                continue;
            }
            default:
                break;
        }
        const bool by_position = p.kind != Parameter::Kind::keyword_only && !saw_star;
        if (by_position && at < positional.size()) {
            bind(scope, p.name, positional[at++]);
            continue;
        }
        const auto it = p.kind == Parameter::Kind::positional_only
                            ? args.keyword.end()
                            : std::ranges::find_if(args.keyword, [&](const auto& k) { return k.first == p.name; });
        const bool may_come =
            (by_position && args.open_positions) || (p.kind != Parameter::Kind::positional_only && args.open_keywords);
        if (it != args.keyword.end()) {
            used[static_cast<std::size_t>(it - args.keyword.begin())] = true;
            bind(scope, p.name, it->second);
        } else if (p.has_default && !may_come) {
            bind(scope, p.name, p.default_value);
        } else {
            fits = fits && may_come;
            lose(p.default_value);
            bind(scope, p.name, not_given(p.node == kNoNode ? node : p.node, p.name));
        }
    }
    return fits && at >= positional.size() && std::ranges::find(used, false) == used.end();
}

bool Interpreter::may_recurse(const Function* f, const Arguments& args) const {
    // A function that calls itself with what is known comes to an end by itself; with what is not, it does not.
    constexpr std::ptrdiff_t kMaxUnknown = 3;
    constexpr std::ptrdiff_t kMaxKnown = 24;
    const auto depth = std::ranges::count_if(frames_, [&](const CallFrame& c) { return c.function == f; });
    if (depth <= kMaxUnknown) return true;
    const auto settled = [](const Value& v) {
        return v.is_int() || v.tag == Tag::none || v.tag == Tag::string || v.is_sequence() || v.tag == Tag::dict ||
               v.tag == Tag::function || v.tag == Tag::real || v.tag == Tag::instance;
    };
    return depth <= kMaxKnown && !args.open && std::ranges::all_of(args.positional, settled) &&
           std::ranges::all_of(args.keyword, [&](const auto& k) { return settled(k.second); });
}

Value Interpreter::call_function(Function* f, const Value* self, Arguments& args, NodeId node) {
    const auto not_followed = [&](UnknownReason::Why why) {
        if (self != nullptr) forget(*self, node);
        escape(args, node);
        forget_effects(f, node);
        return unknown(why, node, f->name);
    };
    if (frames_.size() >= kMaxFrames || depth_ >= kMaxDepth - 20) return not_followed(UnknownReason::Why::budget);
    if (!may_recurse(f, args)) return not_followed(UnknownReason::Why::recursion);
    if (f->is_async) return not_followed(UnknownReason::Why::unsupported);
    if (f->cached) {
        if (const auto v = remembered(f, args, node)) return *v;
    }
    if (f->opaque || is_generator(f)) {
        // It may run now, later, or not as it is written.
        const Trail::Mark mark = trail_.open(sequence_);
        Exit before{sequence_, {}, {}};
        Value v = run_function(f, self, args, node);
        if (raising_) {
            record_exit(Flow::raised);
            raising_ = false;
        }
        merge(mark, true, {std::move(before)}, node);
        trail_.close();
        lose(v);
        if (self != nullptr) lose(*self);
        lose(args);
        forget_effects(f, node);
        if (f->opaque) return unknown(UnknownReason::Why::unsupported, node, f->name);
        Iterator it;
        it.function = Value::with(Tag::function);
        it.function.as.function = f;
        return make_iterator(std::move(it), node);
    }
    const Value v = run_function(f, self, args, node);
    if (f->cached && !raising_) f->memory.push_back({args.positional, v});
    return v;
}

std::optional<Value> Interpreter::remembered(Function* f, const Arguments& args, NodeId node) {
    // functools.cache: the object that was returned for equal arguments is returned again.
    for (const auto& [given, result] : f->memory) {
        bool all = given.size() == args.positional.size() && args.keyword.empty() && !args.open;
        bool undecided = !args.keyword.empty() || args.open;
        for (std::size_t i = 0; all && i < given.size(); ++i) {
            const auto e = equal_item(given[i], args.positional[i]);
            all = e == true;
            undecided = undecided || !e;
        }
        if (all) return result;
        if (undecided) {
            forget_effects(f, node);
            lose(result);
            return unknown(UnknownReason::Why::joined, node, f->name);
        }
    }
    return std::nullopt;
}

Value Interpreter::run_function(Function* f, const Value* self, Arguments& args, NodeId node) {
    if (f->site.file == trace_.main) {
        ++executed_[f->site.node];
        if (kernel_ != kNone) ran_in_kernel_.insert(f->site.node);
    }
    const Site call_site = here(node);
    const Trail::Mark mark = trail_.open(sequence_);
    Scope* scope = new_scope(f->closure);
    if (!bind_arguments(*f, self, args, scope, node) && !tries_.empty()) {
        trail_.close();
        end_scope(scope);
        return definite_error("TypeError", node);
    }
    const FileId caller_file = file_;
    Scope* caller_scope = scope_;
    FrameId id = kNone;
    if (kernel_ != kNone) {
        id = static_cast<FrameId>(trace_.frames.size());
        trace_.frames.push_back({frames_.empty() ? kNone : frames_.back().id, f, call_site});
    }
    CallFrame frame;
    frame.function = f;
    frame.id = id;
    frame.scope = scope;
    frame.loop_base = loops_.size();
    frame.mark = mark;
    frame.self = self != nullptr ? *self : Value{};
    frames_.push_back(std::move(frame));
    scope_ = scope;
    enter_file(f->site.file);
    scope->file = file_;

    Value result;
    if (f->is_lambda) {
        result = f->body == kNoNode ? Value{} : eval(f->body);
    } else {
        const Flow flow = f->body == kNoNode ? Flow::normal : exec_block(f->body);
        result = leave_function(flow, node);
    }
    frames_.pop_back();
    trail_.close();
    end_scope(scope);
    scope_ = caller_scope;
    enter_file(caller_file);
    return result;
}

Value Interpreter::leave_function(Flow flow, NodeId node) {
    CallFrame& frame = frames_.back();
    unlearn(frames_.size() - 1);
    if (!frame.exits.empty()) {
        if (raising_) {  // on the last of the ways only
            record_exit(Flow::raised);
            raising_ = false;
            flow = Flow::raised;
        }
        const std::vector<Exit> exits = std::exchange(frame.exits, {});
        merge(frame.mark, flow != Flow::raised, exits, node);
    }
    if (raising_) return {};
    if (frame.yields) return unknown(UnknownReason::Why::unsupported, node, "generator");
    const std::vector<Value> returns = frames_.back().returns;
    if (returns.empty()) return flow == Flow::raised ? Value{} : Value::none();
    Value result = returns.front();
    for (std::size_t i = 1; i < returns.size(); ++i) result = join(result, returns[i], node);
    if (flow == Flow::normal) result = join(result, Value::none(), node);
    return result;
}

bool Interpreter::is_generator(Function* f) {
    if (f->generator != Function::Generator::not_asked) return f->generator == Function::Generator::yes;
    f->generator = Function::Generator::no;
    if (f->is_lambda || f->body == kNoNode) return false;
    const syntax::Tree& tree = trace_.files[f->site.file]->tree;
    for (NodeId n = f->body; n < tree[f->body].subtree_end;) {
        const Kind k = tree.kind(n);
        if (k == Kind::function_definition || k == Kind::lambda || k == Kind::class_definition) {
            n = tree[n].subtree_end;  // theirs
            continue;
        }
        if (k == Kind::yield) f->generator = Function::Generator::yes;
        ++n;
    }
    charge(tree[f->body].subtree_end - f->body);
    return f->generator == Function::Generator::yes;
}

Value Interpreter::call_method(const BoundMethod& m, Arguments& args, NodeId node) {
    if (m.function.tag == Tag::function) {
        Function* f = m.function.as.function;
        if (f->is_kernel && kernel_ == kNone) return call_kernel(f, args, node);
        return call_function(f, &m.self, args, node);
    }
    if (m.name == "partial" && m.self.tag == Tag::list) return call_partial(*m.self.as.list, args, node);
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
        case Tag::integer:
        case Tag::boolean: {
            const Value* other = args.get(0, "other");
            if (other == nullptr) return unknown(UnknownReason::Why::unsupported, node);
            return Value::of(m.name == "min" ? trace_.symbols.min(m.self.sym(), other->sym())
                                             : trace_.symbols.max(m.self.sym(), other->sym()));
        }
        case Tag::instance:
            return instance_method(m.self, m.name, args, node);
        case Tag::klass:
            return class_method(m.self, m.name, args, node);
        default:
            escape(args, node);
            return unknown(UnknownReason::Why::external_call, node);
    }
}

Value Interpreter::call_partial(const List& parts, Arguments& args, NodeId node) {
    // functools.partial(f, a, k=v): [f, positional, keywords]
    Arguments all;
    for (const Value& p : parts.items[1].as.list->items) all.push(p, p.origin(), {});
    for (std::size_t i = 0; i < args.positional.size(); ++i) {
        all.push(args.positional[i], i < args.positional_sites.size() ? args.positional_sites[i] : Site{},
                 i < args.splat_sites.size() ? args.splat_sites[i] : Site{});
    }
    all.trailing = args.trailing;
    all.trailing_sites = args.trailing_sites;
    const Dict& named = *parts.items[2].as.dict;
    for (const auto& [k, v] : named.items) {
        const bool may_be_given = args.open_keywords;
        all.keyword.emplace_back(*k.as.text, may_be_given ? unknown(UnknownReason::Why::joined, node) : v);
        all.keyword_sites.push_back(v.origin());
        all.keyword_splats.push_back({});
    }
    for (std::size_t i = 0; i < args.keyword.size(); ++i) {
        std::size_t at = 0;
        while (at < all.keyword.size() && all.keyword[at].first != args.keyword[i].first) ++at;
        if (at == all.keyword.size()) {
            all.keyword.emplace_back();
            all.keyword_sites.emplace_back();
            all.keyword_splats.emplace_back();
        }
        all.keyword[at] = args.keyword[i];
        all.keyword_sites[at] = args.keyword_sites[i];
        all.keyword_splats[at] = args.keyword_splats[i];
    }
    all.open_positions = args.open_positions;
    all.open_keywords = args.open_keywords || named.open;
    all.open = all.open_positions || all.open_keywords;
    return call(parts.items[0], all, node);
}

}  // namespace ptofix::trace
