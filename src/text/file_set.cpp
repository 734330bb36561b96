#include "text/file_set.h"

#include <sys/stat.h>

#include <filesystem>

namespace ptofix::text {

bool FileSet::insert(const std::string& path, const FileIdentity& identity) {
    return place(path, {identity.device, identity.inode}).second;
}

std::pair<std::size_t, bool> FileSet::place(const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) == 0) return place(path, {status.st_dev, status.st_ino});
    const auto [at, fresh] =
        missing_.try_emplace(std::filesystem::path(path).lexically_normal().string(), paths_.size());
    if (fresh) paths_.push_back(path);
    return {at->second, fresh};
}

std::pair<std::size_t, bool> FileSet::place(const std::string& path, const FileKey& key) {
    const auto [at, fresh] = seen_.try_emplace(key, paths_.size());
    if (fresh) paths_.push_back(path);
    return {at->second, fresh};
}

}  // namespace ptofix::text
