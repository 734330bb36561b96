// Line ends where Python wants them and nowhere else. The grammar skips a line break inside a statement and accepts two
// statements in a row; Python does neither. Used by health.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace ptofix::fixing {

struct LineFaults {
    std::vector<std::uint32_t> breaks;      // offsets: a statement goes on in another line without bracket or backslash
    std::vector<std::uint32_t> separators;  // offsets: a statement starts on its neighbour's line without a semicolon
    std::vector<std::uint32_t> strings;     // offsets: a string in single quotes with a line break in it
};

LineFaults find_line_faults(std::string_view text, const syntax::Tree& tree);

}  // namespace ptofix::fixing
