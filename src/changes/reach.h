// Whose a run is: the project that it belongs to, and the folders in which it is found.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "changes/journal.h"

namespace ptofix::changes {

/// The work tree around `folder`, else `folder` itself, with links followed.
std::string project_root(const std::string& folder);

/// The folder that holds all these files; none for no file.
std::string common_folder(std::span<const JournalEntry> entries);

/// Of a project, for the names of its journals: its name, for people, and a number made of its path.
std::string project_id(const std::string& project);

/// Folders and files, with links followed, that an undo is about.
class Reach {
  public:
    /// As paths name them; one that leads nowhere may be of a file that is gone.
    explicit Reach(std::span<const std::string> paths);

    /// Is the file one of them or in one of them, by its own path or by the one that led to it?
    bool holds(const JournalEntry& entry) const;
    bool holds_some(const Run& run) const;
    const std::vector<std::string>& paths() const { return paths_; }

  private:
    std::vector<std::string> paths_;
};

}  // namespace ptofix::changes
