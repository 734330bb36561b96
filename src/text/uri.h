// Paths as URIs, as SARIF and the protocol of editors name files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptofix::text {

/// Of a file: URI, percent signs decoded; nothing for any other scheme ("untitled:", "vscode-userdata:").
std::optional<std::string> path_of_uri(std::string_view uri);

/// The same, and of a relative reference its path.
std::string path_of_reference(std::string_view uri);

/// file:///... of a path from the root, else a relative reference.
std::string uri_of_path(std::string_view path);

}  // namespace ptofix::text
