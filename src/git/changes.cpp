#include "git/changes.h"

#include <fcntl.h>

#include <cstdint>
#include <memory>

#include "git/repository.h"
#include "text/disk_file.h"
#include "text/libgit2.h"

namespace ptofix::git {

namespace {

using text::FreeGit, text::libgit2, text::Libgit2;

using Tree = std::unique_ptr<git_tree, FreeGit<&Libgit2::git_tree_free>>;
using Object = std::unique_ptr<git_object, FreeGit<&Libgit2::git_object_free>>;
using Diff = std::unique_ptr<git_diff, FreeGit<&Libgit2::git_diff_free>>;
using Blob = std::unique_ptr<git_blob, FreeGit<&Libgit2::git_blob_free>>;
using Filters = std::unique_ptr<git_filter_list, FreeGit<&Libgit2::git_filter_list_free>>;

ChangesError failure() {
    const git_error* error = libgit2().git_error_last();
    return {ChangesError::Kind::failed, error == nullptr ? std::string() : error->message};
}

/// A blob as it would be written to this path of the work tree: with its line ends.
std::expected<std::string, ChangesError> checked_out(git_repository* repository, const git_oid& id, const char* path) {
    git_blob* raw = nullptr;
    if (libgit2().git_blob_lookup(&raw, repository, &id) != 0) return std::unexpected(failure());
    const Blob blob(raw);
    git_filter_list* raw_filters = nullptr;
    if (libgit2().git_filter_list_load(&raw_filters, repository, raw, path, GIT_FILTER_TO_WORKTREE, 0) != 0) {
        return std::unexpected(failure());
    }
    const Filters filters(raw_filters);
    git_buf out = GIT_BUF_INIT;
    if (libgit2().git_filter_list_apply_to_blob(&out, raw_filters, raw) != 0) return std::unexpected(failure());
    std::string bytes(out.ptr == nullptr ? "" : out.ptr, out.size);
    libgit2().git_buf_dispose(&out);
    return bytes;
}

std::expected<Tree, ChangesError> tree_of(git_repository* repository, const std::string& revision) {
    git_object* raw = nullptr;
    const int found = libgit2().git_revparse_single(&raw, repository, revision.c_str());
    const Object object(raw);
    git_object* tree = nullptr;
    if (found != 0 || libgit2().git_object_peel(&tree, raw, GIT_OBJECT_TREE) != 0) {
        return std::unexpected(ChangesError{ChangesError::Kind::unknown_revision, failure().detail});
    }
    return Tree(reinterpret_cast<git_tree*>(tree));
}

bool differs_on_disk(const std::string& path, const std::string& bytes) {
    const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    std::string now;
    return file.is_open() && text::read_all(file.get(), SIZE_MAX, now) == 0 && now != bytes;
}

std::expected<std::vector<Change>, ChangesError> changes_in(git_repository* repository, git_diff* raw, bool staged) {
    const Diff diff(raw);
    git_diff_find_options similar{};
    libgit2().git_diff_find_options_init(&similar, GIT_DIFF_FIND_OPTIONS_VERSION);
    similar.flags = GIT_DIFF_FIND_RENAMES;
    if (libgit2().git_diff_find_similar(raw, &similar) != 0) return std::unexpected(failure());
    std::vector<Change> changes;
    for (std::size_t i = 0; i < libgit2().git_diff_num_deltas(raw); ++i) {
        const git_diff_delta& delta = *libgit2().git_diff_get_delta(raw, i);
        const bool is_file = delta.new_file.mode == GIT_FILEMODE_BLOB ||
                             delta.new_file.mode == GIT_FILEMODE_BLOB_EXECUTABLE ||
                             delta.status == GIT_DELTA_CONFLICTED;
        if (delta.status == GIT_DELTA_DELETED || !is_file) continue;
        Change change{libgit2().git_repository_workdir(repository) + std::string(delta.new_file.path), std::nullopt};
        if (delta.status == GIT_DELTA_MODIFIED || delta.status == GIT_DELTA_RENAMED) {
            auto before = checked_out(repository, delta.old_file.id, delta.new_file.path);
            if (!before) return std::unexpected(std::move(before.error()));
            change.before = std::move(*before);
        }
        if (staged && delta.status != GIT_DELTA_CONFLICTED) {
            auto now = checked_out(repository, delta.new_file.id, delta.new_file.path);
            if (!now) return std::unexpected(std::move(now.error()));
            if (differs_on_disk(change.path, *now)) change.staged = std::move(*now);
        }
        changes.push_back(std::move(change));
    }
    return changes;
}

std::expected<Repository, ChangesError> open(const std::string& work_tree) {
    Repository repository = open_repository(work_tree);
    if (repository == nullptr) return std::unexpected(failure());
    if (libgit2().git_repository_workdir(repository.get()) == nullptr) {
        return std::unexpected(ChangesError{ChangesError::Kind::bare});
    }
    return repository;
}

}  // namespace

std::expected<std::vector<Change>, ChangesError> changes_since(const std::string& work_tree,
                                                               const std::string& revision) {
    const auto repository = open(work_tree);
    if (!repository) return std::unexpected(repository.error());
    const auto tree = tree_of(repository->get(), revision);
    if (!tree) return std::unexpected(tree.error());
    git_diff_options options{};
    libgit2().git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS;
    git_diff* diff = nullptr;
    if (libgit2().git_diff_tree_to_workdir_with_index(&diff, repository->get(), tree->get(), &options) != 0) {
        return std::unexpected(failure());
    }
    return changes_in(repository->get(), diff, false);
}

std::expected<std::vector<std::string>, ChangesError> unstaged_files(const std::string& work_tree) {
    const auto repository = open(work_tree);
    if (!repository) return std::unexpected(repository.error());
    git_diff_options options{};
    libgit2().git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    git_diff* raw = nullptr;
    if (libgit2().git_diff_index_to_workdir(&raw, repository->get(), nullptr, &options) != 0)
        return std::unexpected(failure());
    const Diff diff(raw);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < libgit2().git_diff_num_deltas(raw); ++i) {
        paths.push_back(libgit2().git_repository_workdir(repository->get()) +
                        std::string(libgit2().git_diff_get_delta(raw, i)->new_file.path));
    }
    return paths;
}

std::expected<std::vector<Change>, ChangesError> staged_changes(const std::string& work_tree) {
    const auto repository = open(work_tree);
    if (!repository) return std::unexpected(repository.error());
    Tree head;
    if (libgit2().git_repository_head_unborn(repository->get()) != 1) {
        auto tree = tree_of(repository->get(), "HEAD");
        if (!tree) return std::unexpected(tree.error());
        head = std::move(*tree);
    }
    git_diff_options options{};
    libgit2().git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    git_diff* diff = nullptr;
    if (libgit2().git_diff_tree_to_index(&diff, repository->get(), head.get(), nullptr, &options) != 0) {
        return std::unexpected(failure());
    }
    return changes_in(repository->get(), diff, true);
}

}  // namespace ptofix::git
