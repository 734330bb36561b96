// A unified diff for the eye: additions, removals and headers in the colours of the text format.
#pragma once

#include <string>
#include <string_view>

namespace ptofix::report {

/// No tool takes it any more: what a terminal would obey is shown as pictures.
std::string coloured_diff(std::string_view diff);

}  // namespace ptofix::report
