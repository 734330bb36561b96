// Which part of a run's files a report is about (--shard): written into JSON and SARIF, so that merging can tell that
// one is missing.
#pragma once

#include <cstdint>

namespace ptofix::report {

struct ShardOfRun {
    std::uint32_t number = 1;
    std::uint32_t of = 1;  // 1: everything, and nothing is written of it

    bool operator==(const ShardOfRun&) const = default;
};

/// The key of both formats: an object with `number` and `of`.
inline constexpr const char* kShardKey = "shard";
/// In a SARIF result of a shard that lies in another file than the one that was analysed: the index of that among the
/// artifacts.
inline constexpr const char* kAnalysedKey = "analysed";

}  // namespace ptofix::report
