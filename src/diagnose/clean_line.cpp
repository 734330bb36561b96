#include "diagnose/clean_line.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>

#include "text/utf8.h"

namespace ptofix::diagnose {

namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "...";
constexpr std::size_t kPrefix = 160;  // of a line, in which its process may be named

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Nothing but printable ASCII. Eight bytes at a time: every line of interest is looked at.
bool is_plain(std::string_view text) {
    constexpr std::uint64_t kHigh = 0x8080808080808080, kOnes = 0x0101010101010101;
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        const std::uint64_t below_blank = bytes - kOnes * ' ';            // borrows where a byte is less
        const std::uint64_t above_tilde = bytes + kOnes * (0x80 - 0x7F);  // carries into the high bit at 0x7F
        if (((bytes | below_blank | above_tilde) & kHigh) != 0) return false;
    }
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                       [](char c) { return c >= ' ' && c <= '~'; });
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Behind an escape sequence that starts at `at`.
std::size_t behind_escape(std::string_view text, std::size_t at) {
    if (++at >= text.size()) return at;
    if (text[at] == ']') {  // a title or a link, up to BEL or ESC backslash
        for (++at; at < text.size(); ++at) {
            if (text[at] == '\a') return at + 1;
            if (text[at] == kEscape) return std::min(at + 2, text.size());
        }
        return at;
    }
    if (text[at] != '[') return at + 1;
    for (++at; at < text.size(); ++at) {
        const char c = text[at];
        if (c >= '@' && c <= '~') return at + 1;
        if (c < ' ') return at;
    }
    return at;
}

std::size_t digits_from(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

/// [start, end) of "open digits close" around the first match, or empty. Looked for by the one character of `open` that
/// texts have least of: every line of interest is asked.
std::string_view number_between(std::string_view text, std::string_view open, std::size_t rare,
                                std::string_view close) {
    for (std::size_t at = text.find(open[rare]); at != std::string_view::npos; at = text.find(open[rare], at + 1)) {
        if (at < rare || !text.substr(at - rare).starts_with(open)) continue;
        const std::size_t start = at - rare;
        const std::size_t end = digits_from(text, start + open.size());
        if (end > start + open.size() && text.substr(end).starts_with(close)) return text.substr(start, end - start);
    }
    return {};
}

}  // namespace

std::string clean_line(std::string_view raw) {
    std::string buffer;
    return std::string(clean_line(raw, buffer));
}

std::string_view clean_line(std::string_view raw, std::string& out) {
    if (is_plain(raw)) return trimmed(raw);
    out.clear();
    for (std::size_t at = 0; at < raw.size();) {
        const auto byte = static_cast<unsigned char>(raw[at]);
        if (raw[at] == kEscape) {
            at = behind_escape(raw, at);
        } else if (byte < 0x20U || byte == 0x7FU) {
            out += ' ';
            ++at;
        } else if (byte < 0x80U) {
            out += raw[at++];
        } else {
            const text::CodePoint point = text::code_point_at(raw, at);
            if (point.value == text::kReplacementCharacter && point.size == 1) {
                out += kReplacement;
            } else {
                out += raw.substr(at, point.size);
            }
            at += point.size;
        }
    }
    return trimmed(out);
}

std::string_view process_of(std::string_view clean) {
    const std::string_view head = clean.substr(0, kPrefix);
    if (const auto found = number_between(head, "PYPTO(", 5, ","); !found.empty()) return found;
    if (const auto found = number_between(head, "[rank", 0, "]"); !found.empty()) return found;
    if (const auto found = number_between(head, "pid=", 3, ")"); !found.empty()) return found;
    if (const auto found = number_between(head, "[1,", 0, "]<std"); !found.empty()) return found;
    return {};
}

std::string shortened(std::string_view clean, std::size_t most) {
    if (clean.size() <= most) return std::string(clean);
    const std::size_t end = text::floor_to_code_point(clean, most - kEllipsis.size());
    return std::string(clean.substr(0, end)) + std::string(kEllipsis);
}

}  // namespace ptofix::diagnose
