// How things are shown whatever the format: paths, colour, and the reasons why something could not be followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/output.h"
#include "rules/catalogue.h"
#include "trace/trace.h"

namespace ptofix::cli {

/// Relative to the folder where that is shorter to read: a file that was reached by import has a path from the root.
std::string shown_path(const std::string& path, const std::string& current_folder);
/// As seen from the current folder; null when the file is not below it.
std::optional<std::string> path_inside(const std::string& path);
/// The absolute path without its first slash.
std::string path_from_root(const std::string& path);
/// Ends with a slash.
std::string current_folder();

/// By default on a terminal, unless the environment speaks against it.
bool use_colour(Colour wanted, const Output& out);

/// Cells for a table: the terminal's, else what COLUMNS says, else 120; never fewer than 60.
std::uint32_t table_width(const Output& out);

/// Why something could not be followed.
std::string reason_text(trace::UnknownReason::Why why, const std::string& detail, rules::Language language);

}  // namespace ptofix::cli
