// What code may have done that was not followed: a function given to a library, a recursion that goes too deep, a
// function of the file that someone may have called before. The names it rebinds and the objects it may change are
// forgotten.
#include <algorithm>

#include "trace/interpreter.h"
#include "trace/name_filter.h"

namespace ptofix::trace {

namespace {

/// Methods of Python's containers and texts that change nothing.
constexpr std::string_view kReadOnly[] = {
    "get",    "items",   "keys",       "values",   "copy",          "index",        "count",    "split",
    "join",   "format",  "startswith", "endswith", "lower",         "upper",        "strip",    "rstrip",
    "lstrip", "replace", "union",      "find",     "difference",    "intersection", "issubset", "isdigit",
    "zfill",  "size",    "dim",        "numel",    "is_contiguous", "_asdict",      "_replace", "issuperset"};

}  // namespace

Interpreter::Use Interpreter::use_of(const syntax::Tree& tree, std::string_view source, NodeId n) const {
    // From the name outwards along .attribute and [subscript] to what is done with it.
    NodeId at = n;
    bool part = false;
    std::string_view member;  // the first attribute
    const auto use = [&](Mention how) { return Use{how, member}; };
    while (true) {
        const NodeId up = tree.parent(at);
        if (up == kNoNode) return use(Mention::read);
        const Kind k = tree.kind(up);
        const Field f = tree[at].field;
        if (k == Kind::attribute && f == Field::object) {
            const auto r = tree.range(tree.child(up, Field::attribute));
            const std::string_view name = source.substr(r.start, r.size());
            if (!part) member = name;
            const NodeId caller = tree.parent(up);
            if (caller != kNoNode && tree.kind(caller) == Kind::call && tree[up].field == Field::function) {
                const bool reads = std::ranges::find(kReadOnly, name) != std::end(kReadOnly);
                return use(reads ? Mention::read : part ? Mention::part_method : Mention::method);
            }
            part = true;
            at = up;
            continue;
        }
        if (k == Kind::subscript && f == Field::value) {
            part = true;
            at = up;
            continue;
        }
        switch (k) {
            case Kind::call:
                return use(f == Field::function ? (part ? Mention::changed : Mention::called) : Mention::read);
            case Kind::assignment:
            case Kind::augmented_assignment:
                if (f == Field::left) return use(part ? Mention::changed : Mention::rebound);
                return use(part ? Mention::part_given : Mention::given);
            case Kind::named_expression:
                if (f == Field::name) return use(Mention::rebound);
                return use(part ? Mention::part_given : Mention::given);
            case Kind::delete_statement:
                return use(part ? Mention::changed : Mention::rebound);
            case Kind::for_statement:
            case Kind::for_in_clause:
                if (f == Field::left) return use(part ? Mention::changed : Mention::rebound);
                return use(f == Field::right ? Mention::part_given : Mention::read);
            case Kind::pattern_list:
            case Kind::tuple_pattern:
            case Kind::list_pattern:
            case Kind::list_splat_pattern:
            case Kind::as_pattern_target:
                return use(part ? Mention::changed : Mention::rebound);
            case Kind::expression_list:
            case Kind::tuple:
            case Kind::list: {
                const NodeId outer = tree.parent(up);
                const Field of = tree[up].field;
                const bool target = outer != kNoNode && of == Field::left &&
                                    (tree.kind(outer) == Kind::assignment || tree.kind(outer) == Kind::for_statement);
                const bool deleted = outer != kNoNode && tree.kind(outer) == Kind::delete_statement;
                if (target || deleted) return use(part ? Mention::changed : Mention::rebound);
                return use(part ? Mention::part_given : Mention::given);
            }
            case Kind::function_definition:
            case Kind::class_definition:
                return use(f == Field::name ? Mention::rebound : Mention::read);
            case Kind::dotted_name:
            case Kind::aliased_import: {
                NodeId s = up;
                while (s != kNoNode && tree.kind(s) != Kind::import_statement &&
                       tree.kind(s) != Kind::import_from_statement && tree.kind(s) != Kind::block) {
                    s = tree.parent(s);
                }
                const bool import = s != kNoNode && tree.kind(s) != Kind::block;
                return use(import ? Mention::rebound : Mention::read);
            }
            case Kind::comparison_operator:
            case Kind::not_operator:
            case Kind::unary_operator:
            case Kind::binary_operator:
            case Kind::if_statement:
            case Kind::while_statement:
            case Kind::elif_clause:
            case Kind::assert_statement:
            case Kind::interpolation:
            case Kind::expression_statement:
            case Kind::keyword_argument:
            case Kind::slice:
            case Kind::type:
                if (k == Kind::keyword_argument && f == Field::value)
                    return use(part ? Mention::part_given : Mention::given);
                return use(Mention::read);
            case Kind::subscript:  // as the key
            case Kind::attribute:  // the name of an attribute
                return use(Mention::read);
            case Kind::parenthesized_expression:
                at = up;
                continue;
            default:
                return use(part ? Mention::part_given : Mention::given);
        }
    }
}

void Interpreter::forget_earlier_calls() {
    // Any function of the file may have been called before: what they rebind and change by name is not known. What they
    // are handed is another matter; those that call them here are followed.
    Scope* globals = scope_;
    std::unordered_map<std::string_view, bool> names;  // that may be meant; true: some function declares it global
    for (const Scope::Entry& e : globals->entries) {
        switch (e.value.tag) {
            case Tag::list:
            case Tag::dict:
            case Tag::set:
            case Tag::instance:
            case Tag::iterator:
            case Tag::klass:
            case Tag::module:
                if (e.bound) names.emplace(e.name, false);
                break;
            default:
                break;
        }
    }
    for (NodeId n = 0; n < tree_->nodes().size(); ++n) {
        if (kind(n) == Kind::identifier && kind(tree_->parent(n)) == Kind::global_statement) names[text(n)] = true;
    }
    if (names.empty()) return;
    NameFilter filter;
    for (const auto& [name, declared] : names) filter.add(name);
    for (NodeId n = 0; n < tree_->nodes().size();) {
        if (kind(n) != Kind::function_definition) {
            ++n;
            continue;
        }
        const NodeId end = (*tree_)[n].subtree_end;
        for (NodeId i = n; i < end; ++i) {
            if (kind(i) != Kind::identifier || !filter.may_have(text(i))) continue;
            const auto it = names.find(text(i));
            if (it == names.end()) continue;
            const Use use = use_of(*tree_, source_->text(), i);
            if (use.how < Mention::method) continue;
            if (!it->second && (use.how == Mention::rebound || binds_name(n, it->first))) continue;
            if (use.how == Mention::rebound) {
                bind(globals, it->first, unknown(UnknownReason::Why::joined, i, it->first));
            } else if (const Scope::Entry* e = globals->find(it->first); e != nullptr && e->bound) {
                forget_used(Value(e->value), use, true, i);
            }
        }
        n = end;
    }
}

bool Interpreter::binds_name(NodeId code, std::string_view name) const {
    for (NodeId n = code; n < (*tree_)[code].subtree_end; ++n) {
        if (kind(n) != Kind::identifier || text(n) != name) continue;
        const Kind parent = kind(tree_->parent(n));
        if (parent == Kind::parameters || parent == Kind::lambda_parameters || parent == Kind::typed_parameter)
            return true;
        if ((parent == Kind::default_parameter || parent == Kind::typed_default_parameter) &&
            (*tree_)[n].field == Field::name) {
            return true;
        }
        if (use_of(*tree_, source_->text(), n).how == Mention::rebound) return true;
    }
    return false;
}

void Interpreter::forget_skipped(NodeId code) {
    // Code of this very scope that is not executed: too deeply nested, or broken.
    for (NodeId n = code; n < (*tree_)[code].subtree_end; ++n) {
        if (kind(n) != Kind::identifier) continue;
        bool rebound = use_of(*tree_, source_->text(), n).how == Mention::rebound;
        if (!rebound && tree_->broken(code)) {
            // In broken code any name of a value may be a target.
            Scope* scope = nullptr;
            const Scope::Entry* e = entry_of(scope_, text(n), &scope);
            const bool data = e != nullptr && e->value.tag != Tag::module && e->value.tag != Tag::external &&
                              e->value.tag != Tag::function && e->value.tag != Tag::klass;
            rebound = data && scope == scope_of_binding(scope_, text(n));
            // The name of a definition that the parser could not place.
            const Kind before = kind(n - 1);
            rebound = rebound || before == Kind::def || before == Kind::class_token;
        }
        if (rebound) bind_name(text(n), unknown(UnknownReason::Why::unsupported, n));
    }
    forget_effects(here(code), scope_, code);
}

void Interpreter::forget_effects(Function* f, NodeId node) {
    const NodeId body = f->is_lambda ? f->site.node : f->body;
    if (body == kNoNode || f->site.file == kNoFile) return;
    forget_effects({f->site.file, body}, f->closure, node);
}

Interpreter::Effects& Interpreter::effects_of(Site body) {
    if (const auto it = effects_.find(body); it != effects_.end()) return it->second;
    Effects effects;
    const syntax::Tree& tree = trace_.files[body.file]->tree;
    const std::string_view source = trace_.files[body.file]->text();
    const NodeId end = tree[body.node].subtree_end;
    charge(end - body.node);
    const auto text_of = [&](NodeId n) {
        const auto r = tree.range(n);
        return source.substr(r.start, r.size());
    };
    for (NodeId n = body.node; n < end; ++n) {
        if (tree.kind(n) != Kind::identifier) continue;
        const NodeId up = tree.parent(n);
        const Kind parent = up == kNoNode ? Kind::other : tree.kind(up);
        if (parent == Kind::global_statement || parent == Kind::nonlocal_statement) {
            effects.declared.push_back(text_of(n));
            continue;
        }
        const bool parameter = parent == Kind::parameters || parent == Kind::lambda_parameters ||
                               parent == Kind::default_parameter || parent == Kind::typed_parameter ||
                               parent == Kind::typed_default_parameter;
        if (parameter && tree[n].field != Field::value) effects.own.push_back(text_of(n));
        const Use use = use_of(tree, source, n);
        if (use.how == Mention::rebound) effects.own.push_back(text_of(n));
        if (use.how != Mention::read) effects.uses.emplace_back(text_of(n), use);
    }
    for (auto* names : {&effects.declared, &effects.own}) {
        std::ranges::sort(*names);
        names->erase(std::ranges::unique(*names).begin(), names->end());
    }
    std::ranges::sort(effects.uses);
    effects.uses.erase(std::ranges::unique(effects.uses).begin(), effects.uses.end());
    std::erase_if(effects.uses, [&](const auto& u) {
        const bool declared = std::ranges::binary_search(effects.declared, u.first);
        return !declared && (u.second.how == Mention::rebound || std::ranges::binary_search(effects.own, u.first));
    });
    return effects_.emplace(body, std::move(effects)).first->second;
}

Scope::Entry* Interpreter::entry_of_use(Effects& effects, std::size_t use, Scope* closure, Scope** found) {
    constexpr std::size_t kNowhere = SIZE_MAX;
    const std::string_view name = effects.uses[use].first;
    if (closure == nullptr || !closure->is_module || closure->parent != nullptr) return entry_of(closure, name, found);
    if (effects.module != closure) {
        effects.module = closure;
        effects.entries.assign(effects.uses.size(), kNowhere);
        effects.looked.assign(effects.uses.size(), 0);
    }
    std::vector<Scope::Entry>& entries = closure->entries;
    std::size_t& at = effects.entries[use];
    std::size_t& looked = effects.looked[use];
    if (at == kNowhere && looked == 0) {
        const Scope::Entry* e = closure->find(name);
        if (e != nullptr) at = static_cast<std::size_t>(e - entries.data());
        looked = entries.size();
    }
    const std::uint32_t key = Scope::key_of(name);
    for (; at == kNowhere && looked < entries.size(); ++looked) {
        if (entries[looked].key == key && entries[looked].name == name) at = looked;
    }
    if (at == kNowhere || !entries[at].bound) return nullptr;
    *found = closure;
    return &entries[at];
}

void Interpreter::begin_forget_round() {
    in_forget_round_ = true;
    ++forget_round_;
}

void Interpreter::forget_effects(Site body, Scope* closure, NodeId node) {
    if (out_of_budget()) return;
    Effects& effects = effects_of(body);  // stays where it is: a map's entry
    const bool outermost = !in_forget_round_;
    if (outermost) begin_forget_round();
    if (effects.round != forget_round_) {
        effects.round = forget_round_;
        effects.forgotten.clear();
    } else if (std::ranges::find(effects.forgotten, closure) != effects.forgotten.end()) {
        return;
    }
    effects.forgotten.push_back(closure);
    for (std::size_t i = 0; i < effects.uses.size(); ++i) {
        const auto& [name, use] = effects.uses[i];
        Scope* scope = closure;
        Scope::Entry* e = entry_of_use(effects, i, closure, &scope);
        if (use.how == Mention::rebound) {
            if (e == nullptr) {
                while (scope->parent != nullptr) scope = scope->parent;
            } else {
                lose(Value(e->value));
            }
            bind(scope, name, unknown(UnknownReason::Why::joined, node, name));
        } else if (e != nullptr) {
            forget_used(Value(e->value), use, false, node);
        }
    }
    if (outermost) in_forget_round_ = false;
}

void Interpreter::forget_used(const Value& v, const Use& use, bool direct, NodeId node) {
    const auto forget_calls_of = [&](const Value& callee) {
        if (direct) return;  // followed where it is called
        if (callee.tag == Tag::function) forget_effects(callee.as.function, node);
        if (callee.tag != Tag::klass) return;
        for (const std::string_view name : {"__init__", "__post_init__"}) {
            const ClassEntry e = class_entry(callee.as.klass, name);
            if (e.value.tag == Tag::function) forget_effects(e.value.as.function, node);
        }
    };
    // Conf.tile = 2, state.n += 1
    const auto forget_member = [&](Scope* scope) {
        const Scope::Entry* e = scope->find(use.member);
        if (use.how == Mention::method) {
            if (e != nullptr && e->bound) forget_calls_of(e->value);
        } else if (use.how == Mention::part_method && direct && e != nullptr && e->value.tag == Tag::module) {
            // import model.helpers; model.helpers.f(): followed where it is called
        } else if (use.how == Mention::changed || use.how == Mention::part_method) {
            if (e != nullptr && e->bound) forget(Value(e->value), node);
            bind(scope, use.member, unknown(UnknownReason::Why::joined, node, use.member));
        }
    };
    switch (v.tag) {
        case Tag::function:
            if (use.how == Mention::called || use.how == Mention::given) forget_calls_of(v);
            break;
        case Tag::klass:
            if (use.how == Mention::called) forget_calls_of(v);
            if (!v.as.klass->is_enum && !use.member.empty()) forget_member(v.as.klass->members);
            break;
        case Tag::module:
            if (v.as.module->globals != nullptr && !use.member.empty()) forget_member(v.as.module->globals);
            break;
        case Tag::instance:
            if (use.how == Mention::method && v.as.instance->klass != nullptr) {
                const ClassEntry e = class_entry(v.as.instance->klass, use.member);
                if (e.value.tag == Tag::function) forget_effects(e.value.as.function, node);
            }
            [[fallthrough]];
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
        case Tag::dict:
        case Tag::iterator:
        case Tag::view:
        case Tag::bound_method:
            if (use.how != Mention::part_given) {
                forget(v, node);
            } else {
                for (const Value& item : parts_of(v)) forget(item, node);
            }
            break;
        default:
            break;
    }
}

std::vector<Value> Interpreter::parts_of(const Value& v) const {
    std::vector<Value> parts;
    if (v.is_sequence()) parts = v.as.list->items;
    if (v.tag == Tag::dict) {
        for (const auto& [k, item] : v.as.dict->items) parts.push_back(item);
    }
    if (v.tag == Tag::instance) {
        for (const auto& [n, item] : v.as.instance->attributes) parts.push_back(item);
    }
    return parts;
}

}  // namespace ptofix::trace
