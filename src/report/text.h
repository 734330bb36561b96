// The text format: for each finding its place, message and code frame with carets, the numbers, the reason and the fix
// as a small diff.
#pragma once

#include <cstdint>
#include <string>

#include "report/view.h"

namespace ptofix::report {

struct TextStyle {
    bool colour = false;
    rules::Language language = rules::Language::en;
    /// Of the terminal, in cells. 0: it is none, or does not say; then the line with the place and the message stays
    /// one line, so that programs find both in it.
    std::uint32_t width = 0;
};

/// Empty when there is nothing to say; an empty line follows each finding.
std::string text_of(const FileReport& report, const TextStyle& style);

}  // namespace ptofix::report
