// Breaks running text into lines of a width in terminal cells: at spaces, and between wide characters (Chinese). Used
// by the text format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::report {

/// `used`: cells of the first line that something else takes; when no word fits beside it, the first line is empty.
std::vector<std::string> wrap(std::string_view words, std::uint32_t width, std::uint32_t used = 0);

}  // namespace ptofix::report
