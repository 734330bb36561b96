// The punctuation of a suppression comment as people type it: a Chinese input method that is left on writes colons,
// brackets, commas and spaces at full width, and what looks like a suppression is meant as one. Only for this folder.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ptofix::fixing {

using Marks = std::span<const std::string_view>;

inline constexpr std::string_view kBlankMarks[] = {" ", "\t", "\u3000"};
inline constexpr std::string_view kColonMarks[] = {":", "："};
inline constexpr std::string_view kOpeningMarks[] = {"[", "［", "【"};
inline constexpr std::string_view kClosingMarks[] = {"]", "］", "】"};
inline constexpr std::string_view kCommaMarks[] = {",", "，", "、"};

/// Bytes of the mark that stands at this offset; 0: none of them does.
constexpr std::size_t mark_at(std::string_view text, std::size_t at, Marks marks) {
    if (at >= text.size()) return 0;
    for (const std::string_view mark : marks) {
        if (text.substr(at).starts_with(mark)) return mark.size();
    }
    return 0;
}

/// Bytes of the mark that the text ends with; 0: with none of them.
constexpr std::size_t mark_before(std::string_view text, Marks marks) {
    for (const std::string_view mark : marks) {
        if (text.ends_with(mark)) return mark.size();
    }
    return 0;
}

/// The offset of the first of these marks from `at` on, or npos.
constexpr std::size_t find_mark(std::string_view text, std::size_t at, Marks marks) {
    for (; at < text.size(); ++at) {
        if (mark_at(text, at, marks) != 0) return at;
    }
    return std::string_view::npos;
}

constexpr std::size_t skip_marks(std::string_view text, std::size_t at, Marks marks) {
    while (const std::size_t size = mark_at(text, at, marks)) at += size;
    return at;
}

}  // namespace ptofix::fixing
