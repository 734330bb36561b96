// The parts of a file that the grammar could not read. No finding is reported there and no fix writes there; what
// stands elsewhere in the file is worked on as usual.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "syntax/tree.h"
#include "text/range.h"

namespace ptofix::fixing {

/// The innermost statements that hold an ERROR or MISSING node, or that node's own range if no statement does, and
/// statements on one line without a semicolon. Sorted, joined where they overlap.
class BrokenCode {
  public:
    BrokenCode() = default;
    BrokenCode(const syntax::Tree& tree, std::string_view text);

    bool empty() const { return ranges_.empty(); }
    std::span<const text::Range> ranges() const { return ranges_; }
    /// The first broken range that shares a byte with `range`, or into which an empty `range` falls; null if none.
    const text::Range* touching(text::Range range) const;

  private:
    void add_unseparated(const syntax::Tree& tree, std::string_view text, syntax::NodeId suite);

    std::vector<text::Range> ranges_;
};

/// Is what a finding at `place` says about its statement unreliable? True in broken code, and in a loop, branch or
/// simple statement with broken code anywhere inside; a definition counts as broken only where it is.
bool is_unreliable(const syntax::Tree& tree, const BrokenCode& broken, text::Range place);

}  // namespace ptofix::fixing
