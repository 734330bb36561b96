// Attributes of modules, classes, instances and values: read, set and deleted as Python looks them up.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::eval_attribute(NodeId node) {
    const NodeId object = tree_->child(node, Field::object);
    const NodeId name = tree_->child(node, Field::attribute);
    if (object == kNoNode || name == kNoNode) return {};
    const Value v = eval(object);
    return raising_ ? Value{} : attribute(v, text(name), node);
}

Value Interpreter::attribute(Value object, std::string_view name, NodeId node) {
    const auto method = [&]() {
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{object, {}, name});
        return v.at(here(node));
    };
    switch (object.tag) {
        case Tag::external:
            return external_attribute(*object.as.text, name, node);
        case Tag::module: {
            Module* m = object.as.module;
            if (const auto v = module_name(m, name, node)) return *v;
            // A file beside it that some other import may have read.
            if (Module* sub = load_module(m->name + "." + std::string(name), here(node)); sub != nullptr) {
                return module_value(sub, node);
            }
            return unknown(UnknownReason::Why::undefined_name, node, name);
        }
        case Tag::instance:
            return instance_attribute(object, name, node);
        case Tag::klass:
            return class_attribute(object.as.klass, name, Value::none(), node);
        case Tag::tensor:
            return tensor_attribute(object, name, node);
        case Tag::bound_method:
            return method_attribute(object, name, node);
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
        case Tag::dict:
        case Tag::string:
            return method();
        case Tag::range:
            if (name == "start") return Value::of(object.as.range->start);
            if (name == "stop") return Value::of(object.as.range->stop);
            if (name == "step") return Value::of(object.as.range->step);
            return unknown(UnknownReason::Why::unsupported, node, name);
        case Tag::symbol:
        case Tag::integer:
        case Tag::boolean:
            if (name == "min" || name == "max") return method();  // SymbolicScalar
            if (name == "real") return Value::of(object.sym());
            return unknown(UnknownReason::Why::unsupported, node, name);
        case Tag::function:
            if (name == "__name__") return string_value(object.as.function->name, node);
            if (object.as.function->is_property && (name == "setter" || name == "getter" || name == "deleter")) {
                return method();
            }
            return unknown(UnknownReason::Why::unsupported, node, name);
        case Tag::tensor_spec:
            if (name == "dtype") return Value::of(object.as.spec->dtype);
            return unknown(UnknownReason::Why::unsupported, node, name);
        case Tag::none:
            return definite_error("AttributeError", node);
        case Tag::unknown:
            if (is_library_value(object)) return unknown(UnknownReason::Why::library_value, node, name);
            if (name == "shape" || name == "dtype" || name == "ndim" || name == "size" || name == "dim") {
                if (const Value t = as_host_tensor(object); t.tag == Tag::tensor)
                    return tensor_attribute(t, name, node);
            }
            return unknown(UnknownReason::Why::joined, node, name);
        default:
            return unknown(UnknownReason::Why::joined, node, name);
    }
}

Interpreter::Looked Interpreter::look_up(const Value& object, std::string_view name, NodeId node) {
    const Instance& instance = *object.as.instance;
    Class* klass = instance.klass;
    const ClassEntry of_class = klass != nullptr ? class_entry(klass, name) : ClassEntry{};
    if (klass != nullptr && class_entry(klass, "__getattribute__").found == Found::yes) return {Found::maybe, {}};
    if (of_class.found == Found::yes && of_class.value.tag == Tag::function &&
        of_class.value.as.function->is_property) {
        return {Found::yes, read_property(object, of_class, name, node)};
    }
    for (const auto& [n, v] : instance.attributes) {
        if (n == name) return {Found::yes, narrowed(v)};
    }
    if (instance.open) return {Found::maybe, {}};
    if (klass == nullptr) return {Found::no, {}};
    if (of_class.found == Found::yes) return {Found::yes, bind_member(of_class, klass, object, name, node)};
    if (of_class.found == Found::maybe) return {Found::maybe, {}};
    if (const Value v = special_method(object, "__getattr__", node); v.tag == Tag::bound_method) {
        Arguments args;
        args.push(string_value(name, node), here(node), {});
        return {Found::yes, call_method(*v.as.method, args, node)};
    }
    if (klass->is_named_tuple && (name == "_replace" || name == "_asdict" || name == "count" || name == "index")) {
        Value m = Value::with(Tag::bound_method);
        m.as.method = heap_.make<BoundMethod>(BoundMethod{object, {}, name});
        return {Found::yes, m.at(here(node))};
    }
    if (name.starts_with("__")) return {Found::maybe, {}};  // every object has some of those
    return {knows_all_bases(*klass) && !klass->is_enum && !klass->is_named_tuple ? Found::no : Found::maybe, {}};
}

Value Interpreter::instance_attribute(const Value& object, std::string_view name, NodeId node) {
    const Looked l = look_up(object, name, node);
    if (l.found == Found::yes) return l.value;
    if (l.found == Found::no) return definite_error("AttributeError", node);
    if (Class* k = object.as.instance->klass; k != nullptr) {
        const ClassEntry e = class_entry(k, name);
        const bool method = e.found == Found::yes && e.value.tag == Tag::function;
        if (method || (e.found == Found::maybe && !e.library)) lose(object);  // it may be bound to it
    }
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

Value Interpreter::read_property(const Value& object, const ClassEntry& entry, std::string_view name, NodeId node) {
    Function* f = entry.value.as.function;
    if (f->is_cached_property) {
        for (const auto& [n, v] : object.as.instance->attributes) {
            if (n == name) return v;
        }
    }
    Arguments none;
    const Value v = f->property_get.tag == Tag::unknown ? call_function(f, &object, none, node)
                                                        : call_with(f->property_get, {object}, node);
    if (f->is_cached_property && !raising_) {
        change(*object.as.instance, node);
        object.as.instance->attributes.emplace_back(name, v);
    }
    return v;
}

Value Interpreter::bind_member(const ClassEntry& entry, Class* klass, const Value& self, std::string_view name,
                               NodeId node) {
    const Value& v = entry.value;
    if (v.tag == Tag::instance && v.as.instance->klass != nullptr && !is_enum_member(v) &&
        class_entry(v.as.instance->klass, "__get__").found != Found::no) {
        return unknown(UnknownReason::Why::unsupported, node, name);  // a descriptor of the program
    }
    if (v.tag != Tag::function) return v;
    const Function& f = *v.as.function;
    if (f.is_static_method || (self.tag == Tag::none && !f.is_class_method)) return v;
    Value owner = self;
    if (f.is_class_method) {
        owner = Value::with(Tag::klass);
        owner.as.klass = klass;
    }
    Value m = Value::with(Tag::bound_method);
    m.as.method = heap_.make<BoundMethod>(BoundMethod{owner, v, name});
    return m.at(here(node));
}

Value Interpreter::class_attribute(Class* klass, std::string_view name, const Value& self, NodeId node) {
    if (name == "__name__" && self.tag == Tag::none) return string_value(klass->name, node);
    const ClassEntry e = class_entry(klass, name);
    if (e.found == Found::yes) return bind_member(e, klass, self, name, node);
    if (e.found == Found::no && self.tag == Tag::none && klass->is_named_tuple && name == "_fields") {
        std::vector<Value> names;
        for (const Class::FieldInfo& f : klass->fields) names.push_back(string_value(f.name, node));
        return make_list(Tag::tuple, std::move(names), node);
    }
    if (e.found == Found::no && knows_all_bases(*klass) && !klass->is_enum && !klass->is_named_tuple &&
        !name.starts_with("__")) {
        return definite_error("AttributeError", node);
    }
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

void Interpreter::assign_attribute(Value object, std::string_view name, Value value, NodeId node) {
    if (raising_) return;
    switch (object.tag) {
        case Tag::instance: {
            Class* klass = object.as.instance->klass;
            if (klass != nullptr && !set_specially(object, klass, name, value, node)) return;
            set_attribute(object, name, value, node);
            break;
        }
        case Tag::klass:
            bind(object.as.klass->members, name, value);
            break;
        case Tag::module:
            if (object.as.module->globals != nullptr) bind(object.as.module->globals, name, value);
            break;
        case Tag::unknown:
            lose(value);
            mutate_unknown(node);
            break;
        default:
            lose(value);
            break;
    }
}

void Interpreter::set_attribute(const Value& object, std::string_view name, const Value& value, NodeId node) {
    Instance& instance = *object.as.instance;
    change(instance, node);
    for (auto& [n, v] : instance.attributes) {
        if (n == name) {
            v = value;
            return;
        }
    }
    instance.attributes.emplace_back(name, value);
}

bool Interpreter::set_specially(const Value& object, Class* klass, std::string_view name, const Value& value,
                                NodeId node) {
    if (klass->is_immutable()) {
        definite_error(klass->is_dataclass ? "FrozenInstanceError" : "AttributeError", node);
        return false;
    }
    const ClassEntry e = class_entry(klass, name);
    if (e.found == Found::yes && e.value.tag == Tag::function && e.value.as.function->is_property &&
        !e.value.as.function->is_cached_property) {
        const Value setter = e.value.as.function->property_set;
        if (setter.tag == Tag::unknown) {
            definite_error("AttributeError", node);
        } else {
            call_with(setter, {object, value}, node);
        }
        return false;
    }
    if (const ClassEntry s = class_entry(klass, "__setattr__"); s.found == Found::yes) {
        call_with(s.value, {object, string_value(name, node), value}, node);
        return false;
    }
    return true;
}

void Interpreter::delete_attribute(const Value& object, std::string_view name, NodeId node) {
    if (object.tag == Tag::instance) {
        Instance& instance = *object.as.instance;
        change(instance, node);
        std::erase_if(instance.attributes, [&](const auto& p) { return p.first == name; });
    } else if (object.tag == Tag::klass || object.tag == Tag::module) {
        Scope* scope = object.tag == Tag::klass ? object.as.klass->members : object.as.module->globals;
        if (scope != nullptr && scope->find(name) != nullptr) unbind(scope, name);
    } else if (object.tag == Tag::unknown) {
        mutate_unknown(node);
    }
}

Value Interpreter::method_attribute(const Value& object, std::string_view name, NodeId node) {
    const BoundMethod& m = *object.as.method;
    if (m.name != "super") return unknown(UnknownReason::Why::joined, node, name);
    // super(): what comes behind the class that asks in the order of the object's class
    Class* asking = m.function.as.klass;
    Class* of = m.self.tag == Tag::klass      ? m.self.as.klass
                : m.self.tag == Tag::instance ? m.self.as.instance->klass
                                              : nullptr;
    if (of == nullptr) return unknown(UnknownReason::Why::unsupported, node, name);
    const auto at = std::ranges::find(of->order, asking);
    if (at == of->order.end()) return unknown(UnknownReason::Why::unsupported, node, name);
    const ClassEntry e = entry_from(*of, static_cast<std::size_t>(at - of->order.begin()) + 1, name);
    if (e.found == Found::yes) {
        if (e.value.tag == Tag::function && e.value.as.function->is_property && m.self.tag == Tag::instance) {
            return read_property(m.self, e, name, node);
        }
        return bind_member(e, of, m.self, name, node);
    }
    if (e.found == Found::no) {  // object's own
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{m.self, {}, name});
        if (name == "__init__" || name == "__setattr__" || name == "__post_init__") return v.at(here(node));
    }
    // A base that is not known may set attributes; one of no known library may do anything with the object.
    if (m.self.tag == Tag::instance) {
        change(*m.self.as.instance, node);
        m.self.as.instance->open = true;
        if (!e.library) lose(m.self);
    }
    return unknown(e.library ? UnknownReason::Why::library_value : UnknownReason::Why::external_call, node, name);
}

}  // namespace ptofix::trace
