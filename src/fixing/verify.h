// Is a rewritten file as sound as it was? Compares the syntax trees of both texts along the edits between them. What
// fails here is never written: apply.cpp looks for the fix at fault.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fixing/health.h"
#include "syntax/tree.h"
#include "text/edit.h"

namespace ptofix::fixing {

struct ParsedText {
    std::string_view text;
    const syntax::Tree& tree;
    const Health& health;
};

struct Violation {
    std::string what;          // English, for a bug report: "an empty block"
    std::uint32_t offset = 0;  // in the new text
};

/// A range of the old text in which a fix may remove comments, or parts of one.
struct AllowedLoss {
    text::Range range;
    bool suppressions = false;  // these too
};

/// Outside of `allowed` each comment has to be there afterwards, wherever it stands.
std::optional<Violation> verify(const ParsedText& before, const ParsedText& now, const text::Edits& edits,
                                std::span<const AllowedLoss> allowed);

}  // namespace ptofix::fixing
