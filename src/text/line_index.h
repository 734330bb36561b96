#pragma once

// Where the lines of a text start, and the columns of every kind that people and editors count: code points for
// messages; UTF-8, UTF-16 and UTF-32 units for editors. Lines end at \n, \r\n or a lone \r, as Python reads them.
// A byte order mark at offset 0 belongs to no line and is no column, so text inserted at line 1 goes after it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/range.h"

namespace ptofix::text {

/// Line and column as people count: both from 1, the column in code points.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    friend constexpr auto operator<=>(const Position&, const Position&) = default;
};

enum class ColumnUnit { utf8, utf16, utf32 };

/// Line and column as editors count: both from 0, the column in the units that were agreed with the editor.
struct EditorPosition {
    std::uint32_t line = 0;
    std::uint32_t character = 0;
    friend constexpr auto operator<=>(const EditorPosition&, const EditorPosition&) = default;
};

enum class Newline { none, lf, crlf, cr };

constexpr std::string_view newline_text(Newline newline) {
    switch (newline) {
        case Newline::lf:
            return "\n";
        case Newline::crlf:
            return "\r\n";
        case Newline::cr:
            return "\r";
        case Newline::none:
            break;
    }
    return "";
}

/// Keeps a view of the text, which must live as long as the index. Lines are numbered from 1; what follows the last
/// terminator is a line too, so every text has at least one. Line numbers and offsets beyond the end are clamped.
class LineIndex {
  public:
    explicit LineIndex(std::string_view text);

    std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }

    std::uint32_t line_of(std::uint32_t offset) const;
    std::uint32_t line_start(std::uint32_t line) const;
    /// The line without its terminator.
    Range line_range(std::uint32_t line) const;
    /// The line with its terminator.
    Range full_line_range(std::uint32_t line) const;
    std::string_view line_text(std::uint32_t line) const;
    Newline newline_of(std::uint32_t line) const;
    bool is_ascii(std::uint32_t line) const;

    /// The commonest terminator of the text; lf when it has none or on a tie with it.
    Newline prevailing_newline() const;
    /// What a line break inserted at `offset` should be: that line's own terminator, the previous line's for a last
    /// line that has none, and "\n" in a text of one line.
    std::string_view newline_for(std::uint32_t offset) const;

    /// An offset inside a code point counts as its start, one inside a terminator as the line's end.
    Position position(std::uint32_t offset) const;
    /// A column beyond the line's end is its end, before the terminator; a line beyond the last is the text's end.
    std::uint32_t offset(Position position) const;

    EditorPosition editor_position(std::uint32_t offset, ColumnUnit unit) const;
    /// Clamps as the language server protocol says: a character beyond the line's end is its end. A character inside
    /// a code point (between two surrogates, between two bytes) is the code point's start.
    std::uint32_t offset(EditorPosition position, ColumnUnit unit) const;

  private:
    std::uint32_t clamp_line(std::uint32_t line) const;
    std::uint32_t column_units(std::uint32_t line, std::uint32_t offset, ColumnUnit unit) const;
    std::uint32_t offset_of_column(std::uint32_t line, std::uint32_t units, ColumnUnit unit) const;

    std::string_view text_;
    std::vector<std::uint32_t> starts_;
    std::vector<bool> ascii_;  ///< by line; empty when the whole text is ASCII
};

}  // namespace ptofix::text
