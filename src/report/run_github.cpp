// Workflow commands of GitHub Actions: lines on stdout that its runner shows as annotations of the changed files.
#include <fmt/format.h>

#include "report/run_report.h"
#include "text/cell_place.h"

namespace ptofix::report {

namespace {

/// Of a message: what ends it or begins another command is written as %25, %0D, %0A.
std::string escaped_data(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '%':
                out += "%25";
                break;
            case '\r':
                out += "%0D";
                break;
            case '\n':
                out += "%0A";
                break;
            default:
                out += c;
        }
    }
    return out;
}

/// Of a property, which a colon or a comma would end.
std::string escaped_property(std::string_view text) {
    std::string out;
    for (const char c : escaped_data(text)) {
        if (c == ':') {
            out += "%3A";
        } else if (c == ',') {
            out += "%2C";
        } else {
            out += c;
        }
    }
    return out;
}

std::string_view command_of(rules::Severity severity) {
    return severity == rules::Severity::info ? "notice" : to_string(severity);
}

std::string line_of(const RunReport& run, const FileReport& file, const FindingView& finding) {
    const text::Source& source = file.files[finding.primary.file];
    const auto [start, end] = source.file_positions(finding.primary.range);
    std::string out = fmt::format(
        "::{} title={},file={},line={},endLine={}", command_of(finding.severity),
        escaped_property(fmt::format("{} {}", finding.rule, finding.name)),
        escaped_property(path_for_service(run.in_repository, file.paths[finding.primary.file])), start.line, end.line);
    // The runner takes columns of one line alone.
    if (start.line == end.line) out += fmt::format(",col={},endColumn={}", start.column, end.column);
    // The runner shows the file as it is, a person sees its cells.
    std::string message =
        source.is_notebook() ? text::place_in(source, finding.primary.range.start) + ": " : std::string();
    message += finding.message;
    if (!finding.why.empty()) message += "\n" + finding.why;
    return fmt::format("{}::{}\n", out, escaped_data(message));
}

}  // namespace

std::string github_of(const RunReport& run) {
    std::string out;
    for (const FileReport& file : run.files) {
        for (const FindingView& finding : file.findings) {
            if (is_shown(finding)) out += line_of(run, file, finding);
        }
    }
    for (const Problem& problem : run.problems) {
        out += fmt::format("::error title=pto-fix,file={}::{}\n",
                           escaped_property(path_for_service(run.in_repository, problem.path)),
                           escaped_data(problem.message));
    }
    return out;
}

}  // namespace ptofix::report
