// What the trips of a loop compute, taken together: each trip cuts a matrix out of some tensors, multiplies, and stores
// one matrix, so that the loop is one computation on [heads, rows, columns]. Found by the operations alone; the
// rewriter makes text of it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "trace/trace.h"

namespace ptofix::rewrites {

/// A tensor that a trip works on, as one matrix of [rows, columns].
struct HeadValue {
    enum class Kind : std::uint8_t {
        slice,     // of `source`, one stretch of memory after the other
        shared,    // `source` itself, the same for every trip
        computed,  // by a matmul or a vector operation of the trip
    } kind = Kind::computed;
    trace::TensorId source = trace::kNoTensor;
    bool whole = false;  // slice: source has the shape [heads, rows, columns] already
    std::int64_t rows = 0, columns = 0;
};

struct BatchStore {
    trace::OpId op = trace::kNone;
    trace::TensorId target = trace::kNoTensor;
    bool whole = false;  // target has the shape [heads, rows, columns]
};

struct HeadBatch {
    std::int64_t heads = 0;
    std::map<trace::TensorId, HeadValue> values;  // by the tensor of one trip
    std::vector<trace::OpId> matmuls, vectors;    // in order
    std::vector<BatchStore> stores;
};

/// Nothing where the trips do other work, too.
std::optional<HeadBatch> head_batch(const trace::Trace& trace, trace::LoopId loop);

}  // namespace ptofix::rewrites
