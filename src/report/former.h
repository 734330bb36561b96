// Findings of a former run, the baseline, read from the report that it wrote: JSON or SARIF. A finding of now is known
// when the baseline has one of the same rule and fingerprint in the same file, or in a file that is gone: renamed.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/run_report.h"
#include "report/view.h"

namespace ptofix::report {

/// Why a text is no baseline.
enum class FormerFault : std::uint8_t { no_report, no_fingerprints };

/// The findings that were reported, without those that comments silenced.
/// Those of SARIF count from the root of the repository: `from_root` makes paths as this run shows them.
std::expected<std::vector<AbsentView>, FormerFault> read_former(std::string_view text,
                                                                const PathInRepository& from_root = {});

/// What the run looked at. What it did not look for is not gone.
struct Scope {
    std::span<const std::string> others;             // files beside those of the reports
    std::span<const std::string_view> rules;         // ids
    std::function<bool(const std::string&)> exists;  // is there such a file?
    PathInRepository in_repository = {};             // a file may be named in several ways
};

/// Marks each finding as fresh or unchanged, and returns what is gone. Fingerprints are there.
std::vector<AbsentView> compare_with_former(std::span<const AbsentView> former, std::span<FileReport> reports,
                                            const Scope& scope);

}  // namespace ptofix::report
