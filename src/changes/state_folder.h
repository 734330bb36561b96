// Where pto-fix keeps what is not the user's to edit: $XDG_STATE_HOME/pto-fix, or ~/.local/state/pto-fix.
#pragma once

#include <optional>
#include <string>

namespace ptofix::changes {

/// Nothing when neither variable holds a path from the root.
std::optional<std::string> state_folder();

/// Of the journals of all projects, below the state folder.
std::string journal_folder(const std::string& state);

}  // namespace ptofix::changes
