// Enumerations: members are objects of their class, made once; those of IntEnum are integers as well.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

bool Interpreter::is_enum_member(const Value& v) {
    return v.tag == Tag::instance && v.as.instance->klass != nullptr && v.as.instance->klass->is_enum;
}

Value Interpreter::plain(const Value& v) {
    if (!is_enum_member(v) || !v.as.instance->klass->is_int_enum) return v;
    for (const auto& [n, value] : v.as.instance->attributes) {
        if (n == "value")
            return value.tag == Tag::boolean ? Value::integer(value.as.b ? 1 : 0).at(value.origin()) : value;
    }
    return {};
}

void Interpreter::make_members(Class& k, const std::vector<std::string_view>& names) {
    std::int64_t last = 0;
    bool counted = true;  // the last value was an integer: enum.auto() goes on from it
    for (const std::string_view name : names) {
        Scope::Entry* e = k.members->find(name);
        if (e == nullptr || !e->bound || name.starts_with("_")) continue;
        Value value = e->value;
        if (value.tag == Tag::function || value.tag == Tag::klass || value.tag == Tag::bound_method) continue;
        const bool sure = !e->partial;
        if (value.tag == Tag::external && *value.as.text == "enum.auto()") {
            value = counted && !k.is_flag && sure ? Value::integer(last + 1).at(value.origin()) : Value{};
        }
        counted = value.tag == Tag::integer && sure;
        if (counted) last = value.as.i;
        // The same value once more is another name of the member that has it.
        std::optional<Value> alias;
        bool undecided = false;
        for (const Value& member : k.enum_members) {
            const auto e2 = equal(member.as.instance->attributes[0].second, value);
            if (e2 == true && !alias) alias = member;
            undecided = undecided || !e2;
        }
        if (undecided && !alias) {
            k.members_open = true;
            bind(k.members, name, unknown(UnknownReason::Why::joined, value.node, name));
            continue;
        }
        if (!alias) {
            Value member = Value::with(Tag::instance);
            member.as.instance = heap_.make<Instance>();
            static_cast<Shared&>(*member.as.instance) = fresh();
            member.as.instance->klass = &k;
            member.as.instance->attributes.emplace_back("value", value);
            member.as.instance->attributes.emplace_back("name", string_value(name, value.node));
            member.as.instance->attributes.emplace_back("_value_", value);
            member.as.instance->attributes.emplace_back("_name_", string_value(name, value.node));
            alias = member.at(value.origin());
            k.enum_members.push_back(*alias);
            init_member(*alias, k, value);
        }
        if (sure) {
            bind(k.members, name, *alias);
        } else {
            k.members_open = true;
        }
    }
}

void Interpreter::init_member(const Value& member, Class& k, const Value& value) {
    const ClassEntry init = class_entry(&k, "__init__");
    if (init.found == Found::no && class_entry(&k, "__new__").found == Found::no) return;
    if (init.value.tag != Tag::function || (value.tag == Tag::tuple && value.as.list->open)) {
        member.as.instance->open = true;
        for (auto& [n, v] : member.as.instance->attributes) {
            if (n == "value" || n == "_value_") v = {};
        }
        return;
    }
    Arguments args;
    const std::vector<Value> values = value.tag == Tag::tuple ? value.as.list->items : std::vector{value};
    for (const Value& v : values) args.push(v, v.origin(), {});
    call_function(init.value.as.function, &member, args, value.node);
}

std::optional<std::vector<Value>> Interpreter::enum_members(const Class& k) const {
    if (!k.is_enum || k.members_open || k.is_flag || k.has_metaclass) return std::nullopt;
    return k.enum_members;
}

Value Interpreter::enum_member_of(Class& k, Arguments& args, NodeId node) {
    // Color(1): the member of that value
    if (args.positional.size() != 1 || !args.keyword.empty() || args.open || k.is_flag || k.members_open) {
        return unknown(UnknownReason::Why::unsupported, node, k.name);
    }
    for (const Value& member : k.enum_members) {
        if (identical(member, args.positional[0]) == true) return member;
        const auto e = equal(member.as.instance->attributes[0].second, plain(args.positional[0]));
        if (e == true) return member;
        if (!e) return unknown(UnknownReason::Why::joined, node, k.name);
    }
    if (class_entry(&k, "_missing_").found != Found::no) return unknown(UnknownReason::Why::unsupported, node, k.name);
    return definite_error("ValueError", node);
}

}  // namespace ptofix::trace
