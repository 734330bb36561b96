#include "report/view.h"

#include <fmt/format.h>
#include <algorithm>

#include "rules/messages.h"

namespace ptofix::report {

namespace {

using rules::Language;
using rules::Text;

/// The message "<rule>.<what>" filled from the finding's data, empty when the rule has none.
std::string rule_message(const rules::Finding& finding, std::string_view what, Language language,
                         std::vector<std::string>& shown) {
    const std::string id = fmt::format("{}.{}", finding.rule, what);
    const rules::Message* message = rules::find_message(id);
    if (message == nullptr) return {};
    const auto names = rules::placeholders(message->in(language));
    const bool filled =
        std::ranges::all_of(names, [&](auto name) { return finding.message.data.find(name) != nullptr; });
    if (!filled) return {};  // a label about a number that this variant of the finding does not know
    shown.insert(shown.end(), names.begin(), names.end());
    return rules::render(Text{message->id, finding.message.data}, language);
}

FixView view_of(const rules::Fix& fix, Language language) {
    FixView view{fix.applicability, rules::render(fix.description, language), fix.edits};
    std::ranges::stable_sort(view.edits, [](const rules::FileEdit& a, const rules::FileEdit& b) {
        return std::tie(a.file, a.range.start) < std::tie(b.file, b.range.start);
    });
    return view;
}

}  // namespace

FindingView view_of(const rules::Finding& finding, const rules::Rewrite& rewrite, Language language) {
    FindingView view;
    view.rule = finding.rule;
    const rules::Rule* rule = rules::find_rule(finding.rule);
    view.name = rule ? rule->name : std::string_view{};
    view.severity = finding.severity;
    view.data = finding.message.data;
    view.message = rules::render(finding.message, language);
    if (const rules::Message* message = rules::find_message(finding.message.id)) {
        for (const std::string_view name : rules::placeholders(message->in(language))) {
            view.shown_data.emplace_back(name);
        }
    }
    view.why = rule_message(finding, "why", language, view.shown_data);
    view.primary = {finding.location.file, finding.location.range,
                    rule_message(finding, "label", language, view.shown_data)};
    for (const rules::Related& related : finding.related) {
        view.related.push_back({related.location.file, related.location.range, rules::render(related.text, language)});
    }
    if (rewrite.fix) view.fix = view_of(*rewrite.fix, language);
    view.fix_waits_for_name = rules::waits_for_name(finding);
    for (const rules::Fix& fix : rewrite.alternatives) view.alternatives.push_back(view_of(fix, language));
    if (rewrite.blocked) {
        view.blocked =
            BlockedView{rewrite.blocked->reason.id, rules::render(rewrite.blocked->reason, language), std::nullopt};
        if (rewrite.blocked->location) {
            view.blocked->place = Label{rewrite.blocked->location->file, rewrite.blocked->location->range, {}};
        }
    }
    return view;
}

std::string_view to_string(rules::Severity severity) {
    switch (severity) {
        case rules::Severity::error:
            return "error";
        case rules::Severity::warning:
            return "warning";
        case rules::Severity::info:
            break;
    }
    return "info";
}

std::string_view to_string(rules::Applicability applicability) {
    switch (applicability) {
        case rules::Applicability::safe:
            return "safe";
        case rules::Applicability::unsafe:
            return "unsafe";
        case rules::Applicability::suggestion:
            break;
    }
    return "suggestion";
}

}  // namespace ptofix::report
