// A rewriter's answer is made fit for use here, before anyone sees it: edits in order, line breaks as in the file, no
// edit that changes nothing; and it is held to what a fix may do: no overlap with itself, nothing in broken code, no
// comment lost, no name that is printed. Called by analysis.cpp for every rewrite.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/broken_code.h"
#include "rules/finding.h"
#include "trace/project.h"

namespace ptofix::fixing {

/// What admission knows of one file of the trace.
struct AdmittedFile {
    const trace::SourceFile* file = nullptr;
    BrokenCode broken;

    explicit AdmittedFile(const trace::SourceFile* of) : file(of), broken(of->tree, of->text()) {}
    /// In order. Gathered when first asked for: most files have no fix.
    std::span<const text::Range> comments() const { return seen().comments; }
    /// What f-strings show as it is written: of "{x + 1 = }" all from the brace to the value. In order of their starts;
    /// one may be within another.
    std::span<const text::Range> shown_code() const { return seen().shown_code; }

  private:
    struct Seen {
        std::vector<text::Range> comments, shown_code;
    };
    const Seen& seen() const;
    mutable std::optional<Seen> seen_;
};

/// Changes `rewrite` in place. An error says which fault the rewriter has: the fix at fault is thrown away, what else
/// the rewriter answered stays. `rule` is the one whose fix it is: only that about suppressions may change one.
std::expected<void, std::string> admit(rules::Rewrite& rewrite, std::span<const AdmittedFile> files,
                                       std::string_view rule);

}  // namespace ptofix::fixing
