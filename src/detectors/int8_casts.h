// Matmuls of INT8 tensors that were cast to FP32 first. Asked by the detectors of PTO105 and, for what it leaves to it,
// PTO207.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.h"

namespace ptofix::detectors {

struct Int8Casts {
    std::vector<std::uint32_t> a, b;  // cast operations of each operand, from the INT8 tensor on
};

/// nullopt: no matmul, or not both operands are FP32 made of INT8 and nothing else.
std::optional<Int8Casts> int8_casts(const trace::Trace& trace, const trace::Operation& op);
inline bool is_int8_upcast(const trace::Trace& trace, const trace::Operation& op) {
    return int8_casts(trace, op).has_value();
}

}  // namespace ptofix::detectors
