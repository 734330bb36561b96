#pragma once

// Differences between two texts: unified diffs that `git apply` and GNU patch accept, byte for byte, including CRLF and
// a missing final newline, for --diff and the small diffs of reports; edits for editors.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/edit.h"

namespace ptofix::text {

inline constexpr std::uint32_t kDiffContextLines = 3;

/// Empty when the two are equal. The contents are the files' own bytes, as Source::bytes() and Source::encode() give
/// them. The header names a/old_path and b/new_path, quoted as git quotes; a leading slash is dropped, as git does.
std::string unified_diff(std::string_view old_path, std::string_view new_path, std::string_view old_bytes,
                         std::string_view new_bytes, std::uint32_t context_lines = kDiffContextLines);

/// The edits that turn one text into the other, whole lines each (ended by \n), in order.
std::vector<Edit> line_edits(std::string_view old_text, std::string_view new_text);

/// The lines of the new text that the old one does not have, whole lines each, in order.
std::vector<Range> changed_lines(std::string_view old_text, std::string_view new_text);

}  // namespace ptofix::text
