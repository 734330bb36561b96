#pragma once

#include <string>

namespace ptofix::text {

/// The character in UTF-8 behind what is there; no surrogate.
void append_utf8(std::string& output, char32_t value);

}  // namespace ptofix::text
