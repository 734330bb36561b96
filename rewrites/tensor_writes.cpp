#include "rewrites/tensor_writes.h"

#include <algorithm>

#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using trace::kNone;
using trace::kNoTensor;
using trace::LoopId;
using trace::Operation;
using trace::OpId;
using trace::TensorId;
using trace::Trace;

TensorId root_of(const Trace& trace, TensorId tensor) {
    while (trace.tensors[tensor].base != kNoTensor) tensor = trace.tensors[tensor].base;
    return tensor;
}

/// Does a view of the tensor, or it itself, go on in a value that may be one of several?
bool may_go_unseen(const Trace& trace, TensorId root) {
    for (TensorId id = 0; id < trace.tensors.size(); ++id) {
        const trace::Tensor& tensor = trace.tensors[id];
        if ((tensor.joined || tensor.carried) && root_of(trace, id) == root) return true;
    }
    return false;
}

bool contains(const trace::Loop& loop, OpId id) {
    return id >= loop.first_op && id < loop.end_op;
}

}  // namespace

std::optional<OpId> write_to(const Trace& trace, TensorId tensor, OpId first, OpId end) {
    const TensorId root = root_of(trace, tensor);
    std::optional<bool> unseen;  // asked only where a write hits something unknown
    for (OpId id = first; id < end; ++id) {
        const Operation& op = trace.operations[id];
        if (trace::info(op.code).written.empty()) continue;
        const bool known = op.output != kNoTensor && trace.tensors[op.output].producer != id;
        if (known) {
            if (root_of(trace, op.output) == root) return id;
            continue;
        }
        if (!unseen) unseen = may_go_unseen(trace, root);
        if (*unseen) return id;
    }
    return std::nullopt;
}

std::optional<OpId> write_between(const Trace& trace, TensorId tensor, OpId made, OpId reader) {
    if (const auto write = write_to(trace, tensor, made + 1, reader)) return write;
    for (LoopId id = trace.operations[reader].loop; id != kNone; id = trace.loops[id].parent) {
        const trace::Loop& loop = trace.loops[id];
        if (contains(loop, made)) break;
        if (const auto write = write_to(trace, tensor, reader, loop.end_op)) return write;
    }
    return std::nullopt;
}

}  // namespace ptofix::rewrites
