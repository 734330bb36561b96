// Patterns of a configuration that name files: relative to the folder of the file they stand in, those without a slash
// at any depth; one that names a folder means what is in it.
#pragma once

#include <string>
#include <string_view>

namespace ptofix::config {

struct Pattern {
    std::string folder;  // from the root
    std::string glob;    // `*` and `?` match slashes too, `**/` nothing or folders

    bool matches(std::string_view absolute_path) const;
    bool operator==(const Pattern&) const = default;
};

}  // namespace ptofix::config
