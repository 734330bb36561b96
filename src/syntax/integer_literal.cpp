#include "syntax/integer_literal.h"

#include <charconv>
#include <string>

namespace ptofix::syntax {

std::optional<std::int64_t> integer_literal(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c != '_') digits.push_back(c);
    }
    int base = 10;
    std::size_t from = 0;
    if (digits.size() > 2 && digits[0] == '0') {
        constexpr char kLowerCase = 0x20;
        switch (static_cast<char>(digits[1] | kLowerCase)) {
            case 'x':
                base = 16;
                break;
            case 'o':
                base = 8;
                break;
            case 'b':
                base = 2;
                break;
            default:
                break;
        }
        if (base != 10) from = 2;
    }
    if (digits.size() == from || digits[from] == '-' || digits[from] == '+') return std::nullopt;
    std::int64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data() + from, end, value, base);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

}  // namespace ptofix::syntax
