// Where pto-fix keeps what is not the user's to edit: $XDG_STATE_HOME/pto-fix, or ~/.local/state/pto-fix.
#pragma once

#include <optional>
#include <string>

namespace ptofix::changes {

/// Nothing when neither variable holds a path from the root.
std::optional<std::string> state_folder();

/// The folder that a run belongs to: the work tree around `folder`, else `folder` itself, with links followed.
std::string project_root(const std::string& folder);

/// The folder of a project's journals below the state folder: its name, for people, and a number made of its path.
std::string journal_folder(const std::string& state, const std::string& root);

}  // namespace ptofix::changes
