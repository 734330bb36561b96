#include "report/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "report/json.h"
#include "report/json_reading.h"
#include "report/json_values.h"
#include "report/repeated.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

std::int64_t rank_of(const ordered_json& finding) {
    const std::string severity = text_at(finding, {"severity"});
    return severity == "error" ? 2 : severity == "warning" ? 1 : 0;
}

/// What a report says of one file, with the findings that were made when it was analysed.
struct Fragment {
    std::string path;
    ordered_json file;
    std::vector<ordered_json> findings;
};

struct Part {
    std::string version;
    std::vector<Fragment> fragments;
    std::vector<ordered_json> silenced;
    ordered_json fixing;
    std::optional<ShardOfRun> shard;
};

/// The findings stand in the order of the files, and each file says how many are its.
bool take_apart(const ordered_json& report, Part& part) {
    if (!report.is_object() || !report.contains("files") || !report.contains("findings")) return false;
    const ordered_json& findings = report["findings"];
    if (!report["files"].is_array() || !findings.is_array()) return false;
    std::size_t next = 0;
    for (const ordered_json& file : report["files"]) {
        if (!file.is_object() || !file.contains("path")) return false;
        Fragment fragment{text_at(file, {"path"}), file, {}};
        const auto count = static_cast<std::size_t>(number_at(file, {"findings"}));
        if (count > findings.size() - next) return false;
        for (const std::size_t end = next + count; next < end; ++next) {
            if (!findings[next].is_object()) return false;
            fragment.findings.push_back(findings[next]);
        }
        part.fragments.push_back(std::move(fragment));
    }
    part.version = text_at(report, {"version"});
    if (report.contains("suppressed")) {
        for (const ordered_json& finding : report["suppressed"]) part.silenced.push_back(finding);
    }
    if (report.contains("fixing")) part.fixing = report["fixing"];
    if (!read_shard(report, part.shard)) return false;
    return next == findings.size();
}

std::expected<Part, MergeError> read(const MergeInput& input) {
    const ordered_json report = ordered_json::parse(input.text, nullptr, false);
    if (report.is_discarded()) return std::unexpected(MergeError{MergeError::Kind::not_json, input.path});
    Part part;
    if (!take_apart(report, part)) return std::unexpected(MergeError{MergeError::Kind::not_a_report, input.path});
    return part;
}

/// Takes out findings that another part has as well.
void drop_repeated(std::span<const std::pair<std::size_t, Fragment*>> fragments) {
    Repeated repeated;
    for (const auto& [part, fragment] : fragments) {
        for (const ordered_json& finding : fragment->findings) {
            const std::string path = text_at(finding, {"path"});
            // In a notebook lines count in their cells.
            const std::int64_t cell = finding.contains("cell") ? number_at(finding, {"cell"}) : 0;
            const std::string where = cell == 0 ? path : fmt::format("{}:cell {}", path, cell);
            const Repeated::Place place{text_at(finding, {"rule"}),      where,
                                        number_at(finding, {"line"}),    number_at(finding, {"column"}),
                                        number_at(finding, {"endLine"}), number_at(finding, {"endColumn"})};
            repeated.add(place, part, rank_of(finding), path == fragment->path);
        }
    }
    std::size_t next = 0;
    for (const auto& [part, fragment] : fragments) {
        std::erase_if(fragment->findings, [&](const ordered_json&) { return repeated.is_dropped()[next++]; });
        fragment->file["findings"] = fragment->findings.size();
    }
}

void add_fixing(ordered_json& total, const ordered_json& part) {
    if (part.is_null()) return;
    if (total.is_null()) {
        total = part;
        return;
    }
    if (text_at(total, {"stop"}) == "no_more_fixes") total["stop"] = text_at(part, {"stop"});
    total["rounds"] = std::max(number_at(total, {"rounds"}), number_at(part, {"rounds"}));
    std::map<std::string, std::int64_t> applied;
    for (const ordered_json* each : {static_cast<const ordered_json*>(&total), &part}) {
        const auto counts = each->find("applied");
        if (counts == each->end() || !counts->is_object()) continue;
        for (const auto& [rule, count] : counts->items()) applied[rule] += number_at(*counts, {rule.c_str()});
    }
    ordered_json all = ordered_json::object();
    for (const auto& [rule, count] : applied) all[rule] = count;
    total["applied"] = std::move(all);
    std::set<std::string> rules;
    for (const ordered_json* each : {static_cast<const ordered_json*>(&total), &part}) {
        const auto found = each->find("stopRules");
        if (found == each->end()) continue;
        for (const ordered_json& rule : *found)
            rules.insert(rule.is_string() ? rule.get<std::string>() : std::string());
    }
    total["stopRules"] = rules;
    const auto quarantined = part.find("quarantined");
    if (quarantined == part.end() || !quarantined->is_array()) return;
    for (const ordered_json& rule : *quarantined) total["quarantined"].push_back(rule);
}

/// Each is said of the file that it is in.
void add_silenced(const std::vector<Part>& parts, std::vector<JsonFragment>& out) {
    for (const Part& part : parts) {
        for (const ordered_json& finding : part.silenced) {
            const auto file = std::ranges::find(out, text_at(finding, {"path"}), &JsonFragment::path);
            if (file == out.end()) continue;
            file->silenced += file->silenced.empty() ? "" : ",\n";
            file->silenced += dump(finding);
        }
    }
}

std::expected<Merged, MergeError> join(std::span<const MergeInput> inputs) {
    std::vector<Part> parts;
    ordered_json fixing;
    for (const MergeInput& input : inputs) {
        auto part = read(input);
        if (!part) return std::unexpected(std::move(part.error()));
        if (!parts.empty() && part->version != parts.front().version) {
            return std::unexpected(MergeError{MergeError::Kind::other_version, input.path, part->version});
        }
        add_fixing(fixing, part->fixing);
        parts.push_back(std::move(*part));
    }
    std::vector<std::pair<std::size_t, Fragment*>> fragments;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (Fragment& fragment : parts[p].fragments) fragments.emplace_back(p, &fragment);
    }
    std::ranges::stable_sort(fragments, {}, [](const auto& each) { return each.second->path; });
    // What is wrong with a path whatever its files are is said by every part.
    const auto same = [](const auto& a, const auto& b) {
        return a.second->path == b.second->path && a.second->findings.empty() && a.second->file == b.second->file;
    };
    fragments.erase(std::unique(fragments.begin(), fragments.end(), same), fragments.end());
    drop_repeated(fragments);

    Merged merged;
    for (const Part& part : parts) merged.shards.push_back(part.shard);
    std::vector<JsonFragment> out;
    for (const auto& [part, fragment] : fragments) {
        JsonFragment one;
        one.path = fragment->path;
        one.file = dump(fragment->file);
        for (const ordered_json& finding : fragment->findings) {
            one.findings += one.findings.empty() ? "" : ",\n";
            one.findings += dump(finding);
            merged.worst = std::max(merged.worst, rank_of(finding));
        }
        if (fragment->file.contains("error")) merged.has_problem = true;
        out.push_back(std::move(one));
    }
    add_silenced(parts, out);
    const std::string fixing_text = fixing.is_null() ? std::string() : dump(fixing);
    merged.text =
        json_document(parts.empty() ? std::string() : parts.front().version, out, std::string_view(fixing_text));
    return merged;
}

}  // namespace

std::expected<Merged, MergeError> merge_json(std::span<const MergeInput> inputs) {
    try {
        return join(inputs);
    } catch (const nlohmann::json::exception&) {  // something is of another kind than its name says
        return std::unexpected(MergeError{MergeError::Kind::not_a_report, inputs.front().path});
    }
}

}  // namespace ptofix::report
