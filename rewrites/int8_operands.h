// Where the INT8 tensors behind a matmul's casted operands stand in the text, and which statements are left over when
// the matmul takes them directly. Facts for int8_matmul.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct Int8Operand {
    std::string text;                    // the INT8 tensor, as it may stand in the matmul
    std::vector<rules::FileEdit> edits;  // casts that nothing else needs
    bool removes_comments = false;       // that speak of them
};

/// `operand`: the expression in the matmul, of which both operands are replaced. Or why the tensor cannot stand there.
std::expected<Int8Operand, rules::Blocked> int8_operand(const trace::Trace& trace, trace::OpId matmul,
                                                        trace::Site operand, std::span<const std::uint32_t> casts);

}  // namespace ptofix::rewrites
