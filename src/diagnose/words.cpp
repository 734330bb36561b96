#include "diagnose/words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ptofix::diagnose {

namespace {

constexpr std::size_t kCodeDigits = 5;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_code_digit(char c) {
    return is_digit(c) || (c >= 'A' && c <= 'F');
}

std::string_view without_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

struct Unit {
    std::string_view name;
    double seconds;
};
// Longer names first.
constexpr std::array kUnits{Unit{"min", 60}, Unit{"ms", 0.001}, Unit{"h", 3600}, Unit{"m", 60}, Unit{"s", 1}};

}  // namespace

bool is_word(char c) {
    return c == '_' || is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::optional<std::int64_t> number_at(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end == text.data()) return std::nullopt;
    return value;
}

std::string_view behind(std::string_view text, std::string_view before) {
    const std::size_t at = text.find(before);
    return at == std::string_view::npos ? std::string_view{} : text.substr(at + before.size());
}

std::optional<std::int64_t> number_after(std::string_view text, std::string_view before) {
    return number_at(without_blanks(behind(text, before)));
}

std::optional<std::int64_t> number_between(std::string_view text, std::string_view before, std::string_view close) {
    const std::string_view rest = without_blanks(behind(text, before));
    const std::size_t digits = rest.find_first_not_of("0123456789", rest.starts_with('-') ? 1 : 0);
    if (digits == std::string_view::npos || !rest.substr(digits).starts_with(close)) return std::nullopt;
    return number_at(rest);
}

std::string_view between(std::string_view text, std::string_view before, std::string_view close) {
    const std::string_view rest = behind(text, before);
    const std::size_t end = rest.find(close);
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

std::string_view word_at(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    return text.substr(0, end);
}

std::string_view code_in(std::string_view text) {
    for (std::size_t at = text.find('F'); at != std::string_view::npos; at = text.find('F', at + 1)) {
        const std::string_view code = text.substr(at, kCodeDigits + 1);
        if (code.size() <= kCodeDigits) break;
        if (!std::all_of(code.begin() + 1, code.end(), is_code_digit)) continue;
        const std::size_t end = at + code.size();
        if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]))) continue;
        // A word of letters alone, such as FACADE, is none.
        if (std::any_of(code.begin(), code.end(), is_digit)) return code;
        if (at >= 2 && text[at - 1] == ' ' && text[at - 2] == ':') return code;  // ErrCode: FFFFFF
    }
    return {};
}

std::optional<double> duration_at(std::string_view text) {
    double total = 0;
    bool any = false;
    while (true) {
        text = without_blanks(text);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end == text.data() || !(value >= 0)) break;
        std::string_view rest = without_blanks(text.substr(static_cast<std::size_t>(end - text.data())));
        const auto unit = std::ranges::find_if(kUnits, [&](const Unit& u) {
            return rest.starts_with(u.name) && (rest.size() == u.name.size() || !is_word(rest[u.name.size()]));
        });
        if (unit == kUnits.end()) break;
        total += value * unit->seconds;
        any = true;
        text = rest.substr(unit->name.size());
    }
    constexpr double kMost = 1e12;
    return any && total < kMost ? std::optional(total) : std::nullopt;
}

}  // namespace ptofix::diagnose
