// Where the statements of a module begin, by what the tokenizer alone can tell: for files that do not parse, where a
// guess of the grammar about one statement must not reach into the next.
#pragma once

#include <string_view>
#include <vector>

#include "text/range.h"

namespace ptofix::syntax {

struct Piece {
    text::Range range;
    bool in_open_string = false;       // ends in a string of three quotes that is never closed
    bool behind_open_bracket = false;  // of the last one: somewhere in the text a bracket is never closed
};

/// Cuts text (UTF-8) into pieces that each hold whole statements of the module, one as a rule: together they are all of
/// it, in order. A piece starts in the first column, outside strings and brackets; `else`, `elif`, `except` and
/// `finally` stay with what they continue, decorators with what they decorate. A bracket that is still open where a
/// line starts with a keyword that no expression can hold ends there; a string of three quotes that is never closed
/// reaches to the end.
std::vector<Piece> top_level_pieces(std::string_view text);

/// Is there a piece that the grammar, unlike Python, would read on from into the next one? It does so behind a comma
/// and behind a backslash that is followed by a blank line. Says yes where a comment leaves it in doubt.
bool runs_into_the_next(std::string_view text, const std::vector<Piece>& pieces);

}  // namespace ptofix::syntax
