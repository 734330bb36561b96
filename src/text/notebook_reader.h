#pragma once

// Finds the code cells of a notebook in its JSON, and joins them to one text. A part of Notebook.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_cursor.h"
#include "text/notebook.h"

namespace ptofix::text {

class NotebookReader {
  public:
    /// `bytes` are well-formed JSON.
    explicit NotebookReader(std::string_view bytes) : bytes_(bytes), cursor_(bytes) {}

    std::expected<Notebook, NotebookError> read();

  private:
    void read_cells();
    void read_cell(std::uint32_t number);
    bool read_source(Notebook::Cell& cell);
    bool read_metadata();
    void join();
    std::string border() const;

    std::string_view bytes_;
    JsonCursor cursor_;
    std::string format_;  ///< as it is written
    bool has_cells_ = false;
    bool is_python_ = true;
    NotebookError fault_;  ///< of a cell; without words: there is none
    std::vector<Notebook::Cell> cells_;
    Notebook notebook_;
};

}  // namespace ptofix::text
