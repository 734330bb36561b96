// A rewriter's answer is made fit for use here, before anyone sees it: edits in order, line breaks as in the file, no
// edit that changes nothing; and it is held to what a fix may do: no overlap with itself, nothing in broken code, no
// comment lost. Called by analysis.cpp for every rewrite.
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
    std::span<const text::Range> comments() const;

  private:
    mutable std::optional<std::vector<text::Range>> comments_;
};

/// Changes `rewrite` in place. An error says which fault the rewriter has: the fix at fault is thrown away, what else
/// the rewriter answered stays. `rule` is the one whose fix it is: only that about suppressions may change one.
std::expected<void, std::string> admit(rules::Rewrite& rewrite, std::span<const AdmittedFile> files,
                                       std::string_view rule);

}  // namespace ptofix::fixing
