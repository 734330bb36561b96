// Breaks running text into lines of a width in terminal cells: at spaces, and between wide characters (Chinese). Used
// by the text format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::report {

std::vector<std::string> wrap(std::string_view words, std::uint32_t width);

}  // namespace ptofix::report
