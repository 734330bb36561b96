// The operation table: every operation of PyPTO by name, what engine runs it, how shape and dtype flow from its operands
// to its result. Data in one place (operations.cpp); the source of each line is the framework's docs/zh/api/operation.
// Used by the tracer to record an operation and by detectors to ask what it is.
#pragma once

#include <span>
#include <string_view>

#include "trace/trace.h"

namespace ptofix::trace {

/// Named entries that the tracer and the detectors ask for. The rest is reached by name.
enum class Op : OpCode;

enum class ShapeRule : std::uint8_t {
    unknown,
    same_as_first,      // elementwise on one tensor
    broadcast,          // elementwise on tensors and scalars
    reduce,             // axis argument, keepdim
    matmul,             // a_trans, b_trans, batch broadcast
    transpose,          // two axes swapped
    permute,            // dims argument
    reshape,            // shape argument, -1 allowed
    view,               // shape argument
    from_size,          // full, zeros, ones, tensor: size argument
    concat,             // sum along the axis
    unsqueeze,
    squeeze,
    expand,             // expand_clone: shape argument
    none,               // no result: assemble, set_*
    special,            // computed by its own code in operations_infer.cpp
};

enum class DTypeRule : std::uint8_t {
    unknown,
    same_as_first,
    promote,        // elementwise on two operands: the tensor operands' common dtype
    from_argument,  // the dtype argument ("dtype", "out_dtype")
    boolean,        // comparisons
    integer32,      // argsort, argmax indices ...
    fp32,
    none,
};

struct ParameterInfo {
    std::string_view name;   // as in the framework's signature
    bool keyword_only = false;
    bool tensor = false;     // takes a tensor (a list of tensors for concat)
    bool variadic = false;   // *size
};

struct OperationInfo {
    std::string_view name;        // without "pypto.": "matmul", "experimental.gather_in_ub"
    Engine engine;
    ShapeRule shape;
    DTypeRule dtype;
    bool in_place;                // writes to its first tensor argument (index_add_, scatter_)
    std::span<const ParameterInfo> parameters;
    std::string_view method_of;   // non-empty when also reachable as a tensor method of another name
};

std::span<const OperationInfo> operation_table();
/// By name without "pypto.", by method name on a tensor, or nullopt.
std::optional<OpCode> find_operation(std::string_view name);
std::optional<OpCode> find_tensor_method(std::string_view name);
const OperationInfo& info(OpCode code);

/// Arguments bound to parameter names.
struct BoundCall {
    std::vector<std::pair<std::string_view, Value>> arguments;
    const Value* find(std::string_view name) const {
        for (const auto& [n, v] : arguments) {
            if (n == name) return &v;
        }
        return nullptr;
    }
};

/// Shape and dtype of the result of `code` on these arguments; unknown parts stay unknown. Tensor ids refer to
/// `trace.tensors`. Never guesses: contradictory operands (shapes that do not broadcast) give an unknown shape.
TensorType infer_result(OpCode code, const BoundCall& call, Trace& trace);

}  // namespace ptofix::trace
