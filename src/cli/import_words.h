// Which files of a run may import which: by the words of their import statements, without parsing. More than do, never
// fewer. For runs over a part of their files, which must see who else reads what they change.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::cli {

/// The names in all import statements and calls of import_module.
std::set<std::string_view> import_words(std::string_view text);

/// The last part of the name that others import a file by.
std::string module_word(const std::string& path);

struct Module {
    std::string path;
    std::string_view text;
    bool wanted = false;
};

/// Marks as wanted every module that may import a wanted one, or one that may, and so on. `further`: wanted files that
/// are none of these.
void want_importers(std::span<Module> modules, std::span<const std::string> further);

}  // namespace ptofix::cli
