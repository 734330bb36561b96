// --baseline: what a former run found, held against what this one finds, so that only what is new counts.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "report/run_report.h"
#include "rules/catalogue.h"

namespace ptofix::cli {

/// The findings that the file holds, or the line that says why it is none.
std::expected<std::vector<report::AbsentView>, std::string> load_baseline(const std::string& path,
                                                                          rules::Language language);

struct BaselineCounts {
    std::int64_t fresh = 0, unchanged = 0;
};
BaselineCounts count_by_baseline(std::span<const report::FileReport> reports);

}  // namespace ptofix::cli
