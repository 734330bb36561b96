// How a check reports: in which formats, where to, against which baseline, and what its exit code tells. Values alone;
// report_arguments.* reads them off the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/finding.h"

namespace ptofix::cli {

enum class Format : std::uint8_t { text, json, sarif, github, gitlab, junit, html };

/// A report that goes to a file.
struct ReportFile {
    Format format = Format::text;
    std::string path;
};

struct ReportOptions {
    std::vector<ReportFile> files;
    bool on_stdout = true;  // in CheckCommand::format; false: every format that was asked for has a file
    bool show_suppressed = false;
    bool statistics = false;
    std::string baseline;    // a report of a former run; empty: none
    std::string add_ignore;  // the reason of the suppressions to write; empty: none are written
    rules::Severity fail_on = rules::Severity::warning;  // the lowest that leads to exit code 1
    bool exit_zero = false;
    bool exit_non_zero_on_fix = false;
};

}  // namespace ptofix::cli
