// Which files a run may write. A fix that would have to edit another one (a constant in an imported module that was not
// named on the command line) is shown and held back. Used by the fixpoint, and before findings are reported.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fixing/analysis.h"

namespace ptofix::fixing {

/// The same for every spelling of a path, with links followed where the file exists. Paths that are no file's (an
/// editor's "untitled:1", standard input's "-") stand for themselves.
std::string path_key(const std::string& path);

/// path_key() of many files at one time: most share their folders, and following links is what it costs.
class PathKeys {
  public:
    std::string of(const std::string& path);

  private:
    std::map<std::string, std::string> folders_;  // links followed; empty: that failed
};

class EditableFiles {
  public:
    void add(std::string path) { paths_.push_back(std::move(path)); }
    /// May be called by several threads; nothing is added after the first call.
    bool contains(const std::string& path) const;

  private:
    std::vector<std::string> paths_;
    // Keys cost a look at the file system for each file of a run, and most runs never ask.
    mutable std::once_flag made_;
    mutable std::set<std::string> keys_;
};

/// Fixes with an edit outside become suggestions that name the file.
void hold_back_fixes_outside(Analysis& analysis, const EditableFiles& editable);

}  // namespace ptofix::fixing
