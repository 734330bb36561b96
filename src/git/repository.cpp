#include "git/repository.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include "text/libgit2.h"

namespace ptofix::git {

using text::libgit2;

void CloseRepository::operator()(git_repository* repository) const {
    libgit2().git_repository_free(repository);
}

Repository open_repository(const std::string& folder) {
    git_repository* raw = nullptr;
    const int error = libgit2().git_repository_open_ext(&raw, folder.c_str(), GIT_REPOSITORY_OPEN_CROSS_FS, nullptr);
    Repository repository(raw);
    if (error != 0) repository.reset();
    return repository;
}

std::optional<std::string> find_work_tree(std::string folder) {
    while (true) {
        const std::string mark = folder.ends_with('/') ? folder + ".git" : folder + "/.git";
        if (::access(mark.c_str(), F_OK) == 0) return folder;
        const std::size_t slash = folder.rfind('/');
        if (folder.size() <= 1 || slash == std::string::npos) return std::nullopt;
        folder.resize(std::max<std::size_t>(slash, 1));
    }
}

std::string real_path(const std::string& path) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

}  // namespace ptofix::git
