// The text format: for each finding its place, message and code frame with carets, the numbers, the reason and the fix
// as a small diff.
#pragma once

#include <string>

#include "report/view.h"

namespace ptofix::report {

struct TextStyle {
    bool colour = false;
    rules::Language language = rules::Language::en;
};

/// Empty when there is nothing to say; an empty line follows each finding.
std::string text_of(const FileReport& report, const TextStyle& style);

}  // namespace ptofix::report
