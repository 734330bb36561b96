// Which files a run may write. A fix that would have to edit another one (a constant in an imported module that was not
// named on the command line) is shown and held back. Used by the fixpoint, and before findings are reported.
#pragma once

#include <set>
#include <string>

#include "fixing/analysis.h"

namespace ptofix::fixing {

/// The same for every spelling of a path, with links followed where the file exists. Paths that are no file's (an editor's
/// "untitled:1", standard input's "-") stand for themselves.
std::string path_key(const std::string& path);

class EditableFiles {
  public:
    void add(const std::string& path) { keys_.insert(path_key(path)); }
    bool contains(const std::string& path) const { return keys_.contains(path_key(path)); }

  private:
    std::set<std::string> keys_;
};

/// Fixes with an edit outside become suggestions that name the file.
void hold_back_fixes_outside(Analysis& analysis, const EditableFiles& editable);

}  // namespace ptofix::fixing
