#pragma once

// IPython's own lines in a cell of a notebook: `%magic`, `!command`, `name?`, and cells that begin with `%%`.

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::text {

struct PythonCell {
    std::string text;            ///< as many lines, all of them Python's
    std::vector<bool> replaced;  ///< by line
    std::size_t head = 0;        ///< lines at the start that must stay: up to a `%%` magic, or all that it takes
};

/// The functions of a notebook, and what it imports: where lines that Python does not read name one of them, it may be
/// called. Found without parsing, rather too many than too few.
class NotebookNames {
  public:
    void read(std::string_view cell);
    bool holds(std::string_view word, bool has_attribute) const;
    bool operator==(const NotebookNames&) const = default;

  private:
    std::set<std::string, std::less<>> own_, modules_;
    bool from_ = false;
    bool all_ = false;  ///< some module gives all of its names
};

/// What `%time` and its like run is kept. A cell whose `%%` magic hands its lines to somebody else has none left but
/// uses of `names` that nobody can follow. A statement that would end the file, as `raise` does, is in a branch; a
/// string that nothing ends is one error.
PythonCell python_of_cell(std::string_view cell, const NotebookNames& names = {});

}  // namespace ptofix::text
