#include "lsp/diagnostics.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "fixing/suppression_findings.h"
#include "lsp/positions.h"
#include "lsp/rule_pages.h"
#include "rules/messages.h"
#include "text/uri.h"

namespace ptofix::lsp {

namespace {

// DiagnosticSeverity
constexpr int kError = 1, kWarning = 2, kInformation = 3;

int severity_of(rules::Severity severity) {
    switch (severity) {
        case rules::Severity::error:
            return kError;
        case rules::Severity::warning:
            return kWarning;
        case rules::Severity::info:
            return kInformation;
    }
    return kInformation;
}

Json json_of_data(const rules::Data& data) {
    Json out = Json::object();
    for (const auto& [key, value] : data.items()) out[key] = std::visit([](const auto& v) { return Json(v); }, value);
    return out;
}

Json syntax_error(const fixing::Analysis& analysis, const ClientCapabilities& client, rules::Language language) {
    const text::LineIndex& lines = analysis.source->lines();
    const text::Range whole = *analysis.syntax_error;
    // A statement that does not parse may be long: its first line is marked.
    const std::uint32_t line_end = lines.line_range(lines.line_of(whole.start)).end;
    const text::Range range{whole.start, std::max(whole.start, std::min(whole.end, line_end))};
    const rules::Text text{"lsp.syntax_error", {}};
    return {{"range", json_of(range, lines, client.unit)},
            {"severity", kInformation},
            {"source", kSourceName},
            {"code", "syntax-error"},
            {"message", rules::render(text, language)}};
}

}  // namespace

report::FindingView view_of(const fixing::Diagnosis& diagnosis, rules::Language language) {
    return report::view_of(diagnosis.finding, diagnosis.rewrite, language);
}

std::string hash_of(std::string_view text) {
    return fmt::format("{:016x}", std::hash<std::string_view>{}(text));
}

Json Diagnostics::of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const {
    const ClientCapabilities& client = client_;
    const rules::Language language = settings_.language;
    const report::FindingView view = view_of(diagnosis, language);
    const auto range = [&](const report::Label& label) {
        return json_of(label.range, analysis.sources[label.file]->lines(), client.unit);
    };
    Json out = {{"range", range(view.primary)},
                {"severity", severity_of(view.severity)},
                {"code", view.rule},
                {"source", kSourceName},
                {"message", view.message}};
    if (client.unnecessary_tag && diagnosis.finding.message.id == rules::kUnusedSuppression) {
        out["tags"] = {kUnnecessaryTag};
    }
    if (client.code_description) {
        const std::string page = page_uri(view.rule, language);
        if (!page.empty()) out["codeDescription"] = {{"href", page}};
    }
    if (client.related_information) {
        Json related = Json::array();
        const auto add = [&](const report::Label& label, const std::string& words) {
            const text::Source& source = *analysis.sources[label.file];
            const Document* open = documents_.find_text(source);
            const std::string uri = open != nullptr ? open->uri : text::uri_of_path(source.path());
            related.push_back({{"location", {{"uri", uri}, {"range", range(label)}}}, {"message", words}});
        };
        for (const report::Label& label : view.related) add(label, label.words);
        if (view.blocked && view.blocked->place) add(*view.blocked->place, view.blocked->reason);
        if (!related.empty()) out["relatedInformation"] = std::move(related);
    }
    if (client.diagnostic_data) {
        out["data"] = {{"rule", view.rule}, {"name", view.name}, {"numbers", json_of_data(view.data)}};
        if (view.fix) out["data"]["fix"] = report::to_string(view.fix->applicability);
        if (view.blocked) out["data"]["blocked"] = view.blocked->id;
    }
    return out;
}

Json Diagnostics::in_file(const fixing::Analysis& analysis, const std::string& path) const {
    Json out = Json::array();
    for (const fixing::Diagnosis& diagnosis : analysis.findings) {
        if (analysis.path(diagnosis.finding.location.file) != path) continue;
        out.push_back(of(diagnosis, analysis));
    }
    if (analysis.syntax_error && analysis.source->path() == path) {
        out.push_back(syntax_error(analysis, client_, settings_.language));
    }
    return out;
}

}  // namespace ptofix::lsp
