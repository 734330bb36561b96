// What a check says in words, on stdout and stderr: findings or the diff, what could not be followed, and the totals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "report/json.h"
#include "report/run_report.h"
#include "report/view.h"

namespace ptofix::cli {

/// Of the findings that a report shows.
struct Counts {
    std::int64_t errors = 0, warnings = 0, infos = 0, safe = 0, unsafe_fixes = 0;

    std::int64_t all() const { return errors + warnings + infos; }
};

Counts count(std::span<const report::FileReport> reports);

/// What a run came to.
struct CheckResult {
    std::vector<report::FileReport> reports;
    std::vector<report::Problem> problems;
    std::size_t checked = 0;
    std::size_t written = 0;  // files, with --diff those that would be
    bool all_ignored = false;
    bool all_excluded = false;
    bool by_lines = false;        // it was about changed lines alone
    bool left_unwritten = false;  // a file that has a fix could not be written
    std::optional<report::FixingView> fixing;
    Counts left;  // after the fixes, whether they were written or not
    std::string diff;
    bool outside = false;                         // some of the changed files are not below the current folder
    std::int64_t silenced = 0, not_silenced = 0;  // with --add-ignore
    bool has_baseline = false;
    std::vector<report::AbsentView> absent;  // of the baseline, what is gone
};

/// The findings go to `out`, unless it holds the text of a filter.
void report_in_words(const CheckCommand& command, const CheckResult& result, Output& out, Output& err);

}  // namespace ptofix::cli
