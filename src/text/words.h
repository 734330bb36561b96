// Whole words in a text, found without parsing it: whoever looks for a name in many files skips most of them this way.
#pragma once

#include <algorithm>
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

/// The bytes of Python files, the commonest first. Those that are not here are rarer.
constexpr std::string_view kByFrequency =
    " etsroain_\npl,-c.du()mf=yh\":Tgv1xbE2kI[]0NSwPAD3OLRF'6C#4qM8U{}*/zBH57V9GX";

/// The place of the rarest byte.
constexpr std::size_t rarest(std::string_view part) {
    std::size_t best = 0, best_rank = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const std::size_t rank = std::min(kByFrequency.find(part[i]), kByFrequency.size());
        if (rank > best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

/// The offset of the first occurrence from `from` on, as a part of a word or by itself, or npos. Looks for the part's
/// rarest byte alone: memchr is much faster than any search for several.
inline std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0) {
    if (from > text.size() || part.size() > text.size() - from) return std::string_view::npos;
    if (part.empty()) return from;
    const std::size_t place = rarest(part);
    const char* at = text.data() + from + place;
    const char* const end = text.data() + text.size() - (part.size() - place - 1);
    while (at < end) {
        at = static_cast<const char*>(std::memchr(at, part[place], static_cast<std::size_t>(end - at)));
        if (at == nullptr) break;
        if (std::memcmp(at - place, part.data(), part.size()) == 0) {
            return static_cast<std::size_t>(at - place - text.data());
        }
        ++at;
    }
    return std::string_view::npos;
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
