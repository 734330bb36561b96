// Writes what the fixes changed. A fix may span files (a kernel in one, its caller in another): when one file cannot be
// written, those that belong with it are left alone too, so that nothing is changed by half.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/engine.h"
#include "cli/options_apply.h"

namespace ptofix::cli {

struct Written {
    std::set<std::string> paths;    // of the files that have their new text
    std::set<std::string> refused;  // that should have
    std::vector<report::Problem> problems;
};

/// First the journal, unless the options say no; where it cannot be kept nothing is written. `kept`: files with changes
/// of a person's that are not staged, where what is staged counts.
Written write_changes(const FixAnswer& answer, const ApplyOptions& options, rules::Language language,
                      const std::set<std::string>& kept = {});

/// What would be refused for what the texts are: `kept`, and what the file's encoding cannot say, with all that belong
/// to these. Nothing is written; whether files can be written where they are is not asked.
Written refusals(const FixAnswer& answer, rules::Language language, const std::set<std::string>& kept);

}  // namespace ptofix::cli
