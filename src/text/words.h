// Whole words in a text, found without parsing it: whoever looks for a name in many files skips most of them this way.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace ptofix::text {

/// May the byte be part of a Python name? Those of every character beyond ASCII may.
constexpr bool is_name_byte(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// The offset of the first occurrence from `from` on, as a part of a word or by itself, or npos. Several times as fast
/// as std::string_view::find.
inline std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0) {
    if (from > text.size()) return std::string_view::npos;
    const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

inline bool has_part(std::string_view text, std::string_view part) {
    return find_part(text, part) != std::string_view::npos;
}

/// The offset of the first occurrence from `from` on that is a word by itself, or npos.
inline std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
    for (std::size_t at = find_part(text, word, from); at != std::string_view::npos;
         at = find_part(text, word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !is_name_byte(text[at - 1]);
        if (begins && (end == text.size() || !is_name_byte(text[end]))) return at;
    }
    return std::string_view::npos;
}

inline bool has_word(std::string_view text, std::string_view word) {
    return find_word(text, word) != std::string_view::npos;
}

/// Of a dotted name in code, whose parts may have blanks and joined lines between them: "layers . kernels".
inline std::string without_blanks(std::string_view dotted) {
    std::string all(dotted);
    std::erase_if(all, [](char c) { return std::string_view(" \t\f\\\r\n").find(c) != std::string_view::npos; });
    return all;
}

}  // namespace ptofix::text
