#include "trace/operations.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>

namespace ptofix::trace {
namespace {

struct Row {
    std::string_view name;
    Engine engine;
    ShapeRule shape;
    DTypeRule dtype;
    std::uint8_t results;
    std::string_view method;
    std::string_view signature;
};

constexpr Row kRows[] = {
#define OP(id, name, engine, shape, dtype, results, method, signature) \
    {name, Engine::engine, ShapeRule::shape, DTypeRule::dtype, results, method, signature},
#include "trace/operations.def"
#undef OP
};

/// Names under which the framework exports the same thing.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"Tensor", "tensor"}, {"Element", "element"}, {"SymbolicScalar", "symbolic_scalar"}};

/// Keyword names that are not in the signature of the function but mean a parameter of it: in a method's signature, or
/// on the page of the documentation.
struct KeywordAlias {
    Op op;
    std::string_view keyword, parameter;
};
constexpr KeywordAlias kKeywordAliases[] = {
    {Op::assemble, "src", "input"},       {Op::assemble, "srcs", "input"}, {Op::assemble, "inputs", "input"},
    {Op::assemble, "dst", "out"},         {Op::permute, "perm", "dims"},   {Op::pad, "pad", "padding"},
    {Op::unpack, "dstDataType", "dtype"},
};

std::vector<ParameterInfo> parse_signature(std::string_view text) {
    std::vector<ParameterInfo> out;
    bool keyword_only = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word == "|") {
            keyword_only = true;
            continue;
        }
        ParameterInfo p;
        p.keyword_only = keyword_only;
        if (word.starts_with('*')) {
            p.variadic = true;
            word.remove_prefix(1);
        }
        if (word.ends_with('!') || word.ends_with('=')) {
            p.tensor = true;
            p.written = word.ends_with('=');
            word.remove_suffix(1);
        }
        p.name = word;
        out.push_back(p);
    }
    return out;
}

struct Table {
    std::vector<OperationInfo> rows;
    std::deque<std::vector<ParameterInfo>> parameters;
    std::unordered_map<std::string_view, OpCode> names, methods;

    Table() {
        rows.reserve(std::size(kRows));
        for (const Row& r : kRows) {
            const auto& list = parameters.emplace_back(parse_signature(r.signature));
            const auto written = std::ranges::find_if(list, &ParameterInfo::written);
            const bool writes = written != list.end();
            const auto code = static_cast<OpCode>(rows.size());
            rows.push_back({.name = r.name,
                            .engine = r.engine,
                            .shape = r.shape,
                            .dtype = r.dtype,
                            .in_place = writes && written == list.begin(),
                            .results = r.results,
                            .written = writes ? written->name : std::string_view{},
                            .parameters = list,
                            .method = r.method});
            names.emplace(r.name, code);
            if (!r.method.empty()) methods.emplace(r.method, code);
        }
        for (const auto& [alias, name] : kAliases) names.emplace(alias, names.at(name));
    }
};

const Table& table() {
    static const Table instance;
    return instance;
}

std::optional<OpCode> look_up(const std::unordered_map<std::string_view, OpCode>& map, std::string_view name) {
    const auto it = map.find(name);
    return it != map.end() ? std::optional(it->second) : std::nullopt;
}

/// arange(end), arange(start, end, step) and loop(stop), loop(start, stop, step): a lone argument is the second
/// parameter.
bool takes_range(OpCode code) {
    return code == code_of(Op::arange) || code == code_of(Op::loop) || code == code_of(Op::loop_unroll);
}

/// assemble(input, offsets, out), assemble([(input, offsets), ...], out) and out.assemble(input, offsets): the
/// framework tells them apart by what they are given.
void bind_assemble(std::span<const Value> positional, BoundCall& call) {
    constexpr std::string_view kFunction[] = {"input", "offsets", "out"}, kList[] = {"input", "out"},
                               kMethod[] = {"out", "input", "offsets"};
    std::span<const std::string_view> names = kFunction;
    if (!positional.empty() && positional[0].is_sequence()) names = kList;
    if (positional.size() > 1 && positional[0].is(Tag::tensor) && positional[1].is(Tag::tensor)) names = kMethod;
    for (std::size_t i = 0; i < positional.size(); ++i) {
        if (i < names.size()) {
            call.arguments.emplace_back(names[i], positional[i]);
        } else {
            ++call.surplus;
        }
    }
}

const ParameterInfo* parameter_of(OpCode code, std::string_view keyword) {
    const OperationInfo& about = info(code);
    const auto by_name = [&](std::string_view name) {
        const auto it = std::ranges::find(about.parameters, name, &ParameterInfo::name);
        return it != about.parameters.end() ? &*it : nullptr;
    };
    if (const auto* p = by_name(keyword)) return p;
    for (const KeywordAlias& a : kKeywordAliases) {
        if (code_of(a.op) == code && a.keyword == keyword) return by_name(a.parameter);
    }
    // The documentation calls the first operand "input" where the code says "a", "x" or "self".
    const bool first_tensor = !about.parameters.empty() && about.parameters[0].tensor;
    return keyword == "input" && first_tensor ? about.parameters.data() : nullptr;
}

}  // namespace

std::span<const OperationInfo> operation_table() {
    return table().rows;
}
std::optional<OpCode> find_operation(std::string_view name) {
    return look_up(table().names, name);
}
std::optional<OpCode> find_tensor_method(std::string_view name) {
    return look_up(table().methods, name);
}
const OperationInfo& info(OpCode code) {
    return table().rows[code];
}

BoundCall bind(OpCode code, std::span<const Value> positional,
               std::span<const std::pair<std::string_view, Value>> keywords) {
    BoundCall call;
    const auto parameters = info(code).parameters;
    if (code == code_of(Op::assemble)) {
        bind_assemble(positional, call);
        positional = {};
    }
    std::size_t at = takes_range(code) && positional.size() == 1 ? 1 : 0;
    for (const Value& v : positional) {
        if (at >= parameters.size() || parameters[at].keyword_only) {
            ++call.surplus;
            continue;
        }
        call.arguments.emplace_back(parameters[at].name, v);
        if (!parameters[at].variadic) ++at;
    }
    for (const auto& [name, value] : keywords) {
        const ParameterInfo* p = parameter_of(code, name);
        call.unknown_keyword = call.unknown_keyword || p == nullptr;
        call.arguments.emplace_back(p != nullptr ? p->name : name, value);
    }
    return call;
}

TensorType infer_result(OpCode code, const BoundCall& call, Trace& trace) {
    auto results = infer_results(code, call, trace);
    return results.empty() ? TensorType{} : std::move(results.front());
}

}  // namespace ptofix::trace
