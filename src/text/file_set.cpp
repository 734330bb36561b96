#include "text/file_set.h"

#include <sys/stat.h>

#include <filesystem>

namespace ptofix::text {

std::pair<std::size_t, bool> FileSet::place(const std::string& path) {
    struct stat status{};
    std::pair<std::size_t, bool> place;
    const auto enter = [&](auto& files, auto key) {
        const auto [at, fresh] = files.try_emplace(std::move(key), paths_.size());
        place = {at->second, fresh};
    };
    if (stat(path.c_str(), &status) == 0) {
        enter(seen_, std::pair(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)));
    } else {
        enter(missing_, std::filesystem::path(path).lexically_normal().string());
    }
    if (place.second) paths_.push_back(path);
    return place;
}

}  // namespace ptofix::text
