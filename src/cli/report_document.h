// A run as a document: which function of src/report lays out which format.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report_options.h"
#include "report/run_report.h"

namespace ptofix::cli {

/// As a file holds it: text without colours.
std::string document_of(Format format, const report::RunReport& run);

/// Ids of the catalogue that the command line leaves on.
std::vector<std::string_view> rules_looked_for(std::span<const std::string> selected,
                                               std::span<const std::string> ignored);

}  // namespace ptofix::cli
