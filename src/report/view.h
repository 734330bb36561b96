// What a report shows of a finding, in one language: places, words and fixes, with nothing left to decide but layout.
// Every format (text, JSON and those to come) is written from this one model, so that they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalogue.h"
#include "rules/finding.h"
#include "text/range.h"
#include "text/source.h"

namespace ptofix::report {

/// A place and what is said about it; the words may be empty.
struct Label {
    std::uint16_t file = 0;  // FileReport::files
    text::Range range;
    std::string words;
};

struct FixView {
    rules::Applicability applicability = rules::Applicability::safe;
    std::string description;
    std::vector<rules::FileEdit> edits;
};

struct BlockedView {
    std::string_view id;  // of the message: stable, for programs
    std::string reason;
    std::optional<Label> place;
};

/// Whether a former run, the baseline, had the finding.
enum class Baseline : std::uint8_t { none, fresh, unchanged };

/// A comment that silences the finding.
struct SilencedView {
    std::string reason;  // as written; may be empty
    Label comment;
};

struct FindingView {
    std::string_view rule, name;
    rules::Severity severity = rules::Severity::warning;
    std::string message;         // what is wrong, with the numbers
    std::string why;             // what it leads to; may be empty
    std::string function;        // "Outer.kernel": the definitions around it; may be empty
    std::uint32_t contexts = 1;  // in how many ways the kernel is called that it was found in
    Label primary;
    std::vector<Label> related;
    rules::Data data;
    std::vector<std::string> shown_data;  // keys whose value the words above carry
    std::optional<FixView> fix;
    bool fix_waits_for_name = false;  // it is written only where --select names the rule
    std::vector<FixView> alternatives;
    std::optional<BlockedView> blocked;
    std::optional<SilencedView> silenced;  // of FileReport::silenced alone
    std::string fingerprint;               // by fingerprint.h
    Baseline baseline = Baseline::none;
};

/// With a baseline, the formats for people and for alarms show what is new.
inline bool is_shown(const FindingView& finding) {
    return finding.baseline != Baseline::unchanged;
}

struct FileReport {
    std::string path;                 // as it is shown
    std::vector<text::Source> files;  // by Label::file; the analysed file is `main`
    std::vector<std::string> paths;   // how each of them is shown
    std::uint16_t main = 0;
    std::vector<FindingView> findings;        // in the order of their places
    std::vector<FindingView> silenced;        // by comments; filled where they are asked for
    std::vector<Label> unknowns;              // with --explain-unknown: what could not be followed, and why
    std::optional<text::Range> syntax_error;  // the first one
    bool missing_block = false;               // it is a statement without its indented block
    bool cut_short = false;                   // the file is too much to follow: findings may be missing
    bool changed = false;                     // by --apply
    std::string diff;                         // with --diff
};

/// What the fixing engine did in a run.
struct FixingView {
    std::string_view stop;  // why it ended, a stable word of the fixing engine
    std::uint32_t rounds = 0;
    std::vector<std::pair<std::string_view, std::uint32_t>> applied;  // fixes by rule
    std::vector<std::string_view> stop_rules;                         // that do not come to rest
    std::vector<std::string_view> quarantined;                        // whose fix broke the text and was taken back
};

FindingView view_of(const rules::Finding& finding, const rules::Rewrite& rewrite, rules::Language language);

/// "error", "warning", "info": the words of the JSON contract.
std::string_view to_string(rules::Severity severity);
/// "safe", "unsafe", "suggestion".
std::string_view to_string(rules::Applicability applicability);

}  // namespace ptofix::report
