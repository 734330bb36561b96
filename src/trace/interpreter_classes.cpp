// Classes: the order in which bases are looked through, what is made by calling one, special methods, super().
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// The built-in exceptions that programs name, each after its base.
constexpr std::pair<std::string_view, std::string_view> kExceptions[] = {
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"FloatingPointError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"FrozenInstanceError", "AttributeError"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"FileExistsError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"ConnectionError", "OSError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"Warning", "Exception"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"FutureWarning", "Warning"},
};

/// C3: the order that keeps that of every base. False when there is none.
bool linearize(Class& k, const std::vector<Class*>& bases) {
    k.order = {&k};
    std::vector<std::vector<Class*>> lists;
    for (Class* b : bases) lists.push_back(b->order);
    lists.push_back(bases);
    while (true) {
        std::erase_if(lists, [](const auto& l) { return l.empty(); });
        if (lists.empty()) return true;
        Class* next = nullptr;
        for (const auto& l : lists) {
            const auto behind_first = [&](const std::vector<Class*>& other) {
                return std::ranges::find(other.begin() + 1, other.end(), l.front()) != other.end();
            };
            if (std::ranges::none_of(lists, behind_first)) {
                next = l.front();
                break;
            }
        }
        if (next == nullptr || k.order.size() > 64) return false;
        k.order.push_back(next);
        for (auto& l : lists) {
            if (l.front() == next) l.erase(l.begin());
        }
    }
}

}  // namespace

Class* Interpreter::exception_class(std::string_view name) {
    const auto known = std::ranges::find(kExceptions, name, &std::pair<std::string_view, std::string_view>::first);
    if (known == std::end(kExceptions)) return nullptr;
    if (const auto it = exceptions_.find(name); it != exceptions_.end()) return it->second;
    Class* k = heap_.make<Class>();
    k->name = known->first;
    k->members = new_scope(nullptr);
    k->is_exception = true;
    k->order = {k};
    if (!known->second.empty()) {
        Class* base = exception_class(known->second);
        k->order.insert(k->order.end(), base->order.begin(), base->order.end());
    }
    exceptions_.emplace(known->first, k);
    return k;
}

Class* Interpreter::unknown_class(const Value& base) {
    const std::string_view name = base.tag == Tag::external ? std::string_view(*base.as.text) : std::string_view{};
    if (!name.empty()) {
        if (const auto it = unknown_classes_.find(name); it != unknown_classes_.end()) return it->second;
    }
    Class* k = heap_.make<Class>();
    k->name = name;
    k->members = new_scope(nullptr);
    k->is_unknown = true;
    k->is_library = base.tag == Tag::external ? is_library(name) : is_library_value(base);
    k->order = {k};
    if (!name.empty()) unknown_classes_.emplace(name, k);
    return k;
}

void Interpreter::set_bases(Class& k) {
    std::vector<Class*> bases;
    for (const Value& b : k.bases) {
        const std::string_view name = b.tag == Tag::external ? std::string_view(*b.as.text) : std::string_view{};
        // These add nothing that an attribute could come from.
        static constexpr std::string_view kPlain[] = {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol",
                                                      "typing.NamedTuple"};
        if (b.tag == Tag::klass) {
            if (std::ranges::find(bases, b.as.klass) == bases.end()) bases.push_back(b.as.klass);
        } else if (name.starts_with("enum.") || (k.is_enum && name.starts_with("builtins."))) {
            continue;
        } else if (std::ranges::find(kPlain, name) == std::end(kPlain)) {
            bases.push_back(unknown_class(b));
        }
    }
    if (!linearize(k, bases)) k.order = {&k, unknown_class({})};
}

bool Interpreter::knows_all_bases(const Class& k) const {
    return std::ranges::none_of(k.order, [](const Class* c) { return c->is_unknown || c->is_exception; });
}

Interpreter::ClassEntry Interpreter::entry_from(const Class& k, std::size_t from, std::string_view name) {
    for (std::size_t i = from; i < k.order.size(); ++i) {
        const Class& c = *k.order[i];
        if (c.is_unknown) return {Found::maybe, {}, c.is_library};
        const Scope::Entry* e = c.members->find(name);
        if (e == nullptr || !e->bound) continue;
        if (e->partial) return {Found::maybe, {}, false};
        return {Found::yes, e->value, false};
    }
    return {Found::no, {}, false};
}

Interpreter::ClassEntry Interpreter::class_entry(const Class* k, std::string_view name) {
    return entry_from(*k, 0, name);
}

std::optional<bool> Interpreter::is_subclass(const Class* k, const Class* of) const {
    if (std::ranges::find(k->order, of) != k->order.end()) return true;
    const bool open = std::ranges::any_of(k->order, [](const Class* c) { return c->is_unknown; });
    return open || of->is_unknown ? std::nullopt : std::optional(false);
}

Value Interpreter::special_method(const Value& object, std::string_view name, NodeId node) {
    if (object.tag != Tag::instance || object.as.instance->klass == nullptr) return {};
    Class* k = object.as.instance->klass;
    const ClassEntry e = class_entry(k, name);
    return e.found == Found::yes ? bind_member(e, k, object, name, node) : Value{};
}

std::optional<Value> Interpreter::call_special(const Value& object, std::string_view name, std::vector<Value> values,
                                               NodeId node) {
    const Value m = special_method(object, name, node);
    if (m.tag != Tag::bound_method) return std::nullopt;
    return call_with(m, std::move(values), node);
}

namespace {

struct SpecialNames {
    Kind op;
    std::string_view plain, reflected, augmented;
};

constexpr SpecialNames kSpecial[] = {
    {Kind::plus, "__add__", "__radd__", "__iadd__"},
    {Kind::minus, "__sub__", "__rsub__", "__isub__"},
    {Kind::star, "__mul__", "__rmul__", "__imul__"},
    {Kind::slash, "__truediv__", "__rtruediv__", "__itruediv__"},
    {Kind::floor_slash, "__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    {Kind::percent, "__mod__", "__rmod__", "__imod__"},
    {Kind::power, "__pow__", "__rpow__", "__ipow__"},
    {Kind::at, "__matmul__", "__rmatmul__", "__imatmul__"},
    {Kind::shift_left, "__lshift__", "__rlshift__", "__ilshift__"},
    {Kind::shift_right, "__rshift__", "__rrshift__", "__irshift__"},
    {Kind::ampersand, "__and__", "__rand__", "__iand__"},
    {Kind::bar, "__or__", "__ror__", "__ior__"},
    {Kind::caret, "__xor__", "__rxor__", "__ixor__"},
    {Kind::equal, "__eq__", "__eq__", ""},
    {Kind::not_equal, "__ne__", "__ne__", ""},
    {Kind::less, "__lt__", "__gt__", ""},
    {Kind::less_equal, "__le__", "__ge__", ""},
    {Kind::greater, "__gt__", "__lt__", ""},
    {Kind::greater_equal, "__ge__", "__le__", ""},
};

const SpecialNames* names_of(Kind op) {
    const auto it = std::ranges::find(kSpecial, op, &SpecialNames::op);
    return it == std::end(kSpecial) ? nullptr : &*it;
}

}  // namespace

std::optional<Value> Interpreter::call_special_operator(Kind op, const Value& a, const Value& b, NodeId node) {
    const SpecialNames* names = names_of(op);
    if (names == nullptr || (a.tag != Tag::instance && b.tag != Tag::instance)) return std::nullopt;
    if (auto v = call_special(a, names->plain, {b}, node)) return v;
    if (a.tag == Tag::instance && op == Kind::not_equal) {  // the opposite of __eq__
        if (const auto v = call_special(a, "__eq__", {b}, node)) {
            const auto t = truth(*v);
            return t ? Value::boolean(!*t) : unknown(UnknownReason::Why::joined, node);
        }
    }
    return call_special(b, names->reflected, {a}, node);
}

std::optional<Value> Interpreter::call_special_augmented(Kind op, const Value& a, const Value& b, NodeId node) {
    const SpecialNames* names = names_of(op);
    if (names == nullptr || names->augmented.empty()) return std::nullopt;
    return call_special(a, names->augmented, {b}, node);
}

std::optional<bool> Interpreter::truth_of(const Value& v, NodeId node) {
    if (v.tag != Tag::instance) return truth(v);
    const Class* k = v.as.instance->klass;
    if (k == nullptr) return true;
    if (is_enum_member(v)) return k->is_int_enum ? truth(plain(v)) : std::nullopt;
    if (k->is_named_tuple) return !v.as.instance->attributes.empty();
    for (const std::string_view name : {"__bool__", "__len__"}) {
        if (const auto r = call_special(v, name, {}, node)) return truth(*r);
        if (class_entry(k, name).found == Found::maybe) return std::nullopt;
    }
    return true;
}

bool Interpreter::is_super(const Value& callee, const Arguments& args) const {
    return callee.tag == Tag::external && *callee.as.text == "builtins.super" && args.positional.size() != 1 &&
           !args.open;
}

Value Interpreter::make_super(NodeId node) {
    if (frames_.empty() || frames_.back().function->owner == nullptr)
        return unknown(UnknownReason::Why::unsupported, node, "super");
    const Value& self = frames_.back().self;
    if (self.tag != Tag::instance && self.tag != Tag::klass)
        return unknown(UnknownReason::Why::unsupported, node, "super");
    Value owner = Value::with(Tag::klass);
    owner.as.klass = frames_.back().function->owner;
    Value v = Value::with(Tag::bound_method);
    v.as.method = heap_.make<BoundMethod>(BoundMethod{self, owner, "super"});
    return v.at(here(node));
}

Value Interpreter::call_class(Class* klass, Arguments& args, NodeId node) {
    if (klass->is_enum) return enum_member_of(*klass, args, node);
    Value v = Value::with(Tag::instance);
    v.as.instance = heap_.make<Instance>();
    static_cast<Shared&>(*v.as.instance) = fresh();
    v.as.instance->klass = klass;
    v = v.at(here(node));
    if (class_entry(klass, "__new__").found == Found::yes || klass->has_metaclass) {
        escape(args, node);
        return unknown(UnknownReason::Why::unsupported, node, klass->name);
    }
    if (klass->is_named_tuple) {
        fill_fields(v, *klass, args, node);
        return v;
    }
    // The first class in order that says how: by a method, or as a dataclass by its fields.
    for (std::size_t i = 0; i < klass->order.size(); ++i) {
        Class* c = klass->order[i];
        if (c->is_unknown) {
            // What it does with the arguments and to the object is not known.
            v.as.instance->open = true;
            if (c->is_library) {
                lose(args);
            } else {
                lose(v);
                escape(args, node);
            }
            return v;
        }
        const Scope::Entry* init = c->members->find("__init__");
        if (init != nullptr && init->bound) {
            if (init->partial || init->value.tag != Tag::function) {
                v.as.instance->open = true;
                escape(args, node);
                return v;
            }
            Arguments all = args;
            call_function(init->value.as.function, &v, all, node);
            return raising_ ? Value{} : v;
        }
        if (c->makes_init) {
            std::vector<Value> for_post_init = fill_fields(v, *c, args, node);
            if (!raising_) call_post_init(v, std::move(for_post_init), node);
            return raising_ ? Value{} : v;
        }
        if (c->is_exception && !c->site.known()) {  // a built-in one keeps its arguments in its own way
            v.as.instance->open = true;
            lose(args);
            return v;
        }
    }
    return v;
}

std::vector<Value> Interpreter::fill_fields(const Value& object, const Class& k, Arguments& args, NodeId node) {
    Instance& instance = *object.as.instance;
    std::vector<Value> init_only;
    std::size_t at = 0;
    for (const Class::FieldInfo& field : k.fields) {
        const bool by_position = field.init && !field.keyword_only;
        const Value* given = nullptr;
        if (by_position && at < args.positional.size()) {
            given = &args.positional[at];
        } else if (field.init) {
            given = args.find(field.name);
        }
        const bool may_come = field.init && ((by_position && args.open_positions) || args.open_keywords);
        if (by_position) ++at;
        Value value;
        if (given != nullptr) {
            value = *given;
        } else if (may_come) {
            lose(field.default_value);
            value = unknown(UnknownReason::Why::not_given, node, field.name);
        } else if (field.has_factory) {
            Arguments none;
            value = call(field.factory, none, node);
            if (raising_) return {};
            if (value.tag != Tag::unknown && !value.origin().known()) value = value.at(field.site);
        } else if (field.has_default) {
            value = field.default_value;
        } else if (!field.init) {
            continue;  // set by __post_init__, if at all
        } else {
            value = unknown(UnknownReason::Why::not_given, node, field.name);
        }
        if (field.init_only) {
            init_only.push_back(value);
        } else {
            instance.attributes.emplace_back(field.name, value);
        }
    }
    return init_only;
}

void Interpreter::call_post_init(const Value& object, std::vector<Value> init_only, NodeId node) {
    const Value post = special_method(object, "__post_init__", node);
    if (post.tag == Tag::bound_method) {
        call_with(post, std::move(init_only), node);
    } else if (class_entry(object.as.instance->klass, "__post_init__").found == Found::maybe) {
        forget(object, node);
    }
}

Value Interpreter::replace_fields(const Value& object, Arguments& args, NodeId node) {
    // dataclasses.replace: made anew from the fields that its constructor takes.
    Class* k = object.as.instance->klass;
    if (k == nullptr || !k->is_dataclass) return unknown(UnknownReason::Why::unsupported, node, "replace");
    Arguments all;
    all.keyword = args.keyword;
    all.keyword_sites = args.keyword_sites;
    all.keyword_splats = args.keyword_splats;
    all.open = all.open_keywords = args.open;
    if (!args.open) {
        for (const Class::FieldInfo& field : k->fields) {
            if (!field.init || field.init_only || all.find(field.name) != nullptr) continue;
            const Looked l = look_up(object, field.name, node);
            const Value v = l.found == Found::yes ? l.value : unknown(UnknownReason::Why::joined, node, field.name);
            all.keyword.emplace_back(field.name, v);
            all.keyword_sites.push_back(v.origin());
            all.keyword_splats.push_back({});
        }
    } else {
        lose(object);
    }
    return call_class(k, all, node);
}

Value Interpreter::index_instance(const Value& object, const Value& key, NodeId node) {
    const Instance& instance = *object.as.instance;
    if (instance.klass != nullptr && instance.klass->is_named_tuple) {
        if (const auto items = iterate_instance(object)) {
            return index_sequence(make_list(Tag::tuple, *items, node), key, node);
        }
    }
    if (auto v = call_special(object, "__getitem__", {key}, node)) return *v;
    return unknown(UnknownReason::Why::unsupported, node);
}

std::optional<std::vector<Value>> Interpreter::iterate_instance(const Value& v) {
    const Instance& instance = *v.as.instance;
    if (instance.klass == nullptr) return std::nullopt;
    if (instance.klass->is_named_tuple) {
        std::vector<Value> items;
        for (const auto& [n, value] : instance.attributes) items.push_back(value);
        return items;
    }
    if (const auto it = call_special(v, "__iter__", {}, v.node); it && it->tag == Tag::iterator) return iterate(*it);
    return std::nullopt;
}

Value Interpreter::text_of_instance(const Value& v, NodeId node) {
    for (const std::string_view name : {"__format__", "__str__"}) {
        const std::vector<Value> values =
            name == "__format__" ? std::vector{string_value("", node)} : std::vector<Value>{};
        if (const auto r = call_special(v, name, values, node)) return r->tag == Tag::string ? *r : Value{};
    }
    return {};
}

}  // namespace ptofix::trace
