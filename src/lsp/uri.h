// Documents as the protocol names them, and the paths that the rest of the program knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptofix::lsp {

/// Of a file: URI, percent signs decoded; nothing for any other scheme ("untitled:", "vscode-userdata:").
std::optional<std::string> path_of_uri(std::string_view uri);

/// file:///..., of a path from the root.
std::string uri_of_path(std::string_view path);

}  // namespace ptofix::lsp
