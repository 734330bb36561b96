// A place as people name it: "12:5", and in a notebook "cell 3:5:1", with lines counted from the cell's first one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "text/source.h"

namespace ptofix::text {

/// Of the cell, 0 in a file that is no notebook; line and column from 1.
struct CellLine {
    std::uint32_t cell = 0, line = 1, column = 1;

    std::string line_words() const;  ///< for a sentence: "12", "5 (cell 3)"
    std::string line_text() const;   ///< for a place: "12", "cell 3:5"
};

/// Of a notebook: the cell that the edit is one of. An insertion at the end of a cell is that cell's.
std::optional<CellPlace> cell_of_edit(const Source& source, Range range);
CellLine line_in(const Source& source, std::uint32_t offset);
/// Line and column.
std::string place_in(const Source& source, std::uint32_t offset);

}  // namespace ptofix::text
