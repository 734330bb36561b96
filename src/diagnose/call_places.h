// Where a traced kernel does what PyPTO refuses: the operation, loop or option with the numbers that a message names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/log.h"
#include "trace/trace.h"

namespace ptofix::diagnose {

struct CallPlace {
    trace::KernelId kernel = trace::kNone;
    trace::Site site;                           // of the operation, the loop or the option's value
    trace::OpId op = trace::kNone;              // where it is an operation
    trace::TensorId tensor = trace::kNoTensor;  // that is refused
    trace::TileId tile = trace::kNone;          // in force there, as far as it matters
    std::string name;                           // of the loop, the option, the operand ("a"), the size that is open
    std::vector<std::int64_t> numbers;          // an unroll list without what is refused
    std::optional<std::int64_t> extent;         // of the tensor in the axis whose tile is refused
};

/// One for each place of the text. `kernels`: by name; empty: any.
std::vector<CallPlace> find_refused(const trace::Trace& trace, const CallRefused& refused,
                                    const std::vector<std::string>& kernels);
/// The operations under a vec tile with such a number in that axis.
std::vector<CallPlace> find_tile_numbers(const trace::Trace& trace, const VecTileRefused& refused,
                                         const std::vector<std::string>& kernels);

}  // namespace ptofix::diagnose
