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

const std::string& RepositoryPaths::real_folder(const std::string& folder) {
    const auto [at, fresh] = real_.try_emplace(folder);
    if (fresh) at->second = fs::path(git::real_path(folder)).lexically_normal().string();
    return at->second;
}

std::string RepositoryPaths::from_root(const std::string& path) {
    const auto [at, fresh] = found_.try_emplace(path);
    if (fresh) at->second = find(path);
    return at->second;
}

std::string RepositoryPaths::find(const std::string& path) {
    if (path.empty() || path.starts_with('<')) return path;  // <stdin>
    // Links to folders are followed, for git has nothing behind one; a file that is a link is a file to it.
    const fs::path whole = fs::path(folder_) / path;
    const bool has_name = whole.has_filename() && whole.filename() != "." && whole.filename() != "..";
    const std::string folder = real_folder(has_name ? whole.parent_path().string() : whole.string());
    if (!folder.starts_with('/')) return path;
    const std::string real = has_name ? with_slash(folder) + whole.filename().string() : with_slash(folder);
    if (!root_.empty() && real.starts_with(root_)) return behind(root_, real);
    const std::string& root = root_of(folder);
    return !root.empty() && real.starts_with(root) ? behind(root, real) : path;
}

std::string RepositoryPaths::from_here(const std::string& path) const {
    if (root_.empty() || root_ == folder_ || path.starts_with('/')) return path;
    return fs::path(root_ + path).lexically_relative(folder_).string();
}

}  // namespace ptofix::cli
