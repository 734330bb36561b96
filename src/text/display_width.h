#pragma once

// How a line of source looks on a terminal: which column every byte lands in, with tabs expanded, wide characters two
// cells wide and combining ones none, and with the characters that would disturb the terminal made visible. Code frames
// print text() and place carets by columns().

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/range.h"

namespace ptofix::text {

inline constexpr std::uint32_t kDefaultTabStop = 4;

class TerminalLine {
  public:
    /// `line` without its terminator.
    explicit TerminalLine(std::string_view line, std::uint32_t tab_stop = kDefaultTabStop);

    /// What to print: tabs are spaces, control characters their pictures (U+2400...), text direction controls and bytes
    /// that are not UTF-8 the replacement character.
    const std::string& text() const { return text_; }
    std::uint32_t width() const { return cells_.back().column; }

    /// Cells, counted from 0, that the bytes of a range of the line occupy; half open. Characters that only partly lie
    /// in the range count whole.
    Range columns(Range bytes) const;

  private:
    /// A user-perceived character begins at this byte, in this column. The last one is the end of the line.
    struct Cell {
        std::uint32_t offset = 0;
        std::uint32_t column = 0;
    };
    std::string text_;
    std::vector<Cell> cells_;
};

/// Words for a terminal, such as a path: as TerminalLine::text(), and tabs are pictures too, so that they can be seen.
std::string printable(std::string_view words);

/// Cells that a text without tabs occupies.
std::uint32_t display_width(std::string_view text);

}  // namespace ptofix::text
