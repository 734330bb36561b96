#include "git/repository.h"

#include <git2/common.h>
#include <git2/global.h>
#include <git2/repository.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace ptofix::git {

namespace {

class Library {
  public:
    Library() {
        git_libgit2_init();
        // Git refuses the repository of another user because of what its configuration may run. Nothing is run here,
        // and containers that build as root are full of such repositories.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        // Extensions that say nothing about ignored files or the state of a work tree.
        std::array<const char*, 3> known = {"partialclone", "worktreeconfig", "preciousobjects"};
        git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known.data(), known.size());
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { git_libgit2_shutdown(); }
};

}  // namespace

}  // namespace ptofix::git

/// libgit2 asks mbedTLS for the machine's certificates as soon as it is initialised, and nothing turns that off. Nobody
/// here opens a connection: what a program defines comes before what a library does, so that this, which reads none,
/// is called. Where libgit2 is built with another library it is called by no one.
extern "C" __attribute__((visibility("default"), used)) int mbedtls_x509_crt_parse_file(void* /*chain*/,
                                                                                        const char* /*path*/) {
    return 0;
}

namespace ptofix::git {

void start_library() {
    static const Library library;
}

void CloseRepository::operator()(git_repository* repository) const {
    git_repository_free(repository);
}

Repository open_repository(const std::string& folder) {
    start_library();
    git_repository* raw = nullptr;
    const int error = git_repository_open_ext(&raw, folder.c_str(), GIT_REPOSITORY_OPEN_CROSS_FS, nullptr);
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
