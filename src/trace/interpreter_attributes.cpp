// Attributes of modules, classes, instances and values.
#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::eval_attribute(NodeId node) {
    const NodeId object = tree_->child(node, Field::object);
    const NodeId name = tree_->child(node, Field::attribute);
    if (object == kNoNode || name == kNoNode) return {};
    return attribute(eval(object), text(name), node);
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
            execute_module(m);
            if (const auto v = module_name(m, name)) return *v;
            if (Module* sub = load_module(m->name + "." + std::string(name), here(node)); sub != nullptr) {
                Value v = Value::with(Tag::module);
                v.as.module = sub;
                return v.at(here(node));
            }
            return unknown(UnknownReason::Why::undefined_name, node, name);
        }
        case Tag::instance:
            return instance_attribute(object, name, node);
        case Tag::klass:
            return class_attribute(object.as.klass, name, Value::none(), node);
        case Tag::tensor:
            return tensor_attribute(object, name, node);
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
        case Tag::dict:
        case Tag::string:
            return method();
        case Tag::symbol:
        case Tag::integer:
        case Tag::boolean:
            if (name == "min" || name == "max") return method();  // SymbolicScalar
            if (name == "real") return object;
            return unknown(UnknownReason::Why::unsupported, node, name);
        case Tag::function:
            if (name == "__name__") return string_value(object.as.function->name, node);
            return unknown(UnknownReason::Why::unsupported, node, name);
        case Tag::tensor_spec:
            if (name == "dtype") return Value::of(object.as.spec->dtype);
            return unknown(UnknownReason::Why::unsupported, node, name);
        default:
            return unknown(UnknownReason::Why::joined, node, name);
    }
}

Value Interpreter::instance_attribute(const Value& object, std::string_view name, NodeId node) {
    const Instance& instance = *object.as.instance;
    for (const auto& [n, v] : instance.attributes) {
        if (n == name) return v;
    }
    if (instance.klass != nullptr) {
        Value v = class_attribute(instance.klass, name, object, node);
        if (v.tag != Tag::unknown) return v;
        if (instance.klass->is_named_tuple && (name == "_replace" || name == "_asdict")) {
            Value m = Value::with(Tag::bound_method);
            m.as.method = heap_.make<BoundMethod>(BoundMethod{object, {}, name});
            return m.at(here(node));
        }
    }
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

Value Interpreter::class_attribute(Class* klass, std::string_view name, const Value& self, NodeId node) {
    std::vector<Class*> order{klass};
    for (std::size_t i = 0; i < order.size() && i < 32; ++i) {
        Class* k = order[i];
        if (Scope::Entry* e = k->members->find(name); e != nullptr && e->bound) {
            Value v = e->value;
            if (v.tag == Tag::function) {
                const Function& f = *v.as.function;
                if (f.is_property && self.tag != Tag::none) {
                    Arguments none;
                    return call_function(v.as.function, &self, none, node);
                }
                if (!f.is_static_method && (self.tag != Tag::none || f.is_class_method)) {
                    Value owner = self;
                    if (f.is_class_method) {
                        owner = Value::with(Tag::klass);
                        owner.as.klass = klass;
                    }
                    Value m = Value::with(Tag::bound_method);
                    m.as.method = heap_.make<BoundMethod>(BoundMethod{owner, v, name});
                    return m.at(here(node));
                }
            }
            return v;
        }
        for (const Value& b : k->bases) {
            if (b.tag == Tag::klass) order.push_back(b.as.klass);
        }
    }
    if (klass->is_enum && (name == "value" || name == "name"))
        return unknown(UnknownReason::Why::unsupported, node, name);
    return unknown(UnknownReason::Why::undefined_name, node, name);
}

}  // namespace ptofix::trace
