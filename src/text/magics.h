#pragma once

// IPython's own lines in a cell of a notebook: `%magic`, `!command`, `name?`, and cells that begin with `%%`.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::text {

struct PythonCell {
    std::string text;            ///< as many lines, all of them Python's
    std::vector<bool> replaced;  ///< by line
    std::size_t head = 0;        ///< lines at the start that must stay: up to a `%%` magic, or all that it takes
};

/// What `%time` and its like run is kept. A cell whose `%%` magic hands its lines to somebody else has none left.
PythonCell python_of_cell(std::string_view cell);

}  // namespace ptofix::text
