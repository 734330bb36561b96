// A git repository as libgit2 has it open. Used by what asks about ignored files and changed lines.
#pragma once

#include <memory>
#include <optional>
#include <string>

struct git_repository;

namespace ptofix::git {

struct CloseRepository {
    void operator()(git_repository* repository) const;
};
using Repository = std::unique_ptr<git_repository, CloseRepository>;

/// The repository whose work tree the folder is in, or that the folder is itself; null: there is none that can be read.
Repository open_repository(const std::string& folder);

/// The nearest folder at or above this one that holds a `.git`. Costs no start of libgit2.
std::optional<std::string> find_work_tree(std::string folder);

/// A path without links, "." and ".."; as it is when it leads nowhere.
std::string real_path(const std::string& path);

}  // namespace ptofix::git
