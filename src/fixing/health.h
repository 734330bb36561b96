// What Python would refuse in a file, counted by kind on its syntax tree: the grammar alone accepts an empty block or a
// statement at a column that no block has. A fix may not make any of these counts rise; that they may be above zero
// before lets a half-broken file be fixed where it is sound. Used by verify.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "syntax/tree.h"

namespace ptofix::fixing {

enum class Fault : std::uint8_t {
    syntax_error,
    empty_block,
    indentation,  // a statement beside its block's column, or a block not deeper than what holds it
    unbalanced_brackets,
    unbalanced_strings,
    positional_after_keyword,  // f(a=1, b)
    repeated_keyword,          // f(a=1, a=2)
    repeated_parameter,        // def f(a, a)
    default_first,             // def f(a=1, b)
    nested_annotation,         // a = b: int
    jump_outside,              // break, continue or return where there is nothing to leave
    late_future_import,
    nested_quotes,       // an f-string that only Python 3.12 reads, or none
    line_break,          // in a statement, outside of brackets
    missing_separator,   // two statements on one line
    misplaced_star,      // a + *b
    python2_statement,   // print x
    dangling_backslash,  // before the end of the file
    count_
};

std::string_view name_of(Fault fault);

struct Health {
    std::array<std::uint32_t, static_cast<std::size_t>(Fault::count_)> counts{};
    std::array<std::uint32_t, static_cast<std::size_t>(Fault::count_)> first{};  // offset of the first one

    std::uint32_t count(Fault fault) const { return counts[static_cast<std::size_t>(fault)]; }
    bool any() const {
        return std::ranges::any_of(counts, [](std::uint32_t n) { return n > 0; });
    }
};

Health examine(std::string_view text, const syntax::Tree& tree);

/// The first kind of fault that there is more of in `now`.
std::optional<Fault> worse(const Health& before, const Health& now);

}  // namespace ptofix::fixing
