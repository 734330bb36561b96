#include "rules/codes.h"

#include <algorithm>
#include <array>

#include "rules/code_table.h"

namespace ptofix::rules {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '_' ? '-' : c;
}

bool is_same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::span<const Code> codes() {
    static const std::vector<Code> all = [] {
        std::vector<Code> list;
        for (const std::span<const Code> part :
             {codes_of_memory(), codes_of_tiles(), codes_of_compiling(), codes_of_calls()}) {
            list.insert(list.end(), part.begin(), part.end());
        }
        std::ranges::stable_sort(list, {}, &Code::id);
        return list;
    }();
    return all;
}

const Code* find_code(std::string_view word) {
    for (const Code& code : codes()) {
        if (is_same(code.id, word) || (!code.name.empty() && is_same(code.name, word))) return &code;
        for (const std::string_view also : code.also) {
            if (is_same(also, word)) return &code;
        }
    }
    return nullptr;
}

}  // namespace ptofix::rules
