// What a kernel does with one of its tensor parameters, when all it does is cast it: the chains of casts, where they
// stand, and what speaks against giving the kernel the converted tensor instead. Facts for host_precompute.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hardware/dtype.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct CastStep {
    hardware::DType from = hardware::DType::unknown;
    hardware::DType to = hardware::DType::unknown;
    trace::OpId op = 0;
};

struct ParameterCasts {
    std::string_view operand = "input";  // of the operations, that the parameter is
    std::vector<CastStep> steps;         // of every chain: the same types in the same order
    std::vector<trace::Site> sites;      // the cast calls to take out, in the order of the text
    /// The tensor must reach the kernel as it is: no conversion on the host.
    std::optional<rules::Blocked> blocked;
    /// The conversion is likely right, and not proven.
    std::optional<rules::Blocked> doubt;
};

ParameterCasts casts_of_parameter(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter);

}  // namespace ptofix::rewrites
