#pragma once

// Python takes names for the same that look alike by Unicode's compatibility (NFKC): ｐｒｏｊ is proj.

#include <functional>
#include <string_view>

namespace ptofix::text {

/// Calls `visit` with each name of ASCII that a word of the text stands for and does not spell. Strings and comments
/// are text, too: too many rather than too few.
void each_disguised_name(std::string_view text, const std::function<void(std::string_view name)>& visit);

}  // namespace ptofix::text
