// Names that strings of a text lead to, read off without parsing: "module.name", "module:name", and every word of a
// string that imports. Finds too many rather than too few.
#pragma once

#include <functional>
#include <string_view>

namespace ptofix::fixing {

void each_name_in_string(std::string_view text, const std::function<void(std::string_view name)>& visit);

}  // namespace ptofix::fixing
