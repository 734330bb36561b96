#include "git/uncommitted.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "git/repository.h"
#include "text/libgit2.h"

namespace ptofix::git {

namespace {

namespace fs = std::filesystem;
using text::FreeGit, text::libgit2, text::Libgit2;

using StatusList = std::unique_ptr<git_status_list, FreeGit<&Libgit2::git_status_list_free>>;
using Index = std::unique_ptr<git_index, FreeGit<&Libgit2::git_index_free>>;

std::string last_error() {
    const git_error* error = libgit2().git_error_last();
    return error == nullptr || error->message == nullptr ? std::string() : error->message;
}

/// The repositories that hold some files: each opened once, each folder looked at once.
class WorkTrees {
  public:
    struct Tree {
        std::string root;  // ends with a slash
        Repository repository;
        std::string fault;  // why it could not be opened
    };

    /// Null when the file is in no work tree. `file` is told its path from the root, with links followed.
    Tree* of(const std::string& path, std::string& file) {
        std::error_code error;
        const fs::path real = fs::canonical(path, error);
        if (error) return nullptr;
        file = real.string();
        return of_folder(fs::is_directory(real, error) ? real : real.parent_path());
    }

    std::map<std::string, Tree>& all() { return trees_; }

  private:
    Tree* of_folder(const fs::path& folder) {
        const auto [at, fresh] = by_folder_.try_emplace(folder.string(), nullptr);
        if (!fresh) return at->second;
        Tree* tree = open(folder);
        if (tree == nullptr && folder.has_relative_path()) tree = of_folder(folder.parent_path());
        return by_folder_[folder.string()] = tree;
    }

    Tree* open(const fs::path& folder) {
        std::error_code error;
        if (!fs::exists(folder / ".git", error)) return nullptr;
        git_repository* opened = nullptr;
        const int code =
            libgit2().git_repository_open_ext(&opened, folder.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
        if (code == GIT_ENOTFOUND) return nullptr;  // something else that is called .git
        Tree tree{folder.string() + "/", Repository(opened), code == 0 ? std::string() : last_error()};
        if (code == 0 && libgit2().git_repository_is_bare(opened) == 1) return nullptr;
        return &trees_.emplace(tree.root, std::move(tree)).first->second;
    }

    std::map<std::string, Tree> trees_;
    std::map<std::string, Tree*> by_folder_;
};

/// Null when git does not track the file. The repository keeps the index that it is in.
const git_index_entry* index_entry(git_repository* repository, const char* path) {
    git_index* opened = nullptr;
    if (libgit2().git_repository_index(&opened, repository) != 0) return nullptr;
    const Index index(opened);
    return libgit2().git_index_get_bypath(index.get(), path, 0);
}

/// A file that a sparse checkout leaves out is not there, and nobody has deleted it.
bool is_left_out(git_repository* repository, const char* path) {
    const git_index_entry* entry = index_entry(repository, path);
    return entry != nullptr && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
}

void add_changed(WorkTrees::Tree& tree, Uncommitted& out) {
    git_status_options options = GIT_STATUS_OPTIONS_INIT;
    options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
    options.flags = GIT_STATUS_OPT_EXCLUDE_SUBMODULES;
    git_status_list* made = nullptr;
    if (libgit2().git_status_list_new(&made, tree.repository.get(), &options) != 0) {
        out.unreadable.push_back({tree.root, last_error()});
        return;
    }
    const StatusList list(made);
    for (std::size_t i = 0; i < libgit2().git_status_list_entrycount(list.get()); ++i) {
        const git_status_entry* entry = libgit2().git_status_byindex(list.get(), i);
        if (entry->status == GIT_STATUS_CURRENT) continue;
        const git_diff_delta* delta =
            entry->index_to_workdir != nullptr ? entry->index_to_workdir : entry->head_to_index;
        if (delta == nullptr) continue;
        if (entry->status == GIT_STATUS_WT_DELETED && is_left_out(tree.repository.get(), delta->old_file.path)) {
            continue;
        }
        out.files.push_back(tree.root + delta->old_file.path);
    }
}

}  // namespace

Uncommitted uncommitted_around(std::span<const std::string> files) {
    Uncommitted out;
    WorkTrees trees;
    std::string real;
    for (const std::string& file : files) trees.of(file, real);
    for (auto& [root, tree] : trees.all()) {
        if (!tree.repository) {
            out.unreadable.push_back({root, tree.fault});
        } else {
            add_changed(tree, out);
        }
    }
    std::ranges::sort(out.files);
    return out;
}

Uncommitted untracked_among(std::span<const std::string> files) {
    Uncommitted out;
    WorkTrees trees;
    for (const std::string& file : files) {
        std::string real;
        WorkTrees::Tree* tree = trees.of(file, real);
        if (tree == nullptr || !tree->repository) continue;
        const std::string inside = real.substr(tree->root.size());
        if (index_entry(tree->repository.get(), inside.c_str()) != nullptr) continue;
        int ignored = 0;
        libgit2().git_ignore_path_is_ignored(&ignored, tree->repository.get(), inside.c_str());
        if (ignored == 0) out.files.push_back(real);
    }
    std::ranges::sort(out.files);
    return out;
}

std::string work_tree_of(const std::string& folder) {
    WorkTrees trees;
    std::string real;
    const WorkTrees::Tree* tree = trees.of(folder, real);
    return tree == nullptr ? std::string() : tree->root.substr(0, tree->root.size() - 1);
}

}  // namespace ptofix::git
