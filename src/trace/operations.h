// The operation table: every operation of PyPTO by name, what engine runs it, how shape and dtype flow from its
// operands to its result. Data in one place (operations.def); its source is the framework's Python package and
// docs/zh/api. Used by the tracer to record an operation and by detectors to ask what it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace ptofix::trace {

/// One enumerator for each operation; its number is the OpCode.
enum class Op : OpCode {
#define OP(id, name, engine, shape, dtype, results, method, signature) id,
#include "trace/operations.def"
#undef OP
};

constexpr OpCode code_of(Op op) {
    return static_cast<OpCode>(op);
}
constexpr bool is(const Operation& operation, Op op) {
    return operation.code == code_of(op);
}

enum class ShapeRule : std::uint8_t {
    unknown,
    same_as_first,  // elementwise on one tensor
    broadcast,      // elementwise on tensors and scalars
    reduce,         // axis argument, keepdim
    matmul,         // a_trans, b_trans, batch broadcast
    transpose,      // two axes swapped
    permute,        // dims argument
    reshape,        // shape argument, -1 allowed
    view,           // shape argument, or the last axis reinterpreted as another dtype
    from_size,      // full, zeros, ones, tensor: size or shape argument
    concat,         // sum along the axis
    unsqueeze,
    squeeze,
    expand,   // expand_clone: shape argument
    none,     // no tensor results: assemble, set_*
    special,  // computed by its own code in operations_special.cpp
};

enum class DTypeRule : std::uint8_t {
    unknown,
    same_as_first,
    promote,           // operands must agree: the dtype that all tensor operands have
    from_argument,     // the dtype argument ("dtype", "out_dtype", "otype")
    argument_or_fp32,  // the dtype argument, FP32 when it is not given
    boolean,           // comparisons
    integer32,         // argsort, argmax indices ...
    integer64,
    fp32,
    floating,    // as promote, but integers become FP32
    cumulative,  // as the first, but 16 and 32-bit integers become INT64
    none,
    special,
};

struct ParameterInfo {
    std::string_view name;  // as in the framework's signature
    bool keyword_only = false;
    bool tensor = false;    // takes a tensor (a list of tensors for concat), or a number where both are allowed
    bool written = false;   // the tensor is written to
    bool variadic = false;  // *size: takes the rest of the positional arguments
};

struct OperationInfo {
    std::string_view name;  // without "pypto.": "matmul", "experimental.gather_in_ub"
    Engine engine;
    ShapeRule shape;
    DTypeRule dtype;
    bool in_place;             // writes to its first tensor argument (index_add_, scatter_)
    std::uint8_t results;      // tensors returned: 0 (none, a number, nothing), 1, or the length of the tuple
    std::string_view written;  // the parameter written to, also "out" of assemble; empty: none
    std::span<const ParameterInfo> parameters;
    std::string_view method;  // its name as a tensor method; empty: it is none
};

std::span<const OperationInfo> operation_table();
/// By name without "pypto.", by method name on a tensor, or nullopt.
std::optional<OpCode> find_operation(std::string_view name);
std::optional<OpCode> find_tensor_method(std::string_view name);
const OperationInfo& info(OpCode code);
inline const OperationInfo& info(Op op) {
    return info(code_of(op));
}

/// Arguments bound to parameter names. A variadic parameter has one entry for each of its values.
struct BoundCall {
    std::vector<std::pair<std::string_view, Value>> arguments;
    std::uint32_t surplus = 0;     // positional arguments that the signature has no place for; they are dropped
    bool unknown_keyword = false;  // a keyword that the signature has not; it is kept under its own name

    const Value* find(std::string_view name) const {
        for (const auto& [n, v] : arguments) {
            if (n == name) return &v;
        }
        return nullptr;
    }
};

/// Binds by the operation's signature. For a method the tensor comes first in `positional`, also for x.assemble(src,
/// ...), whose tensor is the destination. Names are those of the signature; the views of unknown keywords are the
/// caller's.
BoundCall bind(OpCode code, std::span<const Value> positional,
               std::span<const std::pair<std::string_view, Value>> keywords);

/// Shape and dtype of the results of `code` on these arguments; unknown parts stay unknown. Tensor ids refer to
/// `trace.tensors`. Never guesses: contradictory operands (shapes that do not broadcast) give an unknown shape. As many
/// as OperationInfo::results.
std::vector<TensorType> infer_results(OpCode code, const BoundCall& call, Trace& trace);
/// The first result, or a type that claims nothing.
TensorType infer_result(OpCode code, const BoundCall& call, Trace& trace);

}  // namespace ptofix::trace
