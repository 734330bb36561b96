#include "text/display_width.h"

#include <utf8proc.h>

#include <algorithm>

#include "text/append_utf8.h"
#include "text/utf8.h"

namespace ptofix::text {
namespace {

constexpr char32_t kEmojiPresentation = 0xFE0F;  // variation selector 16: show the character before as an emoji
constexpr std::uint32_t kWide = 2;

/// What stands for a character that a terminal would obey instead of showing; the character itself for all others.
char32_t visible(char32_t value) {
    constexpr char32_t kControlPictures = 0x2400, kDelete = 0x7F, kDeletePicture = 0x2421;
    if (value < 0x20) return kControlPictures + value;
    if (value == kDelete) return kDeletePicture;
    const bool c1_control = value >= 0x80 && value <= 0x9F;
    const bool separator = value == 0x2028 || value == 0x2029;
    const bool direction = value == 0x061C || value == 0x200E || value == 0x200F ||
                           (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
    return c1_control || separator || direction ? kReplacementCharacter : value;
}

int boundary_class(char32_t value) {
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(value))->boundclass;
}

std::uint32_t cells_of(char32_t value) {
    return static_cast<std::uint32_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(value)));
}

/// Width of one user-perceived character, fed a code point at a time.
class ClusterWidth {
  public:
    explicit ClusterWidth(char32_t first) : sum_(cells_of(first)) {
        const int kind = boundary_class(first);
        is_picture_ =
            kind == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC || kind == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR;
    }
    void add(char32_t value) {
        // A Hangul vowel or final consonant is drawn inside the block of the consonant before it.
        const int kind = boundary_class(value);
        if (kind != UTF8PROC_BOUNDCLASS_V && kind != UTF8PROC_BOUNDCLASS_T) sum_ += cells_of(value);
        has_selector_ = has_selector_ || value == kEmojiPresentation;
    }
    std::uint32_t cells() const {
        if (has_selector_) return kWide;
        // A family joined by ZWJ, a flag or a skin tone is one picture; elsewhere marks that take space add theirs.
        return is_picture_ ? std::min(sum_, kWide) : sum_;
    }

  private:
    std::uint32_t sum_;
    bool is_picture_ = false;
    bool has_selector_ = false;
};

}  // namespace

TerminalLine::TerminalLine(std::string_view line, std::uint32_t tab_stop) {
    tab_stop = std::max<std::uint32_t>(tab_stop, 1);
    text_.reserve(line.size());
    std::uint32_t column = 0;
    for (std::uint32_t at = 0; at < line.size();) {
        cells_.push_back({at, column});
        if (line[at] == '\t') {
            const std::uint32_t spaces = tab_stop - column % tab_stop;
            text_.append(spaces, ' ');
            column += spaces;
            ++at;
            continue;
        }
        CodePoint point = code_point_at(line, at);
        char32_t shown = visible(point.value);
        ClusterWidth width(shown);
        utf8proc_int32_t state = 0;
        while (true) {
            append_utf8(text_, shown);
            at += point.size;
            if (at >= line.size() || line[at] == '\t') break;
            const char32_t before = shown;
            point = code_point_at(line, at);
            shown = visible(point.value);
            if (before < 0x80 && shown < 0x80) break;
            if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                                 static_cast<utf8proc_int32_t>(shown), &state) != 0) {
                break;
            }
            width.add(shown);
        }
        column += width.cells();
    }
    cells_.push_back({static_cast<std::uint32_t>(line.size()), column});
}

Range TerminalLine::columns(Range bytes) const {
    const auto after = std::upper_bound(cells_.begin() + 1, cells_.end() - 1, bytes.start,
                                        [](std::uint32_t offset, const Cell& cell) { return offset < cell.offset; });
    const Cell& first = bytes.start >= cells_.back().offset ? cells_.back() : *(after - 1);
    const auto last = std::lower_bound(cells_.begin(), cells_.end() - 1, bytes.end,
                                       [](const Cell& cell, std::uint32_t offset) { return cell.offset < offset; });
    return {first.column, std::max(first.column, bytes.empty() ? first.column : last->column)};
}

std::string printable(std::string_view words) {
    std::string out;
    out.reserve(words.size());
    for (std::size_t at = 0; at < words.size();) {
        const CodePoint point = code_point_at(words, at);
        append_utf8(out, visible(point.value));
        at += point.size;
    }
    return out;
}

std::uint32_t display_width(std::string_view text) {
    return TerminalLine(text).width();
}

}  // namespace ptofix::text
