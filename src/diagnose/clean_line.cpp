#include "diagnose/clean_line.h"

#include <algorithm>
#include <cctype>

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

/// [start, end) of "open digits close" around the first match, or empty.
std::string_view number_between(std::string_view text, std::string_view open, std::string_view close) {
    for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at + 1)) {
        const std::size_t end = digits_from(text, at + open.size());
        if (end > at + open.size() && text.substr(end).starts_with(close)) return text.substr(at, end - at);
    }
    return {};
}

}  // namespace

std::string clean_line(std::string_view raw) {
    std::string out;
    out.reserve(raw.size());
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
    out.erase(out.find_last_not_of(' ') + 1);
    const std::size_t first = std::min(out.find_first_not_of(' '), out.size());
    return out.erase(0, first);
}

std::string_view process_of(std::string_view clean) {
    const std::string_view head = clean.substr(0, kPrefix);
    if (const auto found = number_between(head, "PYPTO(", ","); !found.empty()) return found;
    if (const auto found = number_between(head, "[rank", "]"); !found.empty()) return found;
    if (const auto found = number_between(head, "pid=", ")"); !found.empty()) return found;
    if (const auto found = number_between(head, "[1,", "]<std"); !found.empty()) return found;
    return {};
}

std::string shortened(std::string_view clean, std::size_t most) {
    if (clean.size() <= most) return std::string(clean);
    const std::size_t end = text::floor_to_code_point(clean, most - kEllipsis.size());
    return std::string(clean.substr(0, end)) + std::string(kEllipsis);
}

}  // namespace ptofix::diagnose
