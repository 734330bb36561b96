#include "text/file_set.h"

#include <sys/stat.h>

#include <filesystem>

namespace ptofix::text {

bool FileSet::insert(const std::string& path) {
    struct stat status{};
    const bool found = stat(path.c_str(), &status) == 0;
    const bool added =
        found
            ? seen_.emplace(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)).second
            : missing_.insert(std::filesystem::path(path).lexically_normal().string()).second;
    if (added) paths_.push_back(path);
    return added;
}

}  // namespace ptofix::text
