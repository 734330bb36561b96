// Python's integer literals, in every notation.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptofix::syntax {

/// The value of 128, 1_024, 0x80, 0b1000, 0O17; null when the text is no such literal or the number is above 63 bits.
std::optional<std::int64_t> integer_literal(std::string_view text);

}  // namespace ptofix::syntax
