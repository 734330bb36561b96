// A notebook as one that may import what a fix changes: whatever is wrong with it, it may be run one day.
#pragma once

#include <memory>
#include <string>

#include "text/source.h"

namespace ptofix::fixing {

/// The strings of JSON, each line of them on a line, roughly: for notebooks that cannot be read as such, whose imports
/// count all the same.
std::string lines_of_json(std::string json);

/// Its code, even where it does not name PyPTO. One that is no sound notebook is a text that seems to import what it
/// does, and `is_notebook()` is false. Null: it cannot be read at all.
std::shared_ptr<const text::Source> load_notebook(const std::string& path);

}  // namespace ptofix::fixing
