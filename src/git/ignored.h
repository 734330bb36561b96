// What git ignores in one work tree, for walks through its folders: files are read as the walk comes by, and libgit2,
// which is slow to start, judges the few paths that a pattern could mean.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "git/ignore_names.h"
#include "git/repository.h"

namespace ptofix::git {

/// For several threads.
class Ignored {
  public:
    /// `work_tree`: a folder that holds a `.git`, without links in its path.
    explicit Ignored(std::string work_tree);

    /// The ignore file of a folder of the work tree, before its entries are asked about.
    void enter(const std::string& folder);
    /// A path in the work tree, without links. Of a folder that is ignored, everything in it is.
    bool contains(const std::string& path, bool is_folder);
    /// Is the path, or a folder that it is in, ignored? Reads what stands between.
    bool holds(const std::string& path, bool is_folder);

    const std::string& work_tree() const { return work_tree_; }

  private:
    void read(const std::string& path, std::string_view folder);
    git_repository* repository();

    std::string work_tree_;
    std::mutex mutex_;
    IgnoreNames names_;
    Repository repository_;
    bool opened_ = false;
};

/// The work tree that a folder is in; null: none.
std::shared_ptr<Ignored> ignored_around(const std::string& folder);

}  // namespace ptofix::git
