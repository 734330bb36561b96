// Import statements read off a text that is not parsed: which modules a file may import. Finds too many rather than too
// few: what looks like one in a comment or a string counts.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ptofix::fixing {

struct ImportLine {
    std::string module;  // "a.b", "..a", "."
    std::string names;   // "x, y as z" behind `from module import`; empty for `import module`
    bool is_from = false;
};

void each_import_line(std::string_view text, const std::function<void(const ImportLine&)>& visit);

/// Can the text import what it has the name of in a string?
bool imports_at_run_time(std::string_view text);

}  // namespace ptofix::fixing
