// Do the reports that are to be merged make a whole run? Each says which of how many shards it is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/shard_of_run.h"
#include "rules/finding.h"

namespace ptofix::cli {

struct ShardFault {
    std::string_view id;  // of the message
    rules::Data data;
    bool is_missing = false;  // shards are; else reports don't belong together
};

/// Reports that are no shard, or of a version that didn't say so, are beside the count: nothing can be told of them.
std::optional<ShardFault> fault_of_shards(std::span<const std::optional<report::ShardOfRun>> shards,
                                          std::span<const std::string> paths);

}  // namespace ptofix::cli
