// The version that --version, JSON and SARIF state.
#pragma once

#include <string_view>

namespace ptofix::cli {

inline constexpr std::string_view kVersion = PTOFIX_VERSION;

}  // namespace ptofix::cli
