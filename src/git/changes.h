// What has changed in a work tree, or in the index, since a revision: which files, and what each held before.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace ptofix::git {

struct Change {
    std::string path;                   // from the root, without links
    std::optional<std::string> before;  // as it would be checked out; nothing: the file is new. Renames are followed
    /// What is staged, as it would be checked out, where the file in the work tree has something else.
    std::optional<std::string> staged = {};
};

struct ChangesError {
    enum class Kind { bare, unknown_revision, failed };
    Kind kind = Kind::failed;
    std::string detail = {};  // libgit2's words
};

/// Between the revision's tree and the work tree; files that git does not know count as new, unless it ignores them.
std::expected<std::vector<Change>, ChangesError> changes_since(const std::string& work_tree,
                                                               const std::string& revision);

/// Tracked files that are not as the index has them; paths as those of Change.
std::expected<std::vector<std::string>, ChangesError> unstaged_files(const std::string& work_tree);

/// Between HEAD and the index. Before the first commit everything staged is new.
std::expected<std::vector<Change>, ChangesError> staged_changes(const std::string& work_tree);

}  // namespace ptofix::git
