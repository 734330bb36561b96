// SARIF 2.1.0: results of a run in the shape that code-scanning services read. Built result by result, by whatever has
// findings to show; knows paths, lines and fixes, not where they come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/view.h"

namespace ptofix::report {

struct SarifRegion {
    std::uint64_t line = 1;
    std::uint64_t column = 1, end_line = 0, end_column = 0;  // end_line 0: the whole line
};

struct SarifPlace {
    std::string path;
    SarifRegion region;
    std::string words;  // may be empty
};

struct SarifReplacement {
    std::string path;
    SarifRegion region;  // with an end
    std::string text;
};

struct SarifFix {
    std::string description;
    std::vector<SarifReplacement> replacements;
};

struct SarifResult {
    std::string rule;  // of the catalogue, or a code
    rules::Severity severity = rules::Severity::warning;
    std::string message;
    SarifPlace place;
    std::vector<SarifPlace> related;
    std::vector<SarifFix> fixes;
};

/// Rules that are no rule of the catalogue are described by the page of their code.
std::string sarif_document(std::string_view version, const std::vector<SarifResult>& results, rules::Language language);

/// Lines and columns from 1, columns in code points.
SarifRegion sarif_region(const text::Source& source, text::Range range);
SarifPlace sarif_place(const FileReport& report, const Label& label);
SarifFix sarif_fix(const FileReport& report, const FixView& fix);

}  // namespace ptofix::report
