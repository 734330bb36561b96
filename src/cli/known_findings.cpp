#include "cli/known_findings.h"

#include <algorithm>

#include "report/fingerprint.h"

namespace ptofix::cli {

KnownFindings::KnownFindings(std::span<const report::FileReport> reports) {
    for (const report::FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) {
            if (finding.baseline != report::Baseline::unchanged) continue;
            const text::Source& source = report.files[finding.primary.file];
            ++counts_[{source.path(), std::string(finding.rule), report::flagged_words(source, finding.primary.range)}];
        }
    }
}

KnownFindings::Key KnownFindings::key_of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) {
    const rules::Location& at = diagnosis.finding.location;
    return {analysis.path(at.file), std::string(diagnosis.finding.rule),
            report::flagged_words(*analysis.sources[at.file], at.range)};
}

bool KnownFindings::hold(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const {
    if (counts_.empty()) return false;
    const Key key = key_of(diagnosis, analysis);
    const auto found = counts_.find(key);
    if (found == counts_.end()) return false;
    const rules::Location& at = diagnosis.finding.location;
    const auto is_before = [&](const fixing::Diagnosis& other) {
        const rules::Location& place = other.finding.location;
        return place.file == at.file && place.range.start < at.range.start && key_of(other, analysis) == key;
    };
    return static_cast<std::size_t>(std::ranges::count_if(analysis.findings, is_before)) < found->second;
}

}  // namespace ptofix::cli
