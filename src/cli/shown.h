// How things are shown whatever the format: paths, and the reasons why something could not be followed.
#pragma once

#include <string>

#include "rules/catalogue.h"
#include "trace/trace.h"

namespace ptofix::cli {

/// Relative to the folder where that is shorter to read: a file that was reached by import has a path from the root.
std::string shown_path(const std::string& path, const std::string& current_folder);
/// Ends with a slash.
std::string current_folder();

/// Why something could not be followed.
std::string reason_text(trace::UnknownReason::Why why, const std::string& detail, rules::Language language);

}  // namespace ptofix::cli
