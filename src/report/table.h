// Aligned columns of text for the terminal: wide characters count two cells and colours none, a cell may have several
// lines, and rows that are not made of columns can stand between the others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::report {

class Table {
  public:
    enum class Align { left, right };

    explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

    /// As many cells as there are columns; line breaks split a cell into lines.
    void row(std::vector<std::string> cells);
    /// A line of its own, across the columns.
    void line(std::string text);

    /// Every line ends with a line break, none with a blank; `indent` goes in front of each.
    std::string text(std::string_view indent = {}) const;
    /// In terminal cells, of the columns with the gaps between them.
    std::uint32_t width() const;

  private:
    std::vector<std::uint32_t> widths() const;
    struct Row {
        std::vector<std::string> cells;  // one: a line across
        bool across = false;
    };
    std::vector<Align> columns_;
    std::vector<Row> rows_;
};

}  // namespace ptofix::report
