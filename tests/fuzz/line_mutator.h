// Changes to Python text that leave most of its syntax whole: lines doubled, dropped, swapped, comments, tabs,
// continuations, line breaks and numbers. Used by the fuzz targets, whose inputs random bytes would mostly break.
#pragma once

#include <string>
#include <string_view>

namespace fuzz {

/// One change, chosen by `seed`.
std::string mutate_lines(std::string_view text, unsigned int seed);

}  // namespace fuzz
