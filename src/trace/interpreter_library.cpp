// What kernels use of the standard library and torch. What is not here is unknown.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "trace/interpreter.h"
#include "trace/numbers.h"
#include "trace/some_number.h"

namespace ptofix::trace {

bool Interpreter::is_library(std::string_view name) {
    // Libraries that do with what they are given what is known of them: they read it, hold it, and change no list, dict
    // or object of the program. Those of the standard library that do change what they get are left out.
    static constexpr std::string_view kRoots[] = {"pypto",
                                                  "torch",
                                                  "torch_npu",
                                                  "numpy",
                                                  "math",
                                                  "os",
                                                  "sys",
                                                  "typing",
                                                  "dataclasses",
                                                  "enum",
                                                  "functools",
                                                  "itertools",
                                                  "logging",
                                                  "pytest",
                                                  "pypto_pro",
                                                  "copy",
                                                  "time",
                                                  "json",
                                                  "re",
                                                  "abc",
                                                  "argparse",
                                                  "pathlib",
                                                  "warnings",
                                                  "datetime",
                                                  "string",
                                                  "textwrap",
                                                  "inspect",
                                                  "types",
                                                  "struct",
                                                  "hashlib",
                                                  "uuid",
                                                  "tempfile",
                                                  "subprocess",
                                                  "io",
                                                  "ctypes",
                                                  "gc",
                                                  "glob",
                                                  "shutil",
                                                  "platform",
                                                  "csv",
                                                  "pandas",
                                                  "ml_dtypes",
                                                  "matplotlib",
                                                  "tabulate",
                                                  "statistics",
                                                  "decimal",
                                                  "fractions",
                                                  "traceback",
                                                  "secrets",
                                                  "calendar",
                                                  "locale",
                                                  "getpass",
                                                  "socket",
                                                  "zlib",
                                                  "unittest",
                                                  "contextlib",
                                                  "collections",
                                                  "builtins",
                                                  "__future__",
                                                  "triton",
                                                  "scipy",
                                                  "einops",
                                                  "yaml",
                                                  "toml",
                                                  "tqdm",
                                                  "acl",
                                                  "multiprocessing",
                                                  "threading",
                                                  "concurrent",
                                                  "signal",
                                                  "importlib",
                                                  "transformers"};
    const std::string_view root = name.substr(0, name.find('.'));
    if (std::ranges::find(kRoots, root) == std::end(kRoots)) return false;
    // These fill what they are given.
    return !name.starts_with("torch.distributed") && !name.starts_with("numpy.random.shuffle");
}

bool Interpreter::is_library_value(const Value& v) {
    if (v.tag == Tag::external) return is_library(*v.as.text);
    return v.tag == Tag::unknown && v.as.reason != nullptr && v.as.reason->why == UnknownReason::Why::library_value;
}

bool Interpreter::is_always_there(std::string_view module) {
    static constexpr std::string_view kRoots[] = {
        "pypto",       "torch", "numpy",     "math",       "os",       "sys",      "typing",
        "dataclasses", "enum",  "functools", "itertools",  "logging",  "copy",     "collections",
        "time",        "json",  "re",        "abc",        "argparse", "pathlib",  "warnings",
        "contextlib",  "types", "random",    "__future__", "inspect",  "operator", "string"};
    return std::ranges::find(kRoots, module) != std::end(kRoots);
}

Value Interpreter::external_attribute(const std::string& owner, std::string_view name, NodeId node) {
    risk();  // another version may not have it
    if (owner == "torch" || owner == "numpy") {
        if (const auto d = hardware::dtype_of_torch_name(name)) return Value::of(*d).at(here(node));
    }
    if (owner == "pypto" || owner.starts_with("pypto.")) {
        if (name.starts_with("DT_")) {
            if (const auto d = hardware::dtype_of_pypto_name(name)) return Value::of(*d).at(here(node));
        }
        const bool constant = std::ranges::all_of(
            name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
        if (constant && !name.empty()) {  // DYNAMIC, TILEOP_NZ, CAST_RINT, members of enums
            Value v = Value::with(Tag::marker);
            v.as.text = heap_.intern(name);
            return v.at(here(node));
        }
    }
    if (owner == "math") {
        if (name == "pi") return Value::real(3.141592653589793).at(here(node));
        if (name == "e") return Value::real(2.718281828459045).at(here(node));
        if (name == "inf") return Value::real(INFINITY).at(here(node));
    }
    return external_value(owner + "." + std::string(name), node);
}

Value Interpreter::external_value(std::string_view name, NodeId node) {
    Value v = Value::with(Tag::external);
    v.as.text = heap_.intern(name);
    return v.at(here(node));
}

Value Interpreter::call_external(const std::string& name, Arguments& args, NodeId node) {
    if (name == "pypto" || name.starts_with("pypto.")) {
        return call_pypto(std::string_view(name).substr(name.size() == 5 ? 5 : 6), args, node);
    }
    if (name.starts_with("builtins.")) return call_builtin(std::string_view(name).substr(9), args, node);
    const bool keeps = name.starts_with("dataclasses.") || name.starts_with("types.");  // holds what it is given
    if (!keeps) {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_escapes, v, node);
        for (const auto& [n, v] : args.keyword) note_use(LoopUse::Kind::index_escapes, v, node);
    }
    if (name.starts_with("torch.") || name.starts_with("numpy.") || name.starts_with("torch_npu.")) {
        if (auto v = call_torch(name, args, node)) return *v;
    }
    if (auto v = call_library(name, args, node)) return *v;
    if (name == "contextlib.suppress" || name == "pytest.raises" || name == "contextlib.ExitStack") {
        return unknown(UnknownReason::Why::external_call, node, name);  // as managers they may swallow exceptions
    }
    if (!is_library(name)) {
        escape(args, node);
        return unknown(UnknownReason::Why::external_call, node, name);
    }
    // What it keeps of the arguments it may give back; what it is given to call it may call.
    lose(args);
    for (const Value& v : args.positional) forget_called(v, node);
    for (const auto& [n, v] : args.keyword) forget_called(v, node);
    return unknown(UnknownReason::Why::library_value, node, name);
}

void Interpreter::forget_called(const Value& v, NodeId node) {
    if (v.tag == Tag::iterator) lose_track(*v.as.iterator, node);
    if (v.tag == Tag::bound_method) forget(v, node);
    if (v.tag == Tag::function && !v.as.function->is_kernel) forget_effects(v.as.function, node);
}

namespace {

/// Functions of numbers that give a number.
bool makes_number(std::string_view name) {
    if (name.starts_with("math.")) {
        static constexpr auto kOthers = std::to_array<std::string_view>(
            {"math.isnan", "math.isinf", "math.isfinite", "math.isclose", "math.frexp", "math.modf"});
        return std::ranges::find(kOthers, name) == kOthers.end();
    }
    static constexpr auto kNames = std::to_array<std::string_view>(
        {"numpy.sqrt", "numpy.exp", "numpy.log", "numpy.log2", "numpy.log10", "numpy.ceil", "numpy.floor",
         "numpy.round", "numpy.abs", "numpy.power", "numpy.float16", "numpy.float32", "numpy.float64", "numpy.int32",
         "numpy.int64"});
    return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

std::optional<Value> Interpreter::call_library(std::string_view name, Arguments& args, NodeId node) {
    if (args.open && !name.starts_with("dataclasses.") && !name.starts_with("functools.")) return std::nullopt;
    if (name.starts_with("math.") || name == "numpy.prod") {
        if (const auto v = call_math(name, args, node)) return v;
    }
    if (makes_number(name) && args.keyword.empty() && !args.positional.empty() &&
        std::ranges::all_of(args.positional, is_numeric)) {
        return as_some_number(unknown(UnknownReason::Why::library_value, node, name));
    }
    if (name.starts_with("functools.")) return call_functools(name, args, node);
    if (name.starts_with("dataclasses.") || name.starts_with("copy.")) return call_on_objects(name, args, node);
    const Value* first = args.get(0, "");
    if (name == "types.SimpleNamespace" && args.positional.empty()) {
        Value v = Value::with(Tag::instance);
        v.as.instance = heap_.make<Instance>();
        static_cast<Shared&>(*v.as.instance) = fresh();
        for (const auto& [k, item] : args.keyword) v.as.instance->attributes.emplace_back(k, item);
        return v.at(here(node));
    }
    if (name == "enum.auto") return external_value("enum.auto()", node);
    if (name == "enum.unique" && first != nullptr) return *first;
    if (name == "typing.cast" && args.positional.size() == 2) return args.positional[1];
    if (name == "collections.namedtuple") return make_named_tuple(args, node);
    if (name == "collections.OrderedDict" && args.positional.empty()) {
        Value v = make_dict(node);
        for (const auto& [k, item] : args.keyword) put(*v.as.dict, string_value(k, node), item, node);
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
        return iterator_over(make_list(Tag::tuple, std::move(out), node), node);
    }
    if (name == "itertools.chain" && args.keyword.empty()) {
        Value all = make_list(Tag::tuple, {}, node);
        for (const Value& v : args.positional) extend(*all.as.list, v);
        if (!all.as.list->open) return iterator_over(all, node);
    }
    return std::nullopt;
}

std::optional<Value> Interpreter::call_math(std::string_view name, Arguments& args, NodeId node) {
    if (args.positional.empty()) return std::nullopt;
    const Value first = plain(args.positional[0]);
    const bool alone = args.positional.size() == 1 && args.keyword.empty();
    if (name == "math.ceil" || name == "math.floor" || name == "math.trunc") {
        if (!alone) return std::nullopt;
        if (!first.sym().unknown()) return Value::of(first.sym()).at(first.origin());
        if (first.tag != Tag::real || !std::isfinite(first.as.f)) return std::nullopt;
        const double f = first.as.f;
        const auto v = numbers::to_integer(name == "math.ceil"    ? std::ceil(f)
                                           : name == "math.floor" ? std::floor(f)
                                                                  : std::trunc(f));
        return v ? std::optional(Value::integer(*v)) : std::nullopt;
    }
    if (name == "math.sqrt" && alone && numbers::is_number(first)) {
        const double x = numbers::as_real(first);
        return x < 0 ? std::nullopt : std::optional(Value::real(std::sqrt(x)));
    }
    if (name == "math.log2" && alone && first.is_int() && first.sym().value > 0) {
        return Value::real(std::log2(static_cast<double>(first.sym().value)));
    }
    if (name == "math.prod" || name == "numpy.prod") {
        if (!alone) return std::nullopt;
        const auto items = iterate(first);
        if (!items) return std::nullopt;
        Value total = Value::integer(1);
        for (const Value& v : *items) total = binary(Kind::star, total, v, node);
        return total;
    }
    if (name == "math.gcd" && args.positional.size() == 2 && first.is_int() && args.positional[1].is_int()) {
        const std::int64_t a = first.sym().value;
        const std::int64_t b = args.positional[1].sym().value;
        if (a == INT64_MIN || b == INT64_MIN) return std::nullopt;
        return Value::integer(std::gcd(a, b));
    }
    return std::nullopt;
}

std::optional<Value> Interpreter::call_functools(std::string_view name, Arguments& args, NodeId node) {
    const Value* first = args.positional.empty() ? nullptr : &args.positional[0];
    if (name == "functools.partial" && first != nullptr) {
        if (args.open_positions) return std::nullopt;
        Value keywords = make_dict(node);
        keywords.as.dict->open = args.open_keywords;
        for (const auto& [k, v] : args.keyword) put(*keywords.as.dict, string_value(k, node), v, node);
        std::vector<Value> rest(args.positional.begin() + 1, args.positional.end());
        Value parts = make_list(Tag::list, {*first, make_list(Tag::list, std::move(rest), node), keywords}, node);
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{parts, {}, "partial"});
        return v;
    }
    if (args.open) return std::nullopt;
    if (name == "functools.wraps") return external_value("functools.identity", node);
    if (name == "functools.lru_cache" || name == "functools.cache") {
        // As a function on a function, or with options: then what it gives is the decorator.
        if (first != nullptr && first->tag == Tag::function) {
            first->as.function->cached = true;
            return *first;
        }
        return external_value("functools.cache", node);
    }
    if (name == "functools.identity" && first != nullptr) return *first;
    if (name == "functools.reduce" && (args.positional.size() == 2 || args.positional.size() == 3)) {
        const auto items = iterate(args.positional[1]);
        if (!items) return std::nullopt;
        std::size_t at = 0;
        Value total;
        if (args.positional.size() == 3) {
            total = args.positional[2];
        } else {
            if (items->empty()) return definite_error("TypeError", node);
            total = (*items)[at++];
        }
        for (; at < items->size() && !raising_; ++at) total = call_with(*first, {total, (*items)[at]}, node);
        return total;
    }
    return std::nullopt;
}

std::optional<Value> Interpreter::call_on_objects(std::string_view name, Arguments& args, NodeId node) {
    const Value* first = args.positional.empty() ? nullptr : &args.positional[0];
    if (name == "dataclasses.dataclass") {
        Value options = make_dict(node);
        options.as.dict->open = args.open;
        for (const auto& [k, v] : args.keyword) put(*options.as.dict, string_value(k, node), v, node);
        if (first != nullptr && first->tag == Tag::klass) {
            make_dataclass(*first->as.klass, options.as.dict, node);
            return *first;
        }
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{options, {}, "dataclass"});
        return v;
    }
    if (name == "dataclasses.field") {
        Value options = make_dict(node);
        options.as.dict->open = args.open;
        for (const auto& [k, v] : args.keyword) put(*options.as.dict, string_value(k, node), v, node);
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{options, {}, "field"});
        return v;
    }
    if (first == nullptr) return std::nullopt;
    if ((name == "dataclasses.replace" || name == "copy.replace") && first->tag == Tag::instance &&
        args.positional.size() == 1 && first->as.instance->klass != nullptr &&
        first->as.instance->klass->is_dataclass) {
        return replace_fields(*first, args, node);
    }
    if (args.open) return std::nullopt;
    const bool alone = args.positional.size() == 1 && args.keyword.empty();
    if ((name == "dataclasses.asdict" || name == "dataclasses.astuple") && alone && first->tag == Tag::instance) {
        return fields_of(*first, name == "dataclasses.asdict", node);
    }
    if ((name == "copy.copy" || name == "copy.deepcopy") && alone) {
        if (first->tag == Tag::instance) {
            for (const std::string_view special : {"__copy__", "__deepcopy__", "__reduce__", "__getstate__"}) {
                const Class* k = first->as.instance->klass;
                if (k != nullptr && class_entry(k, special).found == Found::yes) return std::nullopt;
            }
        }
        if (first->tag == Tag::iterator) return std::nullopt;
        if (name == "copy.copy" && first->tag == Tag::tuple) return *first;
        return copy(*first, name == "copy.copy" ? 1 : 16);
    }
    return std::nullopt;
}

Value Interpreter::fields_of(const Value& v, bool as_dict, NodeId node) {
    // asdict and astuple go down into dataclasses, lists, tuples and dicts, and copy the rest.
    if (!deeper()) {
        lose(v);
        return unknown(UnknownReason::Why::budget, node);
    }
    Value out;
    if (v.tag == Tag::instance && v.as.instance->klass != nullptr && v.as.instance->klass->is_dataclass) {
        out = as_dict ? make_dict(node) : make_list(Tag::tuple, {}, node);
        for (const Class::FieldInfo& f : v.as.instance->klass->fields) {
            if (f.init_only) continue;
            const Looked l = look_up(v, f.name, node);
            const Value item = l.found == Found::yes ? fields_of(l.value, as_dict, node)
                                                     : unknown(UnknownReason::Why::joined, node, f.name);
            if (as_dict) {
                put(*out.as.dict, string_value(f.name, node), item, node);
            } else {
                out.as.list->items.push_back(item);
            }
        }
    } else if (v.tag == Tag::list || v.tag == Tag::tuple) {
        out = make_list(v.tag, {}, node);
        out.as.list->open = v.as.list->open;
        for (const Value& item : v.as.list->items) out.as.list->items.push_back(fields_of(item, as_dict, node));
    } else if (v.tag == Tag::dict) {
        out = make_dict(node);
        out.as.dict->open = v.as.dict->open;
        for (const auto& [k, item] : v.as.dict->items) put(*out.as.dict, k, fields_of(item, as_dict, node), node);
    } else {
        out = copy(v, 16);
    }
    --depth_;
    return out;
}

}  // namespace ptofix::trace
