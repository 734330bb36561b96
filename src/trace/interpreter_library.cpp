// What kernels use of the standard library and torch. What is not here is unknown.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "trace/interpreter.h"

namespace ptofix::trace {

std::optional<Value> Interpreter::call_library(std::string_view name, Arguments& args, NodeId node) {
    const Value* first = args.get(0, "");
    if (name == "math.ceil" || name == "math.floor") {
        if (first == nullptr) return std::nullopt;
        if (!first->sym().unknown()) return *first;
        if (first->tag == Tag::real && std::abs(first->as.f) < 9e15) {
            return Value::integer(
                static_cast<std::int64_t>(name == "math.ceil" ? std::ceil(first->as.f) : std::floor(first->as.f)));
        }
        return std::nullopt;
    }
    if (name == "math.sqrt" && first != nullptr && (first->is_int() || first->tag == Tag::real)) {
        const double x = first->tag == Tag::real ? first->as.f : static_cast<double>(first->sym().value);
        return x < 0 ? Value{} : Value::real(std::sqrt(x));
    }
    if (name == "math.log2" && first != nullptr && first->is_int() && first->sym().value > 0) {
        return Value::real(std::log2(static_cast<double>(first->sym().value)));
    }
    if (name == "math.prod" || name == "numpy.prod") {
        const auto items = first == nullptr ? std::nullopt : iterate(*first);
        if (!items) return std::nullopt;
        Value total = Value::integer(1);
        for (const Value& v : *items) total = binary(Kind::star, total, v, node);
        return total;
    }
    if (name == "math.gcd" && args.positional.size() == 2 && args.positional[0].is_int() &&
        args.positional[1].is_int()) {
        return Value::integer(std::gcd(args.positional[0].sym().value, args.positional[1].sym().value));
    }
    if (name == "dataclasses.dataclass") {
        Value v = Value::with(Tag::external);
        v.as.text = heap_.intern("dataclasses.dataclass()");
        if (first != nullptr && first->tag == Tag::klass) return *first;
        return v;
    }
    if (name == "dataclasses.field") {
        Value options = Value::with(Tag::dict);
        options.as.dict = heap_.make<Dict>();
        for (const auto& [k, v] : args.keyword) options.as.dict->items.emplace_back(string_value(k, node), v);
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{options, {}, "field"});
        return v;
    }
    if (name == "dataclasses.replace" || name == "copy.replace") {
        if (first == nullptr || first->tag != Tag::instance) return std::nullopt;
        Value v = copy(*first, 1);
        for (const auto& [k, value] : args.keyword) {
            for (auto& [n, old] : v.as.instance->attributes) {
                if (n == k) old = value;
            }
        }
        if (args.open) {
            for (auto& [n, old] : v.as.instance->attributes) {
                if (args.find(n) == nullptr) old = unknown(UnknownReason::Why::joined, node);
            }
        }
        return v.at(here(node));
    }
    if ((name == "dataclasses.asdict" || name == "vars") && first != nullptr && first->tag == Tag::instance) {
        Value v = Value::with(Tag::dict);
        v.as.dict = heap_.make<Dict>();
        for (const auto& [n, item] : first->as.instance->attributes)
            v.as.dict->items.emplace_back(string_value(n, node), item);
        return v;
    }
    if (name == "copy.copy" && first != nullptr) return copy(*first, 1);
    if (name == "copy.deepcopy" && first != nullptr) return copy(*first, 16);
    if (name == "types.SimpleNamespace") {
        Value v = Value::with(Tag::instance);
        v.as.instance = heap_.make<Instance>();
        v.as.instance->birth = ++sequence_;
        for (const auto& [k, item] : args.keyword) v.as.instance->attributes.emplace_back(k, item);
        return v;
    }
    if (name == "functools.partial" && first != nullptr) {
        Value keywords = Value::with(Tag::dict);
        keywords.as.dict = heap_.make<Dict>();
        keywords.as.dict->open = args.open;
        for (const auto& [k, v] : args.keyword) keywords.as.dict->items.emplace_back(string_value(k, node), v);
        std::vector<Value> rest(args.positional.begin() + 1, args.positional.end());
        Value parts = make_list(Tag::list, {*first, make_list(Tag::list, std::move(rest), node), keywords}, node);
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{parts, {}, "partial"});
        return v;
    }
    if (name == "functools.wraps" || name == "functools.lru_cache" || name == "functools.cache") {
        if (first != nullptr && first->tag == Tag::function && name != "functools.wraps") return *first;
        Value v = Value::with(Tag::external);
        v.as.text = heap_.intern("functools.identity");
        return v;
    }
    if (name == "functools.identity" && first != nullptr) return *first;
    if (name == "collections.OrderedDict" || name == "collections.defaultdict") {
        Value v = Value::with(Tag::dict);
        v.as.dict = heap_.make<Dict>();
        v.as.dict->birth = ++sequence_;
        v.as.dict->open = !args.positional.empty() || args.open;
        return v;
    }
    if (name == "itertools.product" && args.keyword.empty() && args.positional.size() == 2) {
        const auto a = iterate(args.positional[0]);
        const auto b = iterate(args.positional[1]);
        if (!a || !b || a->size() * b->size() > 512) return std::nullopt;
        std::vector<Value> out;
        for (const Value& x : *a) {
            for (const Value& y : *b) out.push_back(make_list(Tag::tuple, {x, y}, node));
        }
        return make_list(Tag::list, std::move(out), node);
    }
    return std::nullopt;
}

}  // namespace ptofix::trace
