// The options that say how to report, read off the command line: which formats, into which files, what decides the exit
// code. Called by options.cpp alone.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/refusal.h"

namespace CLI {
class App;
}

namespace ptofix::cli {

/// The values as they were written.
struct RawReport {
    std::vector<std::string> format, output, baseline, fail_on, add_ignore;
    bool show_suppressed = false, statistics = false, exit_zero = false, exit_non_zero_on_fix = false;
    /// --format and --output in the order in which they were written; true: --output.
    std::vector<bool> order;
};

void add_report_options(CLI::App& app, RawReport& raw);
/// Once the app has parsed.
void note_order(const CLI::App& app, RawReport& raw);

/// What a command may print: a check has every format; what finds something has SARIF beside text and JSON; what only
/// shows has those two.
std::span<const std::string_view> check_formats();
std::span<const std::string_view> diagnose_formats();
std::span<const std::string_view> show_formats();
/// What reports can be merged.
std::span<const std::string_view> merge_formats();
/// What --fail-on takes.
std::span<const std::string_view> severity_names();

/// The last of those that were written; text if there is none.
std::expected<Format, Leave> read_format(const RawReport& raw, std::span<const std::string_view> known,
                                         const Refusal& refuse);

/// --fail-on, if it was given; refused beside --exit-zero.
std::expected<std::optional<rules::Severity>, Leave> read_fail_on(const RawReport& raw, const Refusal& refuse);

/// Why no report can go there, if so.
std::optional<Leave> output_fault(const std::string& path, const Refusal& refuse);

/// Fills the formats and where they go.
std::optional<Leave> read_outputs(const RawReport& raw, std::span<const std::string_view> known, const Refusal& refuse,
                                  CheckCommand& command);

/// The first of the options that a check has and this subcommand has not, if one was given.
std::optional<std::string_view> report_option_given(const RawReport& raw, std::string_view subcommand);

/// For a check: fills format and report.
std::optional<Leave> read_report_options(const RawReport& raw, const Refusal& refuse, CheckCommand& command);

}  // namespace ptofix::cli
