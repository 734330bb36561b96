// Names of findings that outlive the next commit: made of what the flagged code says, not of where it stands, so that
// lines added above, another indentation or a renamed file leave them alone. SARIF, GitLab and baselines recognise a
// finding by its fingerprint.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/view.h"

namespace ptofix::report {

/// Fills FindingView::fingerprint of all findings, silenced ones too: sixteen hexadecimal digits of rule, function and
/// the words of the flagged statement's first line, a colon, and the finding's number among equal ones of its file.
void add_fingerprints(std::span<FileReport> reports);

/// What a finding at this place is told by, beside its rule and function: the words of the line without comments and
/// blanks.
std::string flagged_words(const text::Source& source, text::Range range);

/// Of something that no file of source flags, such as a message of a log: of the words that tell it from others.
std::string fingerprint_of(std::span<const std::string_view> words);

}  // namespace ptofix::report
