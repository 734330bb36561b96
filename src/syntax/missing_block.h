// A compound statement without the indented block that Python wants after it: the grammar accepts it, CPython says
// "IndentationError: expected an indented block". Asked about files that parse otherwise.
#pragma once

#include <optional>

#include "syntax/tree.h"
#include "text/range.h"

namespace ptofix::syntax {

/// From the start of the first such statement or clause to its colon.
std::optional<text::Range> missing_block(const Tree& tree);

}  // namespace ptofix::syntax
