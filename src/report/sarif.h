// SARIF 2.1.0: results of a run in the shape that code-scanning services read. Built result by result, by whatever has
// findings to show; knows paths, lines and fixes, not where they come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"
#include "report/path_in_repository.h"
#include "report/shard_of_run.h"
#include "report/view.h"

namespace ptofix::report {

struct SarifRegion {
    std::uint64_t line = 1;
    std::uint64_t column = 1, end_line = 0, end_column = 0;  // end_line 0: the whole line
    /// In the file as it is on disk.
    struct Bytes {
        std::uint64_t offset = 0, length = 0;
    };
    std::optional<Bytes> bytes = {};
    std::string snippet = {};  // the text of its lines; may be empty
};

struct SarifPlace {
    std::string path;
    SarifRegion region;
    std::string words;          // may be empty
    std::string function = {};  // "Outer.kernel"; may be empty
    std::uint32_t cell = 0;     // of a notebook, from 1; 0: it is none
};

struct SarifReplacement {
    std::string path;
    SarifRegion region;  // with an end
    std::string text;
};

struct SarifFix {
    std::string description;
    std::vector<SarifReplacement> replacements;
    rules::Applicability applicability = rules::Applicability::safe;
};

/// A comment in the source that silences a result.
struct SarifSuppression {
    std::string reason;
    SarifPlace comment;
};

enum class SarifState : std::uint8_t { none, fresh, unchanged, absent };

struct SarifResult {
    std::string rule;  // of the catalogue, or a code
    rules::Severity severity = rules::Severity::warning;
    std::string message;
    SarifPlace place;
    std::vector<SarifPlace> related;
    std::vector<SarifFix> fixes;
    std::string fingerprint = {};  // by fingerprint.h; may be empty
    SarifState state = SarifState::none;
    std::optional<SarifSuppression> suppression = {};
    std::string analysed = {};  // the file that was, when this was found in another; by these results are in order
};

/// A file that was looked at.
struct SarifArtifact {
    std::string path;
    std::uint64_t length = 0;
    std::string encoding;
    std::string language;  // "python", of a notebook "json"; may be empty
};

struct SarifRun {
    std::string_view version;
    std::string_view homepage = {};  // ends with a slash; empty: rules and tool have no links
    rules::Language language = rules::Language::en;
    std::vector<SarifResult> results;
    std::vector<SarifArtifact> artifacts = {};
    /// Rules to describe beside those of the results. Rules that are no rule of the catalogue are described by the page
    /// of their code.
    std::vector<std::string_view> rules = {};
    std::vector<Problem> problems = {};  // what could not be read or written
    std::optional<int> exit_code = {};   // given: the document says how the run ended, too
    ShardOfRun shard = {};
    PathInRepository in_repository = {};
};

std::string sarif_document(const SarifRun& run);

/// Lines and columns from 1, columns in code points; with bytes. All are the file's own, in a notebook those of its
/// JSON.
SarifRegion sarif_region(const text::Source& source, text::Range range);
SarifPlace sarif_place(const FileReport& report, const Label& label);
SarifFix sarif_fix(const FileReport& report, const FixView& fix);
/// The finding with its place, related places, fixes that may be written, fingerprint and suppression; its message and
/// why it matters.
SarifResult sarif_result(const FileReport& report, const FindingView& finding);
/// The files of the report.
SarifArtifact sarif_artifact(const FileReport& report);

}  // namespace ptofix::report
