// Writes a report into the file that --output names: whole or not at all, so that what reads it never sees a part.
#pragma once

#include <string>
#include <string_view>

namespace ptofix::cli {

/// The system's words when it fails, else empty. A pipe or a device is written to as it stands.
std::string write_report(const std::string& path, std::string_view text);

}  // namespace ptofix::cli
