#include "cli/known_findings.h"

#include <algorithm>

#include "report/fingerprint.h"

namespace ptofix::cli {

KnownFindings::KnownFindings(std::span<const report::FileReport> reports) {
    for (const report::FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) {
            const text::Source& source = report.files[finding.primary.file];
            const bool is_known = finding.baseline == report::Baseline::unchanged;
            counts_[{source.path(), std::string(finding.rule), report::flagged_words(source, finding.primary.range),
                     finding.function}] += is_known ? 1 : 0;
            any_ = any_ || is_known;
        }
    }
}

KnownFindings::Key KnownFindings::key_of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) {
    const rules::Location& at = diagnosis.finding.location;
    return {analysis.path(at.file), std::string(diagnosis.finding.rule),
            report::flagged_words(*analysis.sources[at.file], at.range), diagnosis.function};
}

/// But for the function.
bool KnownFindings::are_alike(const Key& a, const Key& b) {
    return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b) && std::get<2>(a) == std::get<2>(b);
}

std::size_t KnownFindings::homeless(const Key& key, const fixing::Analysis& analysis) const {
    std::size_t count = 0;
    const auto& [path, rule, words, function] = key;
    for (auto at = counts_.lower_bound({path, rule, words, {}}); at != counts_.end(); ++at) {
        if (!are_alike(at->first, key)) break;
        const auto is_there = [&](const fixing::Diagnosis& other) { return key_of(other, analysis) == at->first; };
        if (at->second != 0 && std::ranges::none_of(analysis.findings, is_there)) count += at->second;
    }
    return count;
}

bool KnownFindings::hold(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const {
    if (!any_) return false;
    const Key key = key_of(diagnosis, analysis);
    const auto found = counts_.find(key);
    const std::size_t count = found != counts_.end() ? found->second : homeless(key, analysis);
    if (count == 0) return false;
    const rules::Location& at = diagnosis.finding.location;
    const auto is_before = [&](const fixing::Diagnosis& other) {
        const rules::Location& place = other.finding.location;
        if (place.file != at.file || place.range.start >= at.range.start) return false;
        const Key of_other = key_of(other, analysis);
        return found != counts_.end() ? of_other == key : are_alike(of_other, key) && !counts_.contains(of_other);
    };
    return static_cast<std::size_t>(std::ranges::count_if(analysis.findings, is_before)) < count;
}

}  // namespace ptofix::cli
