#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ptofix::text {

/// Where each line starts, and where the text ends, with lines that end at '\n' alone: as patches and JSON count them.
/// Python's lines are LineIndex's.
inline std::vector<std::uint32_t> newline_starts(std::string_view text) {
    std::vector<std::uint32_t> starts{0};
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
        starts.push_back(static_cast<std::uint32_t>(at + 1));
    }
    if (starts.back() != text.size()) starts.push_back(static_cast<std::uint32_t>(text.size()));
    return starts;
}

}  // namespace ptofix::text
