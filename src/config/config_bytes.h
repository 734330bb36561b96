// The files that hold configurations, as bytes: their names, and reading them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptofix::config {

inline constexpr std::string_view kFileName = "pto-fix.toml";
inline constexpr std::string_view kProjectFileName = "pyproject.toml";

/// Is it a pyproject.toml, where the configuration is one table of many?
bool is_project_file(const std::string& path);

/// Nothing, and the error number, for one that cannot be read or is too large to be one.
std::optional<std::string> read_config_bytes(const std::string& path, int& error);

}  // namespace ptofix::config
