// Lets a person edit what a fix would write, in the editor that VISUAL or EDITOR names.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "rules/finding.h"
#include "text/source.h"

namespace ptofix::cli {

/// The fix with the lines that it changes as they were left in the editor. An error is the id of the message that says
/// why there is none. The fix edits one file, which is `source`.
std::expected<rules::Fix, std::string_view> edit_fix(const rules::Fix& fix, const text::Source& source);

}  // namespace ptofix::cli
