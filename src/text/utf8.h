#pragma once

// The few UTF-8 questions that loading, columns and display ask: is it valid, is it ASCII, what is the next code point.
// All of them accept any bytes; what is not UTF-8 is stepped over one byte at a time.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ptofix::text {

inline constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

constexpr bool is_continuation_byte(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

bool is_ascii(std::string_view text);

/// Offset of the first byte that does not belong to a well-formed sequence (overlong forms, surrogates and values above
/// U+10FFFF are ill-formed), or npos.
std::size_t find_invalid_utf8(std::string_view text);

struct CodePoint {
    char32_t value = kReplacementCharacter;
    std::uint32_t size = 1;  ///< bytes
};

/// The code point that starts at `offset`, which must be below the text's size. An ill-formed byte yields the
/// replacement character and the size 1.
CodePoint code_point_at(std::string_view text, std::size_t offset);

/// The nearest start of a code point at or before `offset`.
std::size_t floor_to_code_point(std::string_view text, std::size_t offset);

}  // namespace ptofix::text
