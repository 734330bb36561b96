#include "cli/add_ignore.h"

#include <map>
#include <string>
#include <utility>

#include "fixing/add_suppressions.h"
#include "fixing/suppression_findings.h"
#include "trace/project.h"

namespace ptofix::cli {

IgnoreAnswer add_ignores(std::span<const Input> inputs, std::span<const report::FileReport> reports,
                         std::string_view reason, rules::Severity lowest) {
    // By the file that a finding is in, which may be another one than the analysed.
    std::map<std::string, std::vector<fixing::SuppressionWish>> wishes;
    IgnoreAnswer answer;
    for (const report::FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) {
            if (!report::is_shown(finding) || finding.severity < lowest) continue;
            if (finding.rule == fixing::kInvalidSuppression) continue;
            wishes[report.files[finding.primary.file].path()].push_back({finding.rule, finding.primary.range});
            ++answer.refused;  // until it is silenced
        }
    }
    trace::Project project;
    for (const Input& input : inputs) {
        const auto of_file = wishes.find(input.source->path());
        if (of_file == wishes.end()) continue;
        const auto file = project.parse(input.source);
        if (!file) continue;
        fixing::AddedSuppressions added = fixing::add_suppressions(project, *file, of_file->second, reason);
        if (added.edits.empty()) continue;
        answer.silenced += static_cast<std::int64_t>(added.silenced.size());
        answer.changed.push_back({input.path, input.source, added.edits.apply(input.source->text())});
    }
    answer.refused -= answer.silenced;
    return answer;
}

}  // namespace ptofix::cli
