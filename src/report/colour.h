// Terminal colours of the text format: a few roles, nothing when colour is off.
#pragma once

#include <string>
#include <string_view>

namespace ptofix::report {

enum class Role { error, warning, info, place, gutter, strong, removed, added };

/// The words in the colour of their role.
inline std::string paint(std::string_view words, Role role, bool colour) {
    if (!colour || words.empty()) return std::string(words);
    std::string_view code;
    switch (role) {
        case Role::error:
            code = "\x1b[1;31m";
            break;
        case Role::warning:
            code = "\x1b[1;33m";
            break;
        case Role::info:
            code = "\x1b[1;36m";
            break;
        case Role::place:
        case Role::strong:
            code = "\x1b[1m";
            break;
        case Role::gutter:
            code = "\x1b[34m";
            break;
        case Role::removed:
            code = "\x1b[31m";
            break;
        case Role::added:
            code = "\x1b[32m";
            break;
    }
    std::string out(code);
    out += words;
    out += "\x1b[0m";
    return out;
}

}  // namespace ptofix::report
