// What a fix changes, line by line, made from its edits alone: cheap enough for every finding. (The diff that --diff
// prints is text::unified_diff's.) Used by the text format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/edit.h"
#include "text/source.h"

namespace ptofix::report {

struct DiffLine {
    enum class Kind : std::uint8_t { hunk, same, removed, added } kind = Kind::same;
    std::string text;  // without terminator; of a hunk its header
};

/// `edits` are sorted and do not overlap. Unchanged lines are kept for `context` lines around each change.
std::vector<DiffLine> diff_lines(const text::Source& source, std::span<const text::Edit> edits, std::uint32_t context);

}  // namespace ptofix::report
