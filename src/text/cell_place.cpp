#include "text/cell_place.h"

#include <fmt/format.h>

namespace ptofix::text {

std::optional<CellPlace> cell_of_edit(const Source& source, Range range) {
    // The line before a cell is the cell's, so the byte before the edit is its cell's wherever the edit may be.
    return source.cell(range.start > 0 ? range.start - 1 : 0);
}

std::string CellLine::line_words() const {
    return cell == 0 ? fmt::format("{}", line) : fmt::format("{} (cell {})", line, cell);
}

std::string CellLine::line_text() const {
    return cell == 0 ? fmt::format("{}", line) : fmt::format("cell {}:{}", cell, line);
}

CellLine line_in(const Source& source, std::uint32_t offset) {
    const Position at = source.lines().position(offset);
    const auto cell = source.cell(offset);
    if (!cell) return {0, at.line, at.column};
    // The line before a cell is none of its own.
    return {cell->number, at.line < cell->first_line ? 1 : at.line - cell->first_line + 1, at.column};
}

std::string place_in(const Source& source, std::uint32_t offset) {
    const CellLine at = line_in(source, offset);
    return fmt::format("{}:{}", at.line_text(), at.column);
}

}  // namespace ptofix::text
