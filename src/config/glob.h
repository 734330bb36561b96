// Patterns as paths of the command line: `*`, `?` and `[...]` within a name, `**` for any folders. Written in quotes,
// or on systems whose shell leaves them alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/folders.h"

namespace ptofix::config {

/// Does it have a character that means something in a pattern?
bool is_glob(std::string_view path);

struct GlobMatches {
    std::vector<std::string> files;
    std::vector<Folder> folders;  // to be searched
};

/// What is there that matches. As a shell has it, a hidden name is only matched by a pattern that begins with its dot;
/// like a search, `**` and wildcards lead through no links, no folders of tools and nothing that git ignores. A pattern
/// that ends in a wildcard means Python files alone, and folders.
GlobMatches expand_glob(const std::string& pattern, Folders& folders);

}  // namespace ptofix::config
