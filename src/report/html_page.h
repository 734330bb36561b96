// The parts of the HTML report that have files of their own in html/, as the build put them into the program.
#pragma once

#include <string_view>

namespace ptofix::report {

extern const std::string_view kHtmlPage;
extern const std::string_view kHtmlStyle;
extern const std::string_view kHtmlScript;

}  // namespace ptofix::report
