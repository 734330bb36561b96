#include "cli/repository_paths.h"

#include <filesystem>

#include "cli/shown.h"
#include "git/repository.h"

namespace ptofix::cli {

namespace {

namespace fs = std::filesystem;

/// What lies behind the root; "." for the root itself.
std::string behind(const std::string& root, const std::string& path) {
    std::string out = path.substr(root.size());
    while (out.ends_with('/')) out.pop_back();
    return out.empty() ? "." : out;
}

std::string with_slash(std::string folder) {
    if (!folder.ends_with('/')) folder += '/';
    return folder;
}

}  // namespace

RepositoryPaths::RepositoryPaths() : folder_(current_folder()), root_(root_of(git::real_path("."))) {}

const std::string& RepositoryPaths::root_of(const std::string& folder) {
    const auto [at, fresh] = roots_.try_emplace(folder);
    if (fresh) {
        if (const auto tree = git::find_work_tree(folder)) at->second = with_slash(*tree);
    }
    return at->second;
}

std::string RepositoryPaths::from_root(const std::string& path) {
    const auto [at, fresh] = found_.try_emplace(path);
    if (fresh) at->second = find(path);
    return at->second;
}

std::string RepositoryPaths::find(const std::string& path) {
    if (path.empty() || path.starts_with('<')) return path;  // <stdin>
    const std::string written = (fs::path(folder_) / path).lexically_normal().string();
    if (!root_.empty() && written.starts_with(root_)) return behind(root_, written);
    // Reached by a link, or of another work tree.
    const std::string real = git::real_path(path);
    if (!real.starts_with('/')) return path;
    if (!root_.empty() && real.starts_with(root_)) return behind(root_, real);
    const std::string& root = root_of(fs::path(real).parent_path().string());
    return !root.empty() && real.starts_with(root) ? behind(root, real) : path;
}

std::string RepositoryPaths::from_here(const std::string& path) const {
    if (root_.empty() || root_ == folder_ || path.starts_with('/')) return path;
    return fs::path(root_ + path).lexically_relative(folder_).string();
}

}  // namespace ptofix::cli
