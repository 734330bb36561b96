// From one source to what is wrong with it and how each finding can be fixed. The one function that the command line,
// the language server, the fixpoint and the tests all call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/registry.h"
#include "fixing/suppressions.h"
#include "fixing/timings.h"
#include "hardware/soc.h"
#include "rules/finding.h"
#include "text/source.h"
#include "trace/project.h"
#include "trace/trace.h"
#include "trace/tracer.h"

namespace ptofix::fixing {

class GivenFiles;

struct SeverityOverride {
    std::string rule;                         // selector
    std::optional<rules::Severity> severity;  // nullopt: off
};

struct Config {
    hardware::Soc soc = hardware::Soc::a2a3;
    std::vector<std::string> selected;         // selectors; empty: every rule
    std::vector<std::string> ignored;          // selectors; stronger than selected
    std::vector<SeverityOverride> severities;  // later ones are stronger
    bool legacy_frontend = false;
    std::vector<trace::Assumption> assume;
    bool keep_unknowns = false;                    // fill Trace::unknowns
    Timings* timings = nullptr;                    // where the time that it takes is added up; null: nowhere
    std::shared_ptr<const GivenFiles> given = {};  // of the run; null: a kernel may have callers that are not known
    bool edit_callers = false;                     // in given files, by fixes that are not safe
};

/// A fault of a rule, not of the user's file: its fix was thrown away. Leads to exit code 2.
struct InternalError {
    std::string_view rule;
    std::string path;
    text::Range range;   // of the finding
    std::string detail;  // English, for a bug report
    bool operator==(const InternalError&) const = default;
};

/// A finding with what can be done about it.
struct Diagnosis {
    rules::Finding finding;
    rules::Rewrite rewrite;      // edits are sorted, do not overlap, and break lines as the file does
    std::uint32_t contexts = 1;  // in how many ways the kernel is called that it was found in
    std::string function;        // "Outer.kernel": the definitions around it; empty at module level
    std::optional<Suppression> suppression;
};

struct Analysis {
    enum class Outcome : std::uint8_t {
        analysed,
        not_pypto,  // nothing for a rule to look at (Pipeline::worth_parsing): not parsed
        refused,    // see refusal
    };
    std::shared_ptr<const text::Source> source;
    Outcome outcome = Outcome::not_pypto;
    std::optional<syntax::ParseRefusal> refusal;
    std::optional<text::Range> syntax_error;  // the first one of the analysed file
    bool missing_block = false;               // it is a statement without its indented block
    bool cut_short = false;                   // the file is too much to follow: findings may be missing
    /// Null unless analysed. Trace::files point into the Project that made it.
    std::shared_ptr<const trace::SourceFile> file;
    std::unique_ptr<trace::Trace> trace;
    /// By file id: the analysed file and every file of its trace, then those that a fix edits beside them.
    std::vector<std::shared_ptr<const text::Source>> sources;
    std::vector<Diagnosis> findings;    // those of the analysed file first, by position, then by rule
    std::vector<Diagnosis> suppressed;  // by a comment; not in findings, without a rewrite
    std::vector<InternalError> errors;
    /// What it says rests on these too, and not on what it imports alone. Null: it does not.
    std::shared_ptr<const GivenFiles> asked = {};

    const std::string& path(std::uint16_t file_id) const { return sources[file_id]->path(); }
};

/// Does the word occur in the text at all?
bool mentions_pypto(std::string_view text);
/// Can a rule find anything in it? If not it is not parsed.
bool is_worth_parsing(std::string_view text, const Pipeline& pipeline = default_pipeline());

/// Of a text that is not: there is nothing to find in it.
Analysis analysis_of_idle(std::shared_ptr<const text::Source> source);

Analysis analyse(trace::Project& project, std::shared_ptr<const text::Source> source, const Config& config,
                 const Pipeline& pipeline = default_pipeline());
/// The same for a file that is parsed already.
Analysis analyse(trace::Project& project, std::shared_ptr<const trace::SourceFile> file, const Config& config,
                 const Pipeline& pipeline = default_pipeline());

/// A finding in a file that several others import shows up in the analysis of each. Keeps one of the same rule and
/// place: the most severe, then the one of that file's own analysis, then the first.
void drop_repeated_findings(std::vector<Analysis>& analyses);

}  // namespace ptofix::fixing
