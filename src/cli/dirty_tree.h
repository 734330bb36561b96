// Keeps --apply away from work that no commit holds: afterwards nobody could tell it from what pto-fix wrote.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/engine.h"
#include "cli/options_apply.h"
#include "report/json.h"
#include "rules/catalogue.h"

namespace ptofix::cli {

/// Tracked files with changes in the work trees around what the run reads, or a work tree that cannot be read; nothing
/// with --allow-dirty.
std::optional<report::Problem> work_in_the_way(std::span<const Input> inputs, std::span<const std::string> others,
                                               const ApplyOptions& options, rules::Language language);

/// Of the files that are about to be written those that git has never seen.
std::optional<report::Problem> work_in_the_way(std::span<const ChangedFile> files, const ApplyOptions& options,
                                               rules::Language language);

}  // namespace ptofix::cli
