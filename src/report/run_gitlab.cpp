// GitLab's Code Quality report: an array of issues, which GitLab compares by fingerprint between two branches.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/json_values.h"
#include "report/run_report.h"
#include "text/cell_place.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

std::string_view severity_word(rules::Severity severity) {
    switch (severity) {
        case rules::Severity::error:
            return "critical";
        case rules::Severity::warning:
            return "major";
        case rules::Severity::info:
            break;
    }
    return "info";
}

ordered_json issue(const RunReport& run, const FileReport& file, const FindingView& finding) {
    const text::Source& source = file.files[finding.primary.file];
    const auto [start, end] = source.file_positions(finding.primary.range);
    const std::string path = path_for_service(run.in_repository, file.paths[finding.primary.file]);
    ordered_json out;
    out["type"] = "issue";
    out["check_name"] = finding.rule;
    const std::string where =
        source.is_notebook() ? text::place_in(source, finding.primary.range.start) + ": " : std::string();
    out["description"] = fmt::format("{} {}{}", finding.rule, where, finding.message);
    if (!finding.why.empty()) out["content"] = {{"body", finding.why}};
    out["categories"] = ordered_json::array({finding.severity == rules::Severity::error ? "Bug Risk" : "Performance"});
    out["severity"] = severity_word(finding.severity);
    // Unique in the report, and the same as long as the file and the flagged code are.
    out["fingerprint"] = fmt::format("{}:{}:{}", finding.rule, path, finding.fingerprint);
    out["location"] = {{"path", path}, {"lines", {{"begin", start.line}, {"end", end.line}}}};
    return out;
}

}  // namespace

std::string gitlab_of(const RunReport& run) {
    std::string out = "[";
    bool first = true;
    for (const FileReport& file : run.files) {
        for (const FindingView& finding : file.findings) {
            if (!is_shown(finding)) continue;
            out += first ? "\n" : ",\n";
            out += dump(issue(run, file, finding));
            first = false;
        }
    }
    return out + (first ? "]\n" : "\n]\n");
}

}  // namespace ptofix::report
