// All that a run of a check has to say, for the formats that are one document over many files. Filled by cli once the
// last file is analysed; `run_*.cpp` lay it out, one format a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/estimate_view.h"
#include "report/json.h"
#include "report/path_in_repository.h"
#include "report/shard_of_run.h"
#include "report/view.h"
#include "rules/catalogue.h"

namespace ptofix::report {

/// A finding of the baseline that is gone.
struct AbsentView {
    std::string rule, path, fingerprint, message;
    rules::Severity severity = rules::Severity::warning;
    std::uint64_t line = 1;
};

struct RunReport {
    std::string_view version;
    std::string_view homepage;  // where the project's files can be read, ends with a slash; may be empty
    rules::Language language = rules::Language::en;
    std::span<const FileReport> files;    // that mention PyPTO
    std::span<const std::string> others;  // paths of those that do not
    std::span<const Problem> problems;
    const FixingView* fixing = nullptr;   // null: only checked
    std::vector<std::string_view> rules;  // ids of those that were looked for
    bool has_baseline = false;
    std::span<const AbsentView> absent;
    int exit_code = 0;
    ShardOfRun shard = {};
    PathInRepository in_repository = {};  // for SARIF, GitHub, GitLab and JUnit
    /// For the HTML page, which has both languages: the same files and findings in the other one. May be empty.
    std::span<const FileReport> translated;
    std::span<const EstimatesOfFile> estimates;  // by file; may be empty
};

std::string json_of(const RunReport& run);
std::string sarif_of(const RunReport& run);
std::string github_of(const RunReport& run);
std::string gitlab_of(const RunReport& run);
std::string junit_of(const RunReport& run);
std::string html_of(const RunReport& run);

}  // namespace ptofix::report
