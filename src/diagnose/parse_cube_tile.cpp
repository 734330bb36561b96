// FC4000, FC4001 and F0000C: what PyPTO says of the numbers of a cube tile, with a code on the line above or on the
// same.
#include <algorithm>
#include <array>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

struct Form {
    std::string_view start;
    std::string_view must_hold;
};
// How the framework's sentences begin, and what tells them from others.
constexpr std::array kForms{
    Form{"Invalid L1/L0 relation: ", "require"},       Form{"Invalid tile values: ", "kL0="},
    Form{"Invalid tileKL1 configuration: ", ""},       Form{"kL0(", "must be aligned to 16 elements"},
    Form{"kL0 * sizeof(dtype)", "32-byte aligned"},    Form{"nL0 * sizeof(dtype)", "32-byte aligned"},
    Form{"mL0 memory not aligned", "32-byte aligned"}, Form{"m must have exactly 2 elements", "got"},
    Form{"n must have exactly 2 elements", "got"},     Form{"k must have 2 or 3 elements", "got"},
};

}  // namespace

std::optional<CubeTileRefused> parse_cube_tile(std::string_view line) {
    for (const Form& form : kForms) {
        const std::size_t at = line.find(form.start);
        if (at == std::string_view::npos || (at > 0 && is_word(line[at - 1]))) continue;
        const std::string_view said = line.substr(at);
        if (said.find(form.must_hold) == std::string_view::npos) continue;
        return CubeTileRefused{std::string(said)};
    }
    return std::nullopt;
}

}  // namespace ptofix::diagnose
