#include "report/wrap.h"

#include "text/display_width.h"
#include "text/utf8.h"

namespace ptofix::report {

namespace {

/// Punctuation that must not begin a line in Chinese typesetting.
bool closes(char32_t c) {
    constexpr std::u32string_view kClosing = U"，。；：、？！）”’》」』】…,.;:!?)]}";
    return kClosing.find(c) != std::u32string_view::npos;
}

bool opens(char32_t c) {
    constexpr std::u32string_view kOpening = U"（“‘《「『【([{";
    return kOpening.find(c) != std::u32string_view::npos;
}

}  // namespace

std::vector<std::string> wrap(std::string_view words, std::uint32_t width, std::uint32_t used) {
    std::vector<std::string> lines;
    std::uint32_t taken = used;      // of the first line
    std::size_t start = 0;           // of the line
    std::size_t break_end = 0;       // where the line may end
    std::size_t next_start = 0;      // where the next line then starts
    std::uint32_t used_at_next = 0;  // cells from start to next_start
    char32_t previous = 0;
    bool previous_wide = false;
    for (std::size_t at = 0; at < words.size();) {
        const text::CodePoint point = text::code_point_at(words, at);
        const std::uint32_t cells = text::display_width(words.substr(at, point.size));
        const bool wide = cells > 1;
        const bool may_break = at > start && previous != ' ' && point.value != ' ' && (wide || previous_wide) &&
                               !closes(point.value) && !opens(previous);
        if (may_break) {
            break_end = next_start = at;
            used_at_next = used;
        }
        if (point.value == ' ') {
            break_end = at;
            next_start = at + 1;
            used_at_next = used + 1;
        } else if (used + cells > width && break_end > start) {
            lines.emplace_back(words.substr(start, break_end - start));
            start = next_start;
            break_end = start;
            used -= used_at_next;
            used_at_next = 0;
        } else if (used + cells > width && lines.empty() && taken > 0) {
            lines.emplace_back();
            used -= taken;
            taken = 0;
        }
        used += cells;
        previous = point.value;
        previous_wide = wide;
        at += point.size;
    }
    if (start < words.size()) lines.emplace_back(words.substr(start));
    return lines;
}

}  // namespace ptofix::report
