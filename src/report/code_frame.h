// Lines of source with a gutter of line numbers and carets under what the labels name. Tabs, wide and combining
// characters are measured as a terminal shows them; long lines are cut around the label. Used by the text format.
#pragma once

#include <span>
#include <string>

#include "report/colour.h"
#include "report/view.h"

namespace ptofix::report {

struct FrameLabel {
    text::Range range;
    std::string words;
    bool primary = false;  // carets instead of dashes
};

struct FrameStyle {
    bool colour = false;
    Role role = Role::error;  // of the primary label
    rules::Language language = rules::Language::en;
    std::uint32_t gutter = 0;  // digits; 0: what the line numbers need
};

/// Every line ends with \n. Labels may lie anywhere in the file, in any order.
std::string code_frame(const text::Source& source, std::span<const FrameLabel> labels, const FrameStyle& style);

/// Digits that the line numbers of these labels need.
std::uint32_t gutter_digits(const text::Source& source, std::span<const FrameLabel> labels);

}  // namespace ptofix::report
