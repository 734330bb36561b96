// Writes what the fixes changed. A fix may span files (a kernel in one, its caller in another): when one file cannot be
// written, those that belong with it are left alone too, so that nothing is changed by half.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/engine.h"

namespace ptofix::cli {

struct Written {
    std::set<std::string> paths;    // of the files that have their new text
    std::set<std::string> refused;  // that should have
    std::vector<report::Problem> problems;
};

/// `reports` tell which files were traced together.
Written write_changes(std::span<const ChangedFile> files, std::span<const report::FileReport> reports,
                      rules::Language language);

}  // namespace ptofix::cli
