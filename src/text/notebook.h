#pragma once

// A Jupyter notebook (.ipynb, format 4) as one Python text: its code cells, joined, with a line between each two that
// says where the next one begins. What is IPython's and not Python's (magics, shell commands) is replaced by as many
// lines that Python reads. A new version of the text is written back into the cells' strings, and not another byte of
// the file changes. Source reads notebooks by it, and the rest of the program sees a text.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/edit.h"
#include "text/magics.h"
#include "text/range.h"

namespace ptofix::text {

inline constexpr std::string_view kNotebookEnding = ".ipynb";
/// By the ending, in letters of either case.
bool is_notebook_path(std::string_view path);

struct NotebookError {
    bool other_version = false;  ///< a notebook, but not of format 4
    std::string detail;          ///< what is wrong with it, in English, or the version
    std::size_t offset = 0;      ///< in the file's bytes
};

/// Does not keep the bytes: who asks for places in them gives those that were parsed.
class Notebook {
  public:
    static std::expected<Notebook, NotebookError> parse(std::string_view bytes);

    /// Empty when the notebook's language is not Python.
    const std::string& text() const { return text_; }

    struct Place {
        std::uint32_t cell = 1;  ///< among all cells of the notebook, from 1
        Range text = {};         ///< the cell's part of text()
        Range own = {};          ///< the place in the cell's own text
        Range raw = {};          ///< the place in the file's bytes
    };
    /// Of a range, as far as it lies in the cell that it starts in. The line before a cell is the cell's.
    Place place(std::string_view bytes, Range range) const;
    /// Does the range lie within one cell, in lines that are Python's as they are?
    bool may_edit(Range range) const;
    /// An edit of text() as one of its cell's own text.
    Edit own_edit(const Edit& edit) const;

    /// The edits of the file's bytes, sorted, that put this text in place of text(); nothing when it cannot be put
    /// back: a line between cells is gone, or one that stands for a magic has changed.
    std::optional<std::vector<Edit>> put_back(std::string_view bytes, std::string_view new_text) const;
    /// The same for edits of text(), looking at their cells alone. What comes is sure to read back as it should; there
    /// may be nothing although the whole new text can be put back.
    std::optional<std::vector<Edit>> put_back(std::string_view bytes, std::span<const Edit> sorted_edits) const;

  private:
    struct Literal {
        Range raw;      ///< in the file's bytes, with the quotes
        Range decoded;  ///< in the cell's own text
    };
    struct Cell {
        std::uint32_t number = 0;
        bool is_list = false;  ///< the source is a list of strings
        std::vector<Literal> literals;
        std::string own;   ///< the cell's own text
        Range range = {};  ///< of the text, with the line end that was added when the cell had none
        bool line_end_added = false;
        std::vector<bool> replaced;  ///< by line: it stands for something that is not Python
        std::size_t head = 0;        ///< lines at the start that nothing may come between
    };
    friend class NotebookReader;

    const Cell& cell_at(std::uint32_t offset) const;
    std::string_view python(const Cell& cell) const;
    std::uint32_t own_offset(const Cell& cell, std::uint32_t offset) const;
    Edit own_edit(const Cell& cell, const Edit& edit) const;
    static std::uint32_t raw_offset(const Cell& cell, std::string_view bytes, std::uint32_t decoded);
    static std::uint32_t raw_end(const Cell& cell, std::string_view bytes, std::uint32_t decoded);
    static std::string between_lines(const Cell& cell, std::string_view bytes);
    static Edit raw_edit(const Cell& cell, std::string_view bytes, Edit own, bool ascii);

    static bool writes_ascii(std::string_view bytes);
    /// What changes in a cell: in its own text, and in the file's bytes.
    struct CellChange {
        std::vector<Edit> own, raw;
    };
    std::optional<CellChange> change(const Cell& cell, std::string_view bytes, std::string_view new_python,
                                     bool ascii) const;
    bool comes_back(const Cell& cell, std::string_view bytes, const CellChange& change,
                    std::string_view new_python) const;

    std::string text_;
    std::vector<Cell> cells_;           ///< the code cells, in order
    NotebookNames names_;               ///< of all of them
    std::vector<std::string> borders_;  ///< the line before each cell but the first, with its \n
};

}  // namespace ptofix::text
