#include "git/ignored.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "text/disk_file.h"
#include "text/libgit2.h"

namespace ptofix::git {

namespace {

using text::libgit2;

constexpr std::size_t kLongestFile = 1U << 20U;

std::string contents(const std::string& path) {
    const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    std::string bytes;
    if (!file.is_open() || text::read_all(file.get(), kLongestFile, bytes) != 0) bytes.clear();
    return bytes;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

/// May this configuration name the user's file of ignored names, or another configuration that does?
bool may_name_excludes(const std::string& config) {
    std::string lower = contents(config);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower.find("excludesfile") != std::string::npos || lower.find("[include") != std::string::npos;
}

std::optional<std::string> named_excludes(git_repository* repository) {
    git_config* raw = nullptr;
    if (repository == nullptr || libgit2().git_repository_config(&raw, repository) != 0) return std::nullopt;
    const std::unique_ptr<git_config, text::FreeGit<&text::Libgit2::git_config_free>> config(raw);
    git_buf value = GIT_BUF_INIT;
    std::optional<std::string> path;
    if (libgit2().git_config_get_path(&value, config.get(), "core.excludesfile") == 0)
        path = std::string(value.ptr, value.size);
    libgit2().git_buf_dispose(&value);
    return path;
}

}  // namespace

Ignored::Ignored(std::string work_tree) : work_tree_(std::move(work_tree)) {
    const std::string mark = work_tree_ + "/.git";
    struct stat status{};
    std::string common = mark;
    if (::stat(mark.c_str(), &status) == 0 && !S_ISDIR(status.st_mode) && repository() != nullptr) {
        common = libgit2().git_repository_commondir(repository());  // a linked work tree, or a submodule
    }
    read(common + "/info/exclude", work_tree_);
    const std::string home = environment("HOME");
    const std::string set = environment("XDG_CONFIG_HOME");
    const std::string folder = set.empty() ? home + "/.config" : set;
    const std::string configs[] = {common + "/config", "/etc/gitconfig", home + "/.gitconfig", folder + "/git/config"};
    const bool named = std::ranges::any_of(configs, may_name_excludes);
    const std::string usual = folder + "/git/ignore";
    read(named ? named_excludes(repository()).value_or(usual) : usual, work_tree_);
}

void Ignored::read(const std::string& path, std::string_view folder) {
    names_.add(contents(path), folder);
}

git_repository* Ignored::repository() {
    if (!opened_) repository_ = open_repository(work_tree_);
    opened_ = true;
    return repository_.get();
}

void Ignored::enter(const std::string& folder) {
    const std::scoped_lock lock(mutex_);
    read(folder + "/.gitignore", folder);
}

bool Ignored::contains(const std::string& path, bool is_folder) {
    const std::scoped_lock lock(mutex_);
    if (names_.empty() || path.size() <= work_tree_.size() || !names_.may_mean(path)) return false;
    std::string relative = path.substr(work_tree_.size());
    relative.erase(0, relative.find_first_not_of('/'));
    if (is_folder) relative += '/';
    int ignored = 0;
    return repository() != nullptr &&
           libgit2().git_ignore_path_is_ignored(&ignored, repository(), relative.c_str()) == 0 && ignored != 0;
}

bool Ignored::holds(const std::string& path, bool is_folder) {
    enter(work_tree_);
    for (std::size_t at = work_tree_.size(); at < path.size();) {
        at = std::min(path.find('/', at + 1), path.size());
        const bool folder = at < path.size() || is_folder;
        const std::string part = path.substr(0, at);
        if (contains(part, folder)) return true;
        if (folder) enter(part);
    }
    return false;
}

std::shared_ptr<Ignored> ignored_around(const std::string& folder) {
    auto work_tree = find_work_tree(folder);
    return work_tree ? std::make_shared<Ignored>(std::move(*work_tree)) : nullptr;
}

}  // namespace ptofix::git
