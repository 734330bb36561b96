// Class definitions: the body, bases and decorators; dataclasses, NamedTuples and their fields.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::define_class(NodeId definition, const std::vector<Value>& decorators) {
    Class* k = heap_.make<Class>();
    const NodeId name = tree_->child(definition, Field::name);
    if (name == kNoNode) return {};
    k->name = text(name);
    k->site = here(definition);
    if (const NodeId bases = tree_->child(definition, Field::superclasses); bases != kNoNode) {
        const Arguments args = eval_arguments(bases);
        if (raising_) return {};
        k->bases = args.positional;
        if (args.open) k->bases.push_back({});
        if (const Value* m = args.find("metaclass"); m != nullptr) {
            const bool harmless =
                m->tag == Tag::external && (*m->as.text == "abc.ABCMeta" || *m->as.text == "enum.EnumMeta");
            k->has_metaclass = !harmless;
        }
    }
    read_bases(*k);
    Scope* outer = scope_;
    keep_scopes();
    k->members = new_scope(outer);
    k->members->is_class = true;
    set_bases(*k);
    scope_ = k->members;
    std::vector<std::string_view> order;  // of the names that an enumeration may have as members
    const NodeId body = tree_->child(definition, Field::body);
    if (body != kNoNode) {
        for (NodeId s : tree_->children(body)) {
            if (!(*tree_)[s].named || kind(s) == Kind::comment) continue;
            const NodeId a = kind(s) == Kind::expression_statement ? tree_->named_child(s, 0) : kNoNode;
            const bool annotated =
                a != kNoNode && kind(a) == Kind::assignment && tree_->child(a, Field::type) != kNoNode;
            if (annotated) {
                define_field(*k, a);
            } else {
                exec(s);
            }
            if (raising_ || budget_.is_spent()) break;
        }
        for (const Scope::Entry& e : k->members->entries) order.push_back(e.name);
    }
    scope_ = outer;
    if (raising_) return {};
    for (const Scope::Entry& e : k->members->entries) {
        if (e.value.tag == Tag::function && e.value.as.function->closure == k->members) e.value.as.function->owner = k;
    }
    if (k->is_enum) make_members(*k, order);
    if (k->is_named_tuple && !k->declared.empty()) {
        for (Class::FieldInfo f : k->declared) {
            if (!f.class_variable) k->fields.push_back(std::move(f));
        }
    }
    Value v = Value::with(Tag::klass);
    v.as.klass = k;
    v = v.at(here(definition));
    for (std::size_t i = decorators.size(); i-- > 0 && !raising_;) v = decorate_class(v, decorators[i], definition);
    return v;
}

void Interpreter::read_bases(Class& k) {
    for (const Value& b : k.bases) {
        if (b.tag == Tag::klass) {
            const Class& base = *b.as.klass;
            k.is_dataclass = k.is_dataclass || base.is_dataclass;
            k.is_frozen = k.is_frozen || base.is_frozen;
            k.is_named_tuple = k.is_named_tuple || base.is_named_tuple;
            k.is_enum = k.is_enum || base.is_enum;
            k.is_int_enum = k.is_int_enum || base.is_int_enum;
            k.is_flag = k.is_flag || base.is_flag;
            k.is_mixed = k.is_mixed || base.is_mixed;
            k.is_exception = k.is_exception || base.is_exception;
            k.has_metaclass = k.has_metaclass || base.has_metaclass;
            k.compares_fields = false;
            if (k.fields.empty()) k.fields = base.fields;
        } else if (b.tag == Tag::external) {
            const std::string_view name = *b.as.text;
            if (name == "typing.NamedTuple") k.is_named_tuple = true;
            if (name.starts_with("enum.")) {
                k.is_enum = true;
                k.is_int_enum = k.is_int_enum || name == "enum.IntEnum";
                k.is_flag = k.is_flag || name == "enum.Flag" || name == "enum.IntFlag";
                k.is_mixed = k.is_mixed || name == "enum.StrEnum" || name == "enum.IntFlag";
            }
        }
    }
    if (!k.is_enum) return;
    for (const Value& b : k.bases) {  // class Size(int, Enum)
        const std::string_view name = b.tag == Tag::external ? std::string_view(*b.as.text) : std::string_view{};
        if (name == "builtins.int") k.is_int_enum = true;
        if (name.starts_with("builtins.") && name != "builtins.int" && name != "builtins.object") k.is_mixed = true;
    }
}

std::string_view Interpreter::annotation_head(NodeId type) {
    // What the outermost name of an annotation stands for: typing.ClassVar in `t.ClassVar[int]`.
    NodeId n = type;
    while (n != kNoNode && kind(n) != Kind::identifier && kind(n) != Kind::attribute && kind(n) != Kind::string) {
        n = tree_->named_child(n, 0);
    }
    if (n == kNoNode) return {};
    std::string_view written = text(n);
    if (kind(n) == Kind::string) {
        written = written.substr(std::min(written.find_first_not_of("\"'"), written.size()));
        written = written.substr(0, written.find_first_of("[\"' "));
    }
    const std::string_view first = written.substr(0, written.find('.'));
    const std::string_view last = written.substr(written.rfind('.') + 1);
    const Scope::Entry* e = entry_of(scope_, first, nullptr);
    if (e == nullptr) return {};
    std::string_view module;
    std::string_view name = last;
    if (e->value.tag == Tag::external) {
        const std::string_view dotted = *e->value.as.text;
        module = dotted.substr(0, dotted.find('.'));
        if (first == written) name = dotted.substr(dotted.rfind('.') + 1);
    }
    if (module != "typing" && module != "typing_extensions" && module != "dataclasses") return {};
    return name == "ClassVar" || name == "InitVar" || name == "KW_ONLY" ? name : std::string_view{};
}

void Interpreter::define_field(Class& k, NodeId assignment) {
    const NodeId left = tree_->child(assignment, Field::left);
    const NodeId right = tree_->child(assignment, Field::right);
    Value v;
    if (right != kNoNode) {
        v = eval(right);
        if (raising_) return;
        if (v.node == kNoNode) v = v.at(here(right));
    }
    if (left == kNoNode || kind(left) != Kind::identifier) {
        if (right != kNoNode && left != kNoNode) assign(left, v);
        return;
    }
    Class::FieldInfo field;
    field.name = text(left);
    field.site = here(assignment);
    const std::string_view head = annotation_head(tree_->child(assignment, Field::type));
    field.class_variable = head == "ClassVar";
    field.init_only = head == "InitVar";
    field.marks_keyword_only = head == "KW_ONLY";
    if (right != kNoNode) {
        field.has_default = true;
        field.default_value = v;
        bind(scope_, field.name, v);
    }
    const auto same_name = [&](const Class::FieldInfo& f) { return f.name == field.name; };
    if (auto it = std::ranges::find_if(k.declared, same_name); it != k.declared.end()) {
        *it = field;
    } else {
        k.declared.push_back(field);
    }
}

Value Interpreter::decorate_class(const Value& v, const Value& decorator, NodeId node) {
    if (decorator.tag == Tag::external) {
        const std::string_view name = *decorator.as.text;
        static constexpr std::string_view kKeep[] = {"functools.total_ordering", "typing.final",
                                                     "typing.runtime_checkable", "enum.unique"};
        if (name == "dataclasses.dataclass" && v.tag == Tag::klass) {
            make_dataclass(*v.as.klass, nullptr, node);
            return v;
        }
        const bool keeps = std::ranges::find(kKeep, name) != std::end(kKeep) || name.starts_with("torch.") ||
                           name.starts_with("pytest.") || name.starts_with("unittest.");
        if (keeps) return v;
    } else if (decorator.tag == Tag::bound_method && decorator.as.method->name == "dataclass" &&
               decorator.as.method->self.tag == Tag::dict && v.tag == Tag::klass) {
        make_dataclass(*v.as.klass, decorator.as.method->self.as.dict, node);
        return v;
    } else if (decorator.tag == Tag::function || decorator.tag == Tag::bound_method || decorator.tag == Tag::instance) {
        return call_with(decorator, {v}, node);
    } else if (is_library_value(decorator)) {
        return v;  // torch.jit.script, pytest.mark: they give the class back
    }
    lose(v);
    return unknown(UnknownReason::Why::unsupported, node, "decorator");
}

void Interpreter::make_dataclass(Class& k, const Dict* options, NodeId node) {
    const auto option = [&](const Dict* of, std::string_view name, bool absent) -> std::optional<bool> {
        if (of == nullptr) return absent;
        const Entry at = find(*of, string_value(name, node));
        if (at.found == Found::maybe) return std::nullopt;
        return at.found == Found::yes ? truth(of->items[at.index].second) : std::optional(absent);
    };
    const auto init = option(options, "init", true);
    const auto frozen = option(options, "frozen", false);
    const auto eq = option(options, "eq", true);
    const auto keyword_only = option(options, "kw_only", false);
    k.is_dataclass = true;
    k.is_frozen = k.is_frozen || frozen != false;
    k.compares_fields = eq == true;
    if (!init || !eq || !frozen || !keyword_only) k.has_metaclass = true;  // made in a way that is not known
    const Scope::Entry* own_init = k.members->find("__init__");
    k.makes_init = init == true && (own_init == nullptr || !own_init->bound);
    // Fields of the bases, the furthest first; one of the same name keeps its place.
    k.fields.clear();
    const auto put_field = [&](const Class::FieldInfo& f) {
        const auto it = std::ranges::find(k.fields, f.name, &Class::FieldInfo::name);
        if (it == k.fields.end()) {
            k.fields.push_back(f);
        } else {
            *it = f;
        }
    };
    for (std::size_t i = k.order.size(); i-- > 1;) {
        if (k.order[i]->is_unknown) k.has_metaclass = true;
        if (!k.order[i]->makes_init && !k.order[i]->compares_fields) continue;
        for (const Class::FieldInfo& f : k.order[i]->fields) put_field(f);
    }
    bool rest_by_keyword = keyword_only == true;
    for (Class::FieldInfo f : k.declared) {
        if (f.marks_keyword_only) {
            rest_by_keyword = true;
            continue;
        }
        if (f.class_variable) continue;
        f.keyword_only = rest_by_keyword;
        read_field_options(k, f, node);
        put_field(f);
    }
    // Those by keyword come last in a call.
    std::ranges::stable_partition(k.fields, [](const Class::FieldInfo& f) { return !f.keyword_only; });
}

void Interpreter::read_field_options(Class& k, Class::FieldInfo& f, NodeId node) {
    const Value& v = f.default_value;
    if (!f.has_default || v.tag != Tag::bound_method || v.as.method->name != "field" ||
        v.as.method->self.tag != Tag::dict) {
        return;
    }
    const Dict options = *v.as.method->self.as.dict;
    f.has_default = false;
    f.default_value = {};
    unbind(k.members, f.name);
    for (const auto& [key, value] : options.items) {
        const std::string_view name = key.tag == Tag::string ? std::string_view(*key.as.text) : std::string_view{};
        if (name == "default") {
            f.default_value = value;
            f.has_default = true;
            bind(k.members, f.name, value);
        } else if (name == "default_factory") {
            f.factory = value;
            f.has_factory = true;
        } else if (name == "init") {
            const auto t = truth(value);
            if (!t) k.has_metaclass = true;
            f.init = t != false;
        } else if (name == "kw_only") {
            const auto t = truth(value);
            if (!t) k.has_metaclass = true;
            f.keyword_only = t == true;
        } else if (name == "compare") {
            k.compares_fields = false;
        }
    }
    if (options.open) k.has_metaclass = true;
    (void)node;
}

std::optional<Value> Interpreter::make_named_tuple(Arguments& args, NodeId node) {
    // collections.namedtuple("P", "x y", defaults=[...])
    if (args.open || args.positional.size() != 2 || args.positional[0].tag != Tag::string) return std::nullopt;
    std::vector<std::string_view> names;
    if (args.positional[1].tag == Tag::string) {
        std::string all = *args.positional[1].as.text;
        std::ranges::replace(all, ',', ' ');
        for (std::size_t at = 0; at < all.size();) {
            const std::size_t end = std::min(all.find(' ', at), all.size());
            if (end > at) names.push_back(*heap_.intern(std::string_view(all).substr(at, end - at)));
            at = end + 1;
        }
    } else {
        const auto items = iterate(args.positional[1]);
        if (!items) return std::nullopt;
        for (const Value& v : *items) {
            if (v.tag != Tag::string) return std::nullopt;
            names.push_back(*v.as.text);
        }
    }
    std::vector<Value> defaults;
    for (const auto& [n, v] : args.keyword) {
        if (n == "rename") return std::nullopt;
        if (n != "defaults" || v.tag == Tag::none) continue;
        const auto items = iterate(v);
        if (!items || items->size() > names.size()) return std::nullopt;
        defaults = *items;
    }
    Class* k = heap_.make<Class>();
    k->name = *args.positional[0].as.text;
    k->site = here(node);
    k->is_named_tuple = true;
    k->members = new_scope(nullptr);
    k->members->is_class = true;
    set_bases(*k);
    for (std::size_t i = 0; i < names.size(); ++i) {
        Class::FieldInfo f;
        f.name = names[i];
        f.site = here(node);
        const std::size_t without = names.size() - defaults.size();
        f.has_default = i >= without;
        if (f.has_default) f.default_value = defaults[i - without];
        k->fields.push_back(f);
    }
    Value v = Value::with(Tag::klass);
    v.as.klass = k;
    return v.at(here(node));
}

}  // namespace ptofix::trace
