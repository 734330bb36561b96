#include "config/patterns.h"

#include <fnmatch.h>

namespace ptofix::config {

namespace {

/// As fnmatch has it, where a star matches slashes; a `**/` may also match nothing.
bool glob_matches(const std::string& glob, const std::string& path) {
    if (::fnmatch(glob.c_str(), path.c_str(), 0) == 0) return true;
    constexpr std::string_view kFolders = "**/";
    for (std::size_t at = glob.find(kFolders); at != std::string::npos; at = glob.find(kFolders, at + 1)) {
        if (at > 0 && glob[at - 1] != '/') continue;
        std::string without = glob;
        if (glob_matches(without.erase(at, kFolders.size()), path)) return true;
    }
    return false;
}

}  // namespace

bool Pattern::matches(std::string_view path) const {
    if (!path.starts_with(folder)) return false;
    path.remove_prefix(folder.size());
    if (!folder.ends_with('/') && !path.starts_with('/')) return false;
    while (path.starts_with('/')) path.remove_prefix(1);
    std::string wanted = glob;
    while (wanted.ends_with('/')) wanted.pop_back();
    if (wanted.starts_with("./")) wanted.erase(0, 2);
    const bool anywhere = wanted.find('/') == std::string::npos;
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
        const std::string part(path.substr(0, end));
        if (glob_matches(wanted, anywhere ? part.substr(part.rfind('/') + 1) : part)) return true;
        if (end == std::string_view::npos) return false;
    }
}

}  // namespace ptofix::config
