// The options that say how --apply writes, and the command that takes a run back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalogue.h"

namespace CLI {
class App;
}

namespace ptofix::cli {

struct ApplyOptions {
    bool allow_dirty = false;  // over work that no commit holds
    bool no_journal = false;   // undo will know nothing of this run
    bool review = false;       // ask for each fix
};

/// `pto-fix undo`
struct UndoCommand {
    std::vector<std::string> paths = {};  // where; none: the project around the current folder
    bool list = false;
    bool skip_changed = false;
    rules::Language language = rules::Language::en;
};

/// As they were written.
struct RawApply {
    ApplyOptions apply;
    bool list = false, skip_changed = false;
};

void add_apply_options(CLI::App& app, RawApply& raw);

/// The first option that is there although nothing is written.
std::optional<std::string_view> apply_option_given(const RawApply& raw);
/// The first one that `undo` alone takes.
std::optional<std::string_view> undo_option_given(const RawApply& raw);

}  // namespace ptofix::cli
