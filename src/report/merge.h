// The JSON or SARIF reports of the parts of a run (--shard), joined to the one that the whole run would have made.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/shard_of_run.h"
#include "rules/finding.h"

namespace ptofix::report {

struct MergeInput {
    std::string path;  // for messages
    std::string text;
};

struct MergeError {
    enum class Kind { not_json, not_a_report, other_version };
    Kind kind = Kind::not_json;
    std::string path;
    std::string detail = {};
};

struct Merged {
    std::string text;
    bool has_problem = false;  // a file that could not be looked at: exit code 2
    std::int64_t worst = -1;   // of the findings that are left, as rules::Severity; -1: there are none
    int recorded = 0;          // the highest exit code that the parts say they ended with (SARIF)
    std::vector<std::optional<ShardOfRun>> shards;  // of each input; none: it is no part of a run, or does not say so
};

/// A finding in a file that files of several parts import is in the report of each: it is kept once, as one run keeps
/// it.
std::expected<Merged, MergeError> merge_json(std::span<const MergeInput> inputs);

bool is_sarif(std::string_view text);
/// The same for SARIF. Results about a file that others import may come in another order than one run has them.
std::expected<Merged, MergeError> merge_sarif(std::span<const MergeInput> inputs);

}  // namespace ptofix::report
