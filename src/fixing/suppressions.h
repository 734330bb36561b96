// Comments that silence a rule: "# pto-fix: ignore[PTO202] reason" on any line of a statement's header or alone on the
// line above it, "# pto-fix: ignore-file[PTO202]" anywhere. Punctuation of full width counts like any other. Only
// comments of the syntax tree count, never text in strings. The one parser of these for reports, fixes and editors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/registry.h"
#include "syntax/tree.h"
#include "text/line_index.h"
#include "text/range.h"

namespace ptofix::fixing {

/// One directive as written.
struct Suppression {
    text::Range comment;  // the comment that holds it
    text::Range range;    // from "pto-fix:" to the closing bracket
    text::Range list;     // what the brackets hold
    bool whole_file = false;
    bool alone_on_line = false;
    std::vector<std::string_view> rules;   // canonical ids
    std::vector<text::Range> rule_ranges;  // where each is written
    std::string reason;
};

struct MalformedSuppression {
    enum class Why : std::uint8_t { unknown_verb, no_brackets, unclosed_bracket, no_rule, unknown_rule } why;
    text::Range range;      // the directive, or the unknown id in it
    text::Range directive;  // from "pto-fix:" to the closing bracket, as far as there is one
    text::Range list;       // of an unknown rule: what the brackets hold
    text::Range comment;
};

class Suppressions {
  public:
    Suppressions() = default;
    Suppressions(std::string_view text, const syntax::Tree& tree, const Pipeline& pipeline);

    std::span<const Suppression> items() const { return items_; }
    std::span<const MalformedSuppression> malformed() const { return malformed_; }
    /// The directive that silences this rule at this place, or null. `tree` and `lines` are those of the same text.
    const Suppression* find(std::string_view rule, text::Range finding, const syntax::Tree& tree,
                            const text::LineIndex& lines) const;

  private:
    std::vector<Suppression> items_;
    std::vector<MalformedSuppression> malformed_;
};

/// Is there a well-formed or malformed directive in this comment?
bool holds_directive(std::string_view comment);

/// The text from the start of the innermost statement or clause that holds `place` to its colon, or to its end when it
/// is no compound one. Decorators belong to the header of what they decorate.
text::Range statement_header(const syntax::Tree& tree, text::Range place);

}  // namespace ptofix::fixing
