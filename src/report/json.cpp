#include "report/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/json_values.h"
#include "report/run_report.h"
#include "rules/catalogue.h"
#include "text/cell_place.h"
#include "text/line_index.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

ordered_json json_value(const rules::DataValue& value) {
    return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

/// line, column, endLine, endColumn; in a notebook also cell, and lines count from its first one.
void put_place(ordered_json& out, const text::Source& source, text::Range range) {
    const text::CellLine start = text::line_in(source, range.start);
    text::Position end = source.lines().position(range.end);
    if (start.cell != 0) out["cell"] = start.cell;
    end.line -= source.lines().line_of(range.start) - start.line;
    out["line"] = start.line;
    out["column"] = start.column;
    out["endLine"] = end.line;
    out["endColumn"] = end.column;
}

ordered_json json_of(const Label& label, const FileReport& report) {
    ordered_json out;
    out["path"] = report.paths[label.file];
    put_place(out, report.files[label.file], label.range);
    if (!label.words.empty()) out["message"] = label.words;
    return out;
}

/// False for edits that no cell of a notebook can take; a fix that has one is blocked, and nobody can do it.
bool may_edit(const FixView& fix, const FileReport& report) {
    return std::ranges::all_of(fix.edits,
                               [&](const rules::FileEdit& e) { return report.files[e.file].may_edit(e.range); });
}

ordered_json json_of(const FixView& fix, const FileReport& report) {
    ordered_json edits = ordered_json::array();
    for (const rules::FileEdit& edit : fix.edits) {
        const text::Source& source = report.files[edit.file];
        ordered_json one;
        if (edit.file != report.main) one["path"] = report.paths[edit.file];
        if (const auto cell = text::cell_of_edit(source, edit.range)) {
            const text::Edit own = source.cell_edit({edit.range, edit.text});
            one["cell"] = cell->number;
            one["start"] = own.range.start;
            one["end"] = own.range.end;
            one["text"] = own.text;
        } else {
            one["start"] = source.file_offset(edit.range.start);
            one["end"] = source.file_offset(edit.range.end);
            one["text"] = edit.text;
        }
        edits.push_back(std::move(one));
    }
    ordered_json out;
    out["applicability"] = to_string(fix.applicability);
    out["description"] = fix.description;
    out["edits"] = std::move(edits);
    return out;
}

ordered_json json_of(const FindingView& finding, const FileReport& report) {
    ordered_json out;
    out["rule"] = finding.rule;
    out["name"] = finding.name;
    out["severity"] = to_string(finding.severity);
    out["path"] = report.paths[finding.primary.file];
    put_place(out, report.files[finding.primary.file], finding.primary.range);
    out["message"] = finding.message;
    if (!finding.why.empty()) out["why"] = finding.why;
    if (!finding.function.empty()) out["function"] = finding.function;
    if (finding.contexts > 1) out["contexts"] = finding.contexts;
    if (!finding.fingerprint.empty()) out["fingerprint"] = finding.fingerprint;
    if (finding.baseline != Baseline::none) out["baseline"] = finding.baseline == Baseline::fresh ? "new" : "unchanged";
    if (finding.silenced) {
        out["suppressed"] = {{"reason", finding.silenced->reason}};
        put_place(out["suppressed"], report.files[finding.silenced->comment.file], finding.silenced->comment.range);
    }
    ordered_json data = ordered_json::object();
    for (const auto& [key, value] : finding.data.items()) data[key] = json_value(value);
    out["data"] = std::move(data);
    out["fix"] = finding.fix && may_edit(*finding.fix, report) ? json_of(*finding.fix, report) : ordered_json();
    out["blocked"] = finding.blocked ? ordered_json(finding.blocked->reason) : ordered_json();
    if (finding.blocked) out["blockedId"] = finding.blocked->id;
    if (finding.blocked && finding.blocked->place) out["blockedAt"] = json_of(*finding.blocked->place, report);
    if (!finding.alternatives.empty()) {
        ordered_json& alternatives = out["alternatives"] = ordered_json::array();
        for (const FixView& fix : finding.alternatives) {
            if (may_edit(fix, report)) alternatives.push_back(json_of(fix, report));
        }
    }
    if (!finding.related.empty()) {
        ordered_json& related = out["related"] = ordered_json::array();
        for (const Label& label : finding.related) related.push_back(json_of(label, report));
    }
    return out;
}

ordered_json json_error(const Problem& problem) {
    ordered_json out;
    out["kind"] = problem.kind;
    out["message"] = problem.message;
    return out;
}

ordered_json json_of(const AbsentView& gone) {
    return {{"rule", gone.rule},       {"severity", to_string(gone.severity)}, {"path", gone.path}, {"line", gone.line},
            {"message", gone.message}, {"fingerprint", gone.fingerprint}};
}

ordered_json json_of(const FixingView& fixing) {
    ordered_json applied = ordered_json::object();
    for (const auto& [rule, count] : fixing.applied) applied[std::string(rule)] = count;
    ordered_json out;
    out["stop"] = fixing.stop;
    out["stopRules"] = fixing.stop_rules;
    out["rounds"] = fixing.rounds;
    out["applied"] = std::move(applied);
    out["quarantined"] = fixing.quarantined;
    return out;
}

}  // namespace

JsonFragment json_of(const FileReport& report, const Problem* problem) {
    JsonFragment fragment;
    fragment.path = report.path;
    for (const FindingView& finding : report.findings) {
        if (!fragment.findings.empty()) fragment.findings += ",\n";
        fragment.findings += dump(json_of(finding, report));
    }
    for (const FindingView& finding : report.silenced) {
        if (!fragment.silenced.empty()) fragment.silenced += ",\n";
        fragment.silenced += dump(json_of(finding, report));
    }
    fragment.file = fmt::format("{{\"path\":{},\"findings\":{},\"changed\":{}", quoted(report.path),
                                report.findings.size(), report.changed);
    ordered_json file;  // what few files have
    if (report.syntax_error) put_place(file["syntaxError"], report.files[report.main], *report.syntax_error);
    if (report.cut_short) file["cutShort"] = true;
    if (!report.unknowns.empty()) {
        ordered_json& unknowns = file["unknown"] = ordered_json::array();
        for (const Label& unknown : report.unknowns) unknowns.push_back(json_of(unknown, report));
    }
    if (!report.diff.empty()) file["diff"] = report.diff;
    if (problem != nullptr) file["error"] = json_error(*problem);
    fragment.file += file.empty() ? "}" : "," + dump(file).substr(1);
    return fragment;
}

JsonFragment json_of(const Problem& problem) {
    ordered_json file;
    file["path"] = problem.path;
    file["findings"] = 0;
    file["changed"] = false;
    file["error"] = json_error(problem);
    return {problem.path, {}, {}, dump(file)};
}

std::string json_document(std::string_view version, std::span<const JsonFragment> files, const FixingView* fixing,
                          const std::span<const AbsentView>* absent, ShardOfRun shard) {
    const std::string in_json = fixing == nullptr ? std::string() : dump(json_of(*fixing));
    return json_document(version, files, std::string_view(in_json), absent, shard);
}

std::string json_document(std::string_view version, std::span<const JsonFragment> files, std::string_view fixing,
                          const std::span<const AbsentView>* absent, ShardOfRun shard) {
    std::string out = "{\"version\":" + dump(ordered_json(version));
    if (shard.of > 1) out += fmt::format(",\"{}\":{{\"number\":{},\"of\":{}}}", kShardKey, shard.number, shard.of);
    out += ",\n\"files\":[";
    const auto append = [&out](std::string_view part, bool& first) {
        if (part.empty()) return;
        out += first ? "\n" : ",\n";
        out += part;
        first = false;
    };
    bool first = true;
    for (const JsonFragment& file : files) append(file.file, first);
    out += "],\n\"findings\":[";
    first = true;
    for (const JsonFragment& file : files) append(file.findings, first);
    out += "]";
    if (std::ranges::any_of(files, [](const JsonFragment& file) { return !file.silenced.empty(); })) {
        out += ",\n\"suppressed\":[";
        first = true;
        for (const JsonFragment& file : files) append(file.silenced, first);
        out += "]";
    }
    if (absent != nullptr) {
        out += ",\n\"absent\":[";
        first = true;
        for (const AbsentView& gone : *absent) append(dump(json_of(gone)), first);
        out += "]";
    }
    if (!fixing.empty()) {
        out += ",\n\"fixing\":";
        out += fixing;
    }
    out += "}\n";
    return out;
}

std::string json_of_rules() {
    ordered_json out = ordered_json::array();
    for (const rules::Rule& rule : rules::catalogue()) {
        ordered_json one;
        one["rule"] = rule.id;
        one["name"] = rule.name;
        one["severity"] = to_string(rule.severity);
        one["summary"] = {{"en", rule.summary_en}, {"zh", rule.summary_zh}};
        one["codes"] = rule.codes;
        out.push_back(std::move(one));
    }
    return out.dump(2) + "\n";
}

}  // namespace ptofix::report
