#include "cli/report_document.h"

#include <algorithm>

#include "report/text.h"
#include "rules/catalogue.h"

namespace ptofix::cli {

namespace {

std::string text_of(const report::RunReport& run) {
    report::TextStyle style;
    style.language = run.language;
    std::string out;
    for (const report::FileReport& file : run.files) out += report::text_of(file, style);
    return out;
}

}  // namespace

std::string document_of(Format format, const report::RunReport& run) {
    switch (format) {
        case Format::json:
            return report::json_of(run);
        case Format::sarif:
            return report::sarif_of(run);
        case Format::github:
            return report::github_of(run);
        case Format::gitlab:
            return report::gitlab_of(run);
        case Format::junit:
            return report::junit_of(run);
        case Format::html:
            return report::html_of(run);
        case Format::text:
            break;
    }
    return text_of(run);
}

std::vector<std::string_view> rules_looked_for(std::span<const std::string> selected,
                                               std::span<const std::string> ignored) {
    std::vector<std::string_view> ids;
    for (const rules::Rule& rule : rules::catalogue()) {
        const auto selects = [&](const std::string& selector) { return rule.id.starts_with(selector); };
        if (!selected.empty() && std::ranges::none_of(selected, selects)) continue;
        if (std::ranges::none_of(ignored, selects)) ids.push_back(rule.id);
    }
    return ids;
}

}  // namespace ptofix::cli
