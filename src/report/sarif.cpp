#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "report/json_values.h"
#include "report/rule_page.h"
#include "report/view.h"
#include "rules/codes.h"
#include "text/uri.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Paths are relative to the root of the repository; what that is on another machine its reader knows.
constexpr std::string_view kRoot = "%SRCROOT%";
constexpr std::string_view kProperty = "pto-fix/";

std::string_view level_of(rules::Severity severity) {
    return severity == rules::Severity::info ? "note" : to_string(severity);
}

std::string_view state_word(SarifState state) {
    switch (state) {
        case SarifState::fresh:
            return "new";
        case SarifState::unchanged:
            return "unchanged";
        case SarifState::absent:
            return "absent";
        case SarifState::none:
            break;
    }
    return {};
}

/// "python-loop-in-kernel" as SARIF wants names: "PythonLoopInKernel".
std::string pascal_case(std::string_view name) {
    std::string out;
    bool upper = true;
    for (const char c : name) {
        if (c != '-') out += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        upper = c == '-';
    }
    return out;
}

/// Braces stand for arguments unless they are doubled.
std::string doubled_braces(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '{' || c == '}') out += c;
    }
    return out;
}

ordered_json message_json(std::string_view text) {
    return {{"text", doubled_braces(text)}};
}

/// In IANA's words, where Python has its own.
std::string encoding_json(std::string_view name) {
    constexpr std::string_view kIso = "iso8859";
    if (name.starts_with(kIso)) return fmt::format("iso-8859{}", name.substr(kIso.size()));
    return std::string(name);
}

ordered_json region_json(const SarifRegion& region) {
    ordered_json out{{"startLine", region.line}};
    if (region.end_line != 0) {
        out["startColumn"] = region.column;
        out["endLine"] = region.end_line;
        out["endColumn"] = region.end_column;
    }
    if (region.bytes) {
        out["byteOffset"] = region.bytes->offset;
        out["byteLength"] = region.bytes->length;
    }
    if (!region.snippet.empty()) out["snippet"] = {{"text", region.snippet}};
    return out;
}

/// Lays out the parts that name files.
class Document {
  public:
    explicit Document(const SarifRun& run) : run_(run) {
        for (const SarifArtifact& artifact : run.artifacts) indices_.try_emplace(artifact.path, indices_.size());
    }

    ordered_json artifact_location(std::string_view path) const {
        const auto known = indices_.find(path);
        const std::size_t index = known == indices_.end() ? indices_.size() : known->second;
        const std::string shown = path_for_service(run_.in_repository, std::string(path));
        ordered_json out{{"uri", text::uri_of_path(shown)}};
        if (!shown.starts_with('/')) out["uriBaseId"] = kRoot;
        if (index < indices_.size()) out["index"] = index;
        return out;
    }

    ordered_json location(const SarifPlace& place) const {
        ordered_json out;
        out["physicalLocation"] = {{"artifactLocation", artifact_location(place.path)},
                                   {"region", region_json(place.region)}};
        ordered_json logical = ordered_json::array();
        if (place.cell != 0) {
            const std::string name = fmt::format("cell {}", place.cell);
            logical.push_back({{"name", name}, {"fullyQualifiedName", name}, {"kind", "module"}});
        }
        if (!place.function.empty()) {
            const std::size_t dot = place.function.rfind('.');
            const std::string name = dot == std::string::npos ? place.function : place.function.substr(dot + 1);
            ordered_json function{{"name", name}, {"fullyQualifiedName", place.function}, {"kind", "function"}};
            logical.push_back(std::move(function));
        }
        if (!logical.empty()) out["logicalLocations"] = std::move(logical);
        if (!place.words.empty()) out["message"] = message_json(place.words);
        return out;
    }

    ordered_json fix(const SarifFix& fix) const {
        std::map<std::string, ordered_json> by_path;
        for (const SarifReplacement& replacement : fix.replacements) {
            ordered_json one;
            one["deletedRegion"] = region_json(replacement.region);
            if (!replacement.text.empty()) one["insertedContent"] = {{"text", replacement.text}};
            by_path.try_emplace(replacement.path, ordered_json::array()).first->second.push_back(std::move(one));
        }
        ordered_json changes = ordered_json::array();
        for (auto& [path, replacements] : by_path) {
            changes.push_back(
                {{"artifactLocation", artifact_location(path)}, {"replacements", std::move(replacements)}});
        }
        return {{"description", message_json(fix.description)},
                {"artifactChanges", std::move(changes)},
                {"properties", {{fmt::format("{}applicability", kProperty), to_string(fix.applicability)}}}};
    }

    ordered_json result(const SarifResult& result, std::size_t rule_index) const {
        ordered_json one;
        one["ruleId"] = result.rule;
        one["ruleIndex"] = rule_index;
        one["level"] = level_of(result.severity);
        one["message"] = message_json(result.message);
        one["locations"] = ordered_json::array({location(result.place)});
        if (!result.related.empty()) {
            ordered_json& related = one["relatedLocations"] = ordered_json::array();
            for (std::size_t i = 0; i < result.related.size(); ++i) {
                ordered_json place = location(result.related[i]);
                place["id"] = i + 1;
                related.push_back(std::move(place));
            }
        }
        if (!result.fingerprint.empty()) {
            // The first is what GitHub compares, the second is ours to read again.
            one["partialFingerprints"] = {{"primaryLocationLineHash", result.fingerprint},
                                          {fmt::format("{}v1", kProperty), result.fingerprint}};
        }
        if (result.state != SarifState::none) one["baselineState"] = state_word(result.state);
        if (result.suppression) {
            ordered_json suppression{{"kind", "inSource"}, {"status", "accepted"}};
            if (!result.suppression->reason.empty()) suppression["justification"] = result.suppression->reason;
            suppression["location"] = location(result.suppression->comment);
            one["suppressions"] = ordered_json::array({std::move(suppression)});
        }
        if (!result.fixes.empty()) {
            ordered_json& fixes = one["fixes"] = ordered_json::array();
            for (const SarifFix& each : result.fixes) fixes.push_back(fix(each));
        }
        const auto analysed = indices_.find(result.analysed);
        if (run_.shard.of > 1 && analysed != indices_.end()) one["properties"] = {{kAnalysedKey, analysed->second}};
        return one;
    }

    ordered_json rule(const std::string& id) const {
        ordered_json out{{"id", id}};
        const bool zh = run_.language == rules::Language::zh;
        if (const rules::Rule* rule = rules::find_rule(id)) {
            const rules::Page& page = zh ? rule->zh : rule->en;
            out["name"] = pascal_case(rule->name);
            out["shortDescription"] = {{"text", zh ? rule->summary_zh : rule->summary_en}};
            out["fullDescription"] = {{"text", page.what}};
            out["help"] = {{"text", fmt::format("{}\n\n{}", page.why, page.fix)},
                           {"markdown", rule_page(*rule, run_.language)}};
            if (!run_.homepage.empty()) {
                out["helpUri"] = fmt::format("{}docs/rules/{}{}.md", run_.homepage, id, zh ? ".zh" : "");
            }
            out["defaultConfiguration"] = {{"level", level_of(rule->severity)}};
            const bool info = rule->severity == rules::Severity::info;
            out["properties"] = {{"tags", ordered_json::array({"pypto", topic(id)})},
                                 {"precision", "very-high"},
                                 {"problem.severity", info ? "recommendation" : to_string(rule->severity)}};
        } else if (const rules::Code* code = rules::find_code(id)) {
            const rules::CodePage& page = zh ? code->zh : code->en;
            out["shortDescription"] = {{"text", page.title}};
            out["fullDescription"] = {{"text", page.what}};
            out["help"] = {{"text", page.cure}};
        }
        return out;
    }

    ordered_json artifacts() const {
        ordered_json out = ordered_json::array();
        for (const SarifArtifact& artifact : run_.artifacts) {
            ordered_json location = artifact_location(artifact.path);
            location.erase("index");
            ordered_json one;
            one["location"] = std::move(location);
            one["roles"] = ordered_json::array({"analysisTarget"});
            one["length"] = artifact.length;
            if (!artifact.encoding.empty()) one["encoding"] = encoding_json(artifact.encoding);
            if (!artifact.language.empty()) one["sourceLanguage"] = artifact.language;
            out.push_back(std::move(one));
        }
        return out;
    }

    ordered_json invocation() const {
        ordered_json out;
        out["executionSuccessful"] = run_.problems.empty();
        out["exitCode"] = *run_.exit_code;
        ordered_json& notices = out["toolExecutionNotifications"] = ordered_json::array();
        for (const Problem& problem : run_.problems) {
            notices.push_back(
                {{"descriptor", {{"id", problem.kind}}},
                 {"level", "error"},
                 {"message", message_json(problem.message)},
                 {"locations", ordered_json::array({{{"physicalLocation",
                                                      {{"artifactLocation", artifact_location(problem.path)}}}}})}});
        }
        return out;
    }

    ordered_json notification_kinds() const {
        std::vector<std::string_view> kinds;
        for (const Problem& problem : run_.problems) kinds.push_back(problem.kind);
        std::ranges::sort(kinds);
        kinds.erase(std::ranges::unique(kinds).begin(), kinds.end());
        ordered_json out = ordered_json::array();
        for (const std::string_view kind : kinds) out.push_back({{"id", kind}});
        return out;
    }

  private:
    static std::string_view topic(std::string_view id) {
        constexpr std::size_t kTopicDigit = 3;  // PTO1..: memory
        switch (id.size() > kTopicDigit ? id[kTopicDigit] : '0') {
            case '1':
                return "memory";
            case '2':
                return "compile-time";
            case '3':
                return "tiles";
            default:
                return "suppressions";
        }
    }

    const SarifRun& run_;
    std::map<std::string, std::size_t, std::less<>> indices_;
};

/// The lines of the range, as far as a person would read them.
std::string snippet_of(const text::Source& source, text::Range range) {
    constexpr std::uint32_t kMostLines = 8;
    const text::LineIndex& lines = source.lines();
    const std::uint32_t first = lines.line_of(range.start);
    const std::uint32_t last = lines.line_of(range.end > range.start ? range.end - 1 : range.end);
    if (last - first >= kMostLines) return {};
    return std::string(
        source.text().substr(lines.line_start(first), lines.line_range(last).end - lines.line_start(first)));
}

}  // namespace

SarifRegion sarif_region(const text::Source& source, text::Range range) {
    const auto [start, end] = source.file_positions(range);
    const text::Range bytes = source.file_range(range);
    SarifRegion region{start.line, start.column, end.line, end.column};
    region.bytes = SarifRegion::Bytes{bytes.start, bytes.size()};
    return region;
}

SarifPlace sarif_place(const FileReport& report, const Label& label) {
    const text::Source& source = report.files[label.file];
    SarifPlace place{report.paths[label.file], sarif_region(source, label.range), label.words};
    if (const auto cell = source.cell(label.range.start)) place.cell = cell->number;
    return place;
}

namespace {

/// What a fix changes in the JSON of a notebook.
void add_notebook_edits(SarifFix& out, const FileReport& report, std::uint16_t file, std::vector<text::Edit> edits) {
    const text::Source& source = report.files[file];
    const auto made = text::Edits::make(std::move(edits), source.text().size());
    const auto in_file = made ? source.notebook_edits(*made) : std::nullopt;
    if (!in_file) return;
    const text::LineIndex& lines = source.file_lines();
    for (const text::Edit& edit : *in_file) {
        const text::Position start = lines.position(edit.range.start), end = lines.position(edit.range.end);
        SarifRegion region{start.line, start.column, end.line, end.column};
        region.bytes = SarifRegion::Bytes{edit.range.start, edit.range.size()};
        out.replacements.push_back({report.paths[file], std::move(region), edit.text});
    }
}

}  // namespace

SarifFix sarif_fix(const FileReport& report, const FixView& fix) {
    SarifFix out;
    out.description = fix.description;
    out.applicability = fix.applicability;
    std::map<std::uint16_t, std::vector<text::Edit>> in_notebooks;
    for (const rules::FileEdit& edit : fix.edits) {
        const text::Source& source = report.files[edit.file];
        if (source.is_notebook()) {
            in_notebooks[edit.file].push_back({edit.range, edit.text});
        } else {
            out.replacements.push_back({report.paths[edit.file], sarif_region(source, edit.range), edit.text});
        }
    }
    for (auto& [file, edits] : in_notebooks) add_notebook_edits(out, report, file, std::move(edits));
    return out;
}

SarifResult sarif_result(const FileReport& report, const FindingView& finding) {
    SarifResult result;
    result.rule = finding.rule;
    result.severity = finding.severity;
    result.message = finding.message;
    if (!finding.why.empty()) result.message += " " + finding.why;
    result.place = sarif_place(report, finding.primary);
    result.place.words.clear();
    result.place.function = finding.function;
    result.place.region.snippet = snippet_of(report.files[finding.primary.file], finding.primary.range);
    for (const Label& label : finding.related) result.related.push_back(sarif_place(report, label));
    // What is only suggested must not be written by a program.
    const auto may_be_written = [](const FixView& fix) {
        return fix.applicability != rules::Applicability::suggestion && !fix.edits.empty();
    };
    if (finding.fix && may_be_written(*finding.fix)) result.fixes.push_back(sarif_fix(report, *finding.fix));
    for (const FixView& fix : finding.alternatives) {
        if (may_be_written(fix)) result.fixes.push_back(sarif_fix(report, fix));
    }
    result.fingerprint = finding.fingerprint;
    if (finding.primary.file != report.main) result.analysed = report.path;
    if (finding.baseline != Baseline::none) {
        result.state = finding.baseline == Baseline::fresh ? SarifState::fresh : SarifState::unchanged;
    }
    if (finding.silenced) {
        result.suppression = SarifSuppression{finding.silenced->reason, sarif_place(report, finding.silenced->comment)};
    }
    return result;
}

SarifArtifact sarif_artifact(const FileReport& report) {
    const text::Source& source = report.files[report.main];
    const std::string language = source.is_notebook() ? "json" : "python";
    return {report.path, source.size(), std::string(source.encoding_name()), language};
}

std::string sarif_document(const SarifRun& run) {
    std::vector<std::string> ids(run.rules.begin(), run.rules.end());
    for (const SarifResult& result : run.results) ids.push_back(result.rule);
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    const Document document(run);
    ordered_json rules = ordered_json::array();
    for (const std::string& id : ids) rules.push_back(document.rule(id));
    ordered_json list = ordered_json::array();
    for (const SarifResult& result : run.results) {
        list.push_back(document.result(
            result, static_cast<std::size_t>(std::ranges::lower_bound(ids, result.rule) - ids.begin())));
    }
    ordered_json driver{{"name", "pto-fix"}, {"fullName", fmt::format("pto-fix {}", run.version)}};
    driver["version"] = run.version;
    driver["semanticVersion"] = run.version;
    if (!run.homepage.empty()) driver["informationUri"] = run.homepage;
    driver["rules"] = std::move(rules);
    if (!run.problems.empty()) driver["notifications"] = document.notification_kinds();
    ordered_json one;
    one["tool"] = {{"driver", std::move(driver)}};
    if (run.exit_code) one["invocations"] = ordered_json::array({document.invocation()});
    one["language"] = run.language == rules::Language::zh ? "zh" : "en";
    const bool zh = run.language == rules::Language::zh;
    one["originalUriBaseIds"] = {
        {kRoot,
         {{"description",
           {{"text", zh ? "仓库的根目录；没有仓库时为运行 pto-fix 的文件夹"
                        : "the root of the repository; without one, the folder that pto-fix ran in"}}}}}};
    if (!run.artifacts.empty()) one["artifacts"] = document.artifacts();
    one["results"] = std::move(list);
    one["newlineSequences"] = ordered_json::array({"\r\n", "\n", "\r"});
    one["columnKind"] = "unicodeCodePoints";
    if (run.shard.of > 1) {
        one["properties"] = {{kShardKey, {{"number", run.shard.number}, {"of", run.shard.of}}}};
    }
    const ordered_json log{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", ordered_json::array({std::move(one)})}};
    return escape_controls(log.dump(2, ' ', false, ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace ptofix::report
