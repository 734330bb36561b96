// The version that --version, JSON and SARIF state, and where the project lives.
#pragma once

#include <string_view>

namespace ptofix::cli {

inline constexpr std::string_view kVersion = PTOFIX_VERSION;
/// Where the files of the project can be read, for links to the pages of rules. Ends with a slash; empty unless the
/// build was told (PTOFIX_HOMEPAGE).
inline constexpr std::string_view kHomepage = PTOFIX_HOMEPAGE;

}  // namespace ptofix::cli
