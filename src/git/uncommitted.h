// What git's work trees hold that no commit holds. Asked before --apply writes: what a person has changed by hand and
// not committed could no longer be told from what pto-fix writes.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace ptofix::git {

struct Uncommitted {
    std::vector<std::string> files;  // paths from the root, sorted
    /// A work tree whose state cannot be read, and libgit2's words.
    struct Unreadable {
        std::string work_tree;
        std::string detail;
    };
    std::vector<Unreadable> unreadable;
};

/// Tracked files that differ from the last commit, staged or not, anywhere in the work trees that hold one of `files`.
/// Submodules are work trees of their own. Files outside every work tree say nothing.
Uncommitted uncommitted_around(std::span<const std::string> files);

/// Those of `files` that are in a work tree and that git has never seen, the ignored ones aside.
Uncommitted untracked_among(std::span<const std::string> files);

/// The work tree that holds the folder, with links followed; empty when there is none.
std::string work_tree_of(const std::string& folder);

}  // namespace ptofix::git
