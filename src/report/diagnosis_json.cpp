// A diagnosed log as JSON. Keys are documented in README.md; what is not known is null.
#include "report/diagnosis_view.h"
#include "report/json_values.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) {
    return text.empty() ? ordered_json() : ordered_json(text);
}

template <typename T>
ordered_json value_or_null(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

ordered_json json_of(const MatchView& match) {
    ordered_json out{{"path", match.path},           {"line", match.line},
                     {"column", match.column},       {"kernel", match.kernel},
                     {"operation", match.operation}, {"step", match.step},
                     {"shape", match.shape},         {"dtype", match.dtype},
                     {"tile", match.tile},           {"tileLine", value_or_null(match.tile_line)}};
    if (match.cell != 0) out["cell"] = match.cell;
    if (!match.with.empty()) out["with"] = match.with;
    return out;
}

ordered_json json_of(const VerdictView& verdict, const DiagnosisReport& report) {
    ordered_json out;
    out["kind"] = verdict.kind;
    out["code"] = text_or_null(verdict.code);
    out["line"] = verdict.line;
    out["pool"] = text_or_null(verdict.pool);
    out["stage"] = text_or_null(verdict.stage);
    out["pass"] = text_or_null(verdict.pass);
    out["function"] = text_or_null(verdict.function);
    out["operation"] = text_or_null(verdict.operation);
    out["bytes"] = value_or_null(verdict.bytes);
    out["limit"] = value_or_null(verdict.limit);
    out["together"] = verdict.together.empty() ? ordered_json() : ordered_json(verdict.together);
    out["confidence"] = verdict.confidence;
    out["headline"] = verdict.headline;
    out["reasons"] = verdict.reasons;
    out["noUse"] = verdict.no_use;
    out["advice"] = verdict.advice;
    out["shapes"] = ordered_json::array();
    for (const ShapeView& shape : verdict.shapes) {
        out["shapes"].push_back(
            {{"dtype", shape.dtype}, {"elements", shape.elements}, {"shape", shape.shape}, {"printed", shape.printed}});
    }
    out["matches"] = ordered_json::array();
    for (const MatchView& match : verdict.matches) out["matches"].push_back(json_of(match));
    out["messages"] = ordered_json::array();
    for (const LogMessageView& message : verdict.messages) {
        out["messages"].push_back({{"line", message.line},
                                   {"count", message.count},
                                   {"code", text_or_null(message.code)},
                                   {"text", message.text}});
    }
    // By their place in the array `findings` of the document.
    out["findings"] = ordered_json::array();
    for (const VerdictView::FindingAt& at : verdict.findings) {
        std::size_t index = at.finding;
        for (std::size_t i = 0; i < at.file; ++i) index += report.files[i].findings.size();
        out["findings"].push_back(index);
    }
    return out;
}

}  // namespace

std::string json_of(std::string_view version, const DiagnosisReport& report, const std::vector<Problem>& problems,
                    const FixingView* fixing) {
    std::vector<JsonFragment> fragments;
    fragments.reserve(report.files.size() + problems.size());
    for (const FileReport& file : report.files) fragments.push_back(json_of(file));
    for (const Problem& problem : problems) fragments.push_back(json_of(problem));
    std::string out = json_document(version, fragments, fixing);
    // One object: the log's keys go behind the version.
    const std::size_t at = out.find(",\n\"files\":");
    std::string own =
        ",\n\"log\":" + dump(ordered_json{{"path", report.log}, {"lines", report.lines}, {"bytes", report.bytes}});
    own += ",\n\"verdicts\":[";
    bool first = true;
    for (const VerdictView& verdict : report.verdicts) {
        own += first ? "\n" : ",\n";
        own += dump(json_of(verdict, report));
        first = false;
    }
    own += "]";
    out.insert(at, own);
    return out;
}

}  // namespace ptofix::report
