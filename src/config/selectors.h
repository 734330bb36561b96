// Rules as users name them, on the command line and in the configuration: ids, names and beginnings of ids.
#pragma once

#include <string>
#include <string_view>

namespace ptofix::config {

/// "PTO201", "pto2" or "python-loop-in-kernel" as an id or the beginning of one; empty when it means no rule.
std::string canonical_selector(std::string_view selector);

}  // namespace ptofix::config
