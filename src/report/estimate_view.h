// What a finding's fix does to its kernel: tile operations to compile and bytes in each of the chip's memories, before
// and after. Filled by cli, shown by the HTML page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptofix::report {

struct PoolEstimate {
    std::string name;  // "UB", "L1 (B)"
    std::int64_t limit = 0;
    std::optional<std::int64_t> before, after;  // bytes at most
};

struct EstimateView {
    std::string kernel;
    std::int64_t operations_before = 0;
    std::optional<std::int64_t> operations_after;        // nothing: there is no fix to judge
    bool complete_before = true, complete_after = true;  // false: at least so many
    std::vector<PoolEstimate> pools;                     // of the tile setting that the finding is about, or of all
};

/// By finding of a file.
using EstimatesOfFile = std::vector<std::optional<EstimateView>>;

}  // namespace ptofix::report
