// The inside of infer_results: one call with the rules that shape and dtype follow. operations_infer.cpp has the rules
// that many operations share, operations_special.cpp those of single ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trace/operations.h"

namespace ptofix::trace {

class Inference {
  public:
    using Shape = std::vector<SymInt>;
    /// A shape that is known to its rank; nullopt: nothing is known, or the operands contradict each other.
    using MaybeShape = std::optional<Shape>;

    Inference(OpCode code, const BoundCall& call, Trace& trace)
        : op_(static_cast<Op>(code)), about_(info(code)), call_(call), trace_(trace), symbols_(trace.symbols) {}

    std::vector<TensorType> results();

  private:
    // Arguments
    const Value* argument(std::string_view name) const { return call_.find(name); }
    bool given(std::string_view name) const;  // there, and not None
    const TensorType* tensor(const Value* value) const;
    const TensorType* tensor(std::string_view name) const { return tensor(argument(name)); }
    const TensorType* first() const;
    /// All values of the parameters that take tensors, lists of tensors flattened.
    std::vector<Value> operands() const;
    std::optional<bool> truth(std::string_view name, bool otherwise) const;
    std::optional<std::int64_t> number(std::string_view name, std::optional<std::int64_t> otherwise = {}) const;
    SymInt dim(std::string_view name) const;
    /// A list of ints or symbols; unknown items are unknown dims.
    MaybeShape list(const Value* value) const;
    MaybeShape list(std::string_view name) const { return list(argument(name)); }
    hardware::DType dtype_argument(hardware::DType otherwise) const;

    // Shapes
    static MaybeShape shape_of(const TensorType* type);
    std::optional<std::size_t> axis(std::string_view name, std::size_t rank,
                                    std::optional<std::int64_t> otherwise) const;
    /// Two dims that the framework demands to be equal: what is known of either. nullopt: they differ.
    std::optional<SymInt> same(SymInt a, SymInt b);
    std::optional<SymInt> broadcast(SymInt a, SymInt b);
    MaybeShape broadcast(const Shape& a, const Shape& b);
    SymInt product(std::span<const SymInt> dims);
    SymInt last_axis_scaled(SymInt last, int multiply, int divide);

    MaybeShape broadcast_shape();
    MaybeShape reduce_shape();
    MaybeShape matmul_shape(const TensorType* a, const TensorType* b);
    MaybeShape transpose_shape();
    MaybeShape permute_shape();
    MaybeShape reshape_shape();
    MaybeShape view_shape();
    MaybeShape size_shape();
    MaybeShape concat_shape();
    MaybeShape unsqueeze_shape();
    MaybeShape squeeze_shape();
    MaybeShape expand_shape();
    MaybeShape special_shape(std::size_t result);
    MaybeShape arange_shape();
    MaybeShape conv_shape();
    MaybeShape from_torch_shape();
    MaybeShape index_select_shape();
    MaybeShape pad_shape();
    MaybeShape quant_mx_scale_shape();
    MaybeShape with_last(const TensorType* type, int multiply, int divide);
    MaybeShape shape(std::size_t result);

    // Types
    hardware::DType common_dtype() const;
    hardware::DType pow_dtype() const;
    hardware::DType where_dtype() const;
    hardware::DType special_dtype(std::size_t result) const;
    hardware::DType dtype(std::size_t result) const;

    Op op_;
    const OperationInfo& about_;
    const BoundCall& call_;
    Trace& trace_;
    Symbols& symbols_;
};

}  // namespace ptofix::trace
