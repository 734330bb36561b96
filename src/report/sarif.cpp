#include "report/sarif.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/json_values.h"
#include "report/view.h"
#include "rules/codes.h"
#include "text/uri.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

std::string_view level_of(rules::Severity severity) {
    return severity == rules::Severity::info ? "note" : to_string(severity);
}

std::string uri_of(std::string_view path) {
    while (path.starts_with("./")) path.remove_prefix(2);
    return text::uri_of_path(path);
}

ordered_json region_json(const SarifRegion& region) {
    ordered_json out{{"startLine", region.line}};
    if (region.end_line == 0) return out;
    out["startColumn"] = region.column;
    out["endLine"] = region.end_line;
    out["endColumn"] = region.end_column;
    return out;
}

ordered_json location_json(const SarifPlace& place) {
    ordered_json out;
    out["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(place.path)}}},
                               {"region", region_json(place.region)}};
    if (!place.words.empty()) out["message"] = {{"text", place.words}};
    return out;
}

ordered_json fix_json(const SarifFix& fix) {
    std::map<std::string, ordered_json> by_path;
    for (const SarifReplacement& replacement : fix.replacements) {
        ordered_json one;
        one["deletedRegion"] = region_json(replacement.region);
        one["insertedContent"] = {{"text", replacement.text}};
        by_path.try_emplace(replacement.path, ordered_json::array()).first->second.push_back(std::move(one));
    }
    ordered_json changes = ordered_json::array();
    for (auto& [path, replacements] : by_path) {
        changes.push_back({{"artifactLocation", {{"uri", uri_of(path)}}}, {"replacements", std::move(replacements)}});
    }
    return {{"description", {{"text", fix.description}}}, {"artifactChanges", std::move(changes)}};
}

ordered_json rule_json(const std::string& id, rules::Language language) {
    ordered_json out{{"id", id}};
    const bool zh = language == rules::Language::zh;
    if (const rules::Rule* rule = rules::find_rule(id)) {
        out["name"] = rule->name;
        out["shortDescription"] = {{"text", zh ? rule->summary_zh : rule->summary_en}};
        out["fullDescription"] = {{"text", zh ? rule->zh.what : rule->en.what}};
        out["help"] = {{"text", zh ? rule->zh.fix : rule->en.fix}};
        out["defaultConfiguration"] = {{"level", level_of(rule->severity)}};
    } else if (const rules::Code* code = rules::find_code(id)) {
        const rules::CodePage& page = zh ? code->zh : code->en;
        out["shortDescription"] = {{"text", page.title}};
        out["fullDescription"] = {{"text", page.what}};
        out["help"] = {{"text", page.cure}};
    }
    return out;
}

}  // namespace

SarifRegion sarif_region(const text::Source& source, text::Range range) {
    const text::Position start = source.lines().position(range.start);
    const text::Position end = source.lines().position(range.end);
    return {start.line, start.column, end.line, end.column};
}

SarifPlace sarif_place(const FileReport& report, const Label& label) {
    return {report.paths[label.file], sarif_region(report.files[label.file], label.range), label.words};
}

SarifFix sarif_fix(const FileReport& report, const FixView& fix) {
    SarifFix out;
    out.description = fix.description;
    for (const rules::FileEdit& edit : fix.edits) {
        out.replacements.push_back(
            {report.paths[edit.file], sarif_region(report.files[edit.file], edit.range), edit.text});
    }
    return out;
}

std::string sarif_document(std::string_view version, const std::vector<SarifResult>& results,
                           rules::Language language) {
    std::vector<std::string> ids;
    for (const SarifResult& result : results) {
        if (std::ranges::find(ids, result.rule) == ids.end()) ids.push_back(result.rule);
    }
    std::ranges::sort(ids);
    ordered_json rules = ordered_json::array();
    for (const std::string& id : ids) rules.push_back(rule_json(id, language));
    ordered_json list = ordered_json::array();
    for (const SarifResult& result : results) {
        ordered_json one;
        one["ruleId"] = result.rule;
        one["ruleIndex"] = std::ranges::find(ids, result.rule) - ids.begin();
        one["level"] = level_of(result.severity);
        one["message"] = {{"text", result.message}};
        one["locations"] = ordered_json::array({location_json(result.place)});
        if (!result.related.empty()) {
            ordered_json& related = one["relatedLocations"] = ordered_json::array();
            for (std::size_t i = 0; i < result.related.size(); ++i) {
                ordered_json place = location_json(result.related[i]);
                place["id"] = i + 1;
                related.push_back(std::move(place));
            }
        }
        if (!result.fixes.empty()) {
            ordered_json& fixes = one["fixes"] = ordered_json::array();
            for (const SarifFix& fix : result.fixes) fixes.push_back(fix_json(fix));
        }
        list.push_back(std::move(one));
    }
    ordered_json driver{{"name", "pto-fix"}, {"version", version}, {"rules", std::move(rules)}};
    ordered_json run;
    run["tool"] = {{"driver", std::move(driver)}};
    run["language"] = language == rules::Language::zh ? "zh" : "en";
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = std::move(list);
    const ordered_json document{
        {"$schema", kSchema}, {"version", "2.1.0"}, {"runs", ordered_json::array({std::move(run)})}};
    return escape_controls(document.dump(2, ' ', false, ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace ptofix::report
