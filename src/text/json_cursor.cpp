#include "text/json_cursor.h"

#include <fmt/format.h>

#include <cstdint>

#include "text/append_utf8.h"

namespace ptofix::text {

namespace {

constexpr std::size_t kHexDigits = 4;
constexpr std::size_t kEscape = 2 + kHexDigits;  // \uXXXX
constexpr std::uint32_t kFirstHigh = 0xD800, kLastHigh = 0xDBFF, kFirstLow = 0xDC00, kLastLow = 0xDFFF,
                        kBeyondBmp = 0x10000;

std::uint32_t hex(std::string_view digits) {
    constexpr std::uint32_t kBase = 16, kTen = 10;
    std::uint32_t value = 0;
    for (const char c : digits) {
        const auto digit = std::uint32_t{static_cast<unsigned char>(c)};
        value = value * kBase + (c <= '9' ? digit - '0' : (digit | 0x20U) - 'a' + kTen);
    }
    return value;
}

bool ends_word(char c) {
    return std::string_view(",:]} \n\r\t").find(c) != std::string_view::npos;
}

std::string escape(std::uint32_t unit) {
    return fmt::format("\\u{:04x}", unit);
}

}  // namespace

std::size_t append_json_character(std::string& out, std::string_view raw) {
    if (raw.front() != '\\') {
        const std::size_t size = code_point_at(raw, 0).size;
        out += raw.substr(0, size);
        return size;
    }
    constexpr std::string_view kNames = "bfnrt", kValues = "\b\f\n\r\t";
    if (raw[1] != 'u') {
        const std::size_t named = kNames.find(raw[1]);
        out += named == std::string_view::npos ? raw[1] : kValues[named];
        return 2;
    }
    const std::uint32_t value = hex(raw.substr(2, kHexDigits));
    const bool is_high = value >= kFirstHigh && value <= kLastHigh && raw.substr(kEscape).starts_with("\\u");
    const std::uint32_t low = is_high ? hex(raw.substr(kEscape + 2, kHexDigits)) : 0;
    if (low < kFirstLow || low > kLastLow) {
        append_utf8(out, static_cast<char32_t>(value));
        return kEscape;
    }
    append_utf8(out, static_cast<char32_t>(kBeyondBmp + ((value - kFirstHigh) << 10U) + (low - kFirstLow)));
    return 2 * kEscape;
}

std::string in_json_string(std::string_view text, bool ascii) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        const auto value = static_cast<std::uint32_t>(point.value);
        if (value == '"' || value == '\\') {
            out += '\\';
            out += text[at];
        } else if (value == '\n') {
            out += "\\n";
        } else if (value == '\t') {
            out += "\\t";
        } else if (value == '\r') {
            out += "\\r";
        } else if (value == '\b') {
            out += "\\b";
        } else if (value == '\f') {
            out += "\\f";
        } else if (value < ' ' || (ascii && value >= 0x7F && value < kBeyondBmp)) {
            out += escape(value);
        } else if (ascii && value >= kBeyondBmp) {
            out += escape(kFirstHigh + ((value - kBeyondBmp) >> 10U));
            out += escape(kFirstLow + ((value - kBeyondBmp) & 0x3FFU));
        } else {
            out += text.substr(at, point.size);
        }
        at += point.size;
    }
    return out;
}

char JsonCursor::next() {
    while (at_ < json_.size() && (json_[at_] == ' ' || json_[at_] == '\n' || json_[at_] == '\r' || json_[at_] == '\t'))
        ++at_;
    return at_ < json_.size() ? json_[at_] : '\0';
}

Range JsonCursor::string() {
    if (next() != '"') {
        skip();
        return {};
    }
    const std::size_t start = at_++;
    while (json_[at_] != '"') at_ += json_[at_] == '\\' ? 2 : 1;
    ++at_;
    return {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at_)};
}

std::string_view JsonCursor::word() {
    next();
    const std::size_t start = at_;
    while (at_ < json_.size() && !ends_word(json_[at_])) ++at_;
    return json_.substr(start, at_ - start);
}

void JsonCursor::skip() {
    std::size_t depth = 0;
    do {
        const char c = next();
        if (c == '"') {
            string();
        } else if (c == '{' || c == '[') {
            ++depth;
            ++at_;
        } else if (c == '}' || c == ']') {
            --depth;
            ++at_;
        } else if (c == ',' || c == ':') {
            ++at_;
        } else {
            word();
        }
    } while (depth > 0);
}

std::string JsonCursor::decoded(Range string) const {
    std::string out;
    for (std::size_t at = string.start + 1; at + 1 < string.end;) {
        at += append_json_character(out, json_.substr(at, string.end - 1 - at));
    }
    return out;
}

}  // namespace ptofix::text
