#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "report/json_reading.h"
#include "report/json_values.h"
#include "report/merge.h"
#include "report/repeated.h"
#include "report/sarif.h"
#include "text/uri.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;
using Keys = std::initializer_list<const char*>;

/// Where a result is, or a notification.
const ordered_json& place_of(const ordered_json& result) {
    static const ordered_json kNowhere;
    const ordered_json* locations = value_at(result, {"locations"});
    if (locations == nullptr || !locations->is_array() || locations->empty()) return kNowhere;
    const ordered_json* place = value_at(locations->front(), {"physicalLocation"});
    return place == nullptr ? kNowhere : *place;
}

std::string uri_of(const ordered_json& result) {
    return text_at(place_of(result), {"artifactLocation", "uri"});
}

std::int64_t rank_of(const ordered_json& result) {
    const std::string level = text_at(result, {"level"});
    return level == "error" ? 2 : level == "warning" ? 1 : 0;
}

/// Silenced by a comment, or known to a baseline: not what a run's exit code is about.
bool counts(const ordered_json& result) {
    const std::string state = text_at(result, {"baselineState"});
    const ordered_json* suppressions = value_at(result, {"suppressions"});
    return (state.empty() || state == "new") && (suppressions == nullptr || suppressions->empty());
}

/// A result, and the file that was analysed when it was found: results stand in the order of those.
struct Placed {
    std::size_t part = 0;
    std::string path;
    ordered_json result;
};

bool take_apart(ordered_json& run, std::size_t part, std::vector<Placed>& out) {
    if (!run.is_object() || !run.contains("results") || !run["results"].is_array()) return false;
    std::vector<std::string> paths;
    for (const ordered_json& artifact : run.value("artifacts", ordered_json::array())) {
        paths.push_back(text::path_of_reference(text_at(artifact, {"location", "uri"})));
    }
    std::size_t current = 0;
    for (ordered_json& result : run["results"]) {
        if (!result.is_object()) return false;
        std::int64_t index = number_at(place_of(result), {"artifactLocation", "index"});
        if (value_at(result, {"properties", kAnalysedKey}) != nullptr) {
            index = number_at(result, {"properties", kAnalysedKey});
            result["properties"].erase(kAnalysedKey);
            if (result["properties"].empty()) result.erase("properties");
        }
        current = std::max(current, static_cast<std::size_t>(std::max<std::int64_t>(index, 0)));
        const std::string path = current < paths.size() ? paths[current] : text::path_of_reference(uri_of(result));
        out.push_back({part, path, std::move(result)});
    }
    return true;
}

/// Takes it out of the run, too: the whole is no shard. False: it can't be one.
bool take_shard(ordered_json& run, std::vector<std::optional<ShardOfRun>>& out) {
    out.emplace_back();
    const auto properties = run.find("properties");
    if (properties == run.end() || !properties->is_object()) return true;
    if (!read_shard(*properties, out.back())) return false;
    properties->erase(kShardKey);
    if (properties->empty()) run.erase("properties");
    return true;
}

void drop_repeated(std::vector<Placed>& results) {
    Repeated repeated;
    for (const Placed& placed : results) {
        const ordered_json& place = place_of(placed.result);
        const std::string uri = uri_of(placed.result);
        repeated.add({text_at(placed.result, {"ruleId"}), uri, number_at(place, {"region", "startLine"}),
                      number_at(place, {"region", "startColumn"}), number_at(place, {"region", "endLine"}),
                      number_at(place, {"region", "endColumn"})},
                     placed.part, rank_of(placed.result), text::path_of_reference(uri) == placed.path);
    }
    std::size_t next = 0;
    std::erase_if(results, [&](const Placed&) { return repeated.is_dropped()[next++]; });
}

/// Objects by what they are called, each once and in order.
ordered_json joined(const std::vector<ordered_json>& runs, Keys where, Keys name, bool by_path) {
    std::map<std::string, ordered_json> all;
    for (const ordered_json& run : runs) {
        const ordered_json* list = value_at(run, where);
        if (list == nullptr) continue;
        for (const ordered_json& each : *list) {
            const std::string key = text_at(each, name);
            all.try_emplace(by_path ? text::path_of_reference(key) : key, each);
        }
    }
    ordered_json list = ordered_json::array();
    for (auto& [key, each] : all) list.push_back(std::move(each));
    return list;
}

void put_indices(ordered_json& value, const std::map<std::string, std::size_t>& artifacts) {
    std::vector<ordered_json*> open{&value};
    while (!open.empty()) {
        ordered_json& at = *open.back();
        open.pop_back();
        if (at.is_object() && at.contains("uri") && at["uri"].is_string() && !at.contains("physicalLocation")) {
            const auto known = artifacts.find(at["uri"].get<std::string>());
            if (known != artifacts.end()) at["index"] = known->second;
        }
        if (!at.is_structured()) continue;
        for (ordered_json& each : at) open.push_back(&each);
    }
}

void merge_invocations(const std::vector<ordered_json>& runs, ordered_json& out, Merged& merged) {
    const nlohmann::json_pointer<std::string> first("/invocations/0");
    if (!out.contains(first)) return;
    ordered_json& invocation = out.at(first);
    std::int64_t exit_code = 0;
    bool successful = true;
    std::vector<ordered_json> notices;
    for (const ordered_json& run : runs) {
        if (!run.contains(first)) continue;
        const ordered_json& each = run.at(first);
        // Others than ours are not known here.
        exit_code = std::max(exit_code, std::clamp<std::int64_t>(number_at(each, {"exitCode"}), 0, 2));
        successful = successful && each.value("executionSuccessful", true);
        for (const ordered_json& notice : each.value("toolExecutionNotifications", ordered_json::array())) {
            if (std::ranges::find(notices, notice) == notices.end()) notices.push_back(notice);
        }
    }
    std::ranges::stable_sort(notices, {},
                             [](const ordered_json& notice) { return text::path_of_reference(uri_of(notice)); });
    invocation["executionSuccessful"] = successful;
    invocation["exitCode"] = exit_code;
    invocation["toolExecutionNotifications"] = notices;
    merged.recorded = static_cast<int>(exit_code);
    merged.has_problem = merged.recorded == 2;
}

std::expected<Merged, MergeError> join(std::span<const MergeInput> inputs) {
    std::vector<ordered_json> runs;
    std::vector<Placed> results;
    std::vector<std::optional<ShardOfRun>> shards;
    ordered_json log;
    for (const MergeInput& input : inputs) {
        ordered_json report = ordered_json::parse(input.text, nullptr, false);
        if (report.is_discarded()) return std::unexpected(MergeError{MergeError::Kind::not_json, input.path});
        const bool sound = report.is_object() && report.contains("runs") && report["runs"].is_array() &&
                           report["runs"].size() == 1 && take_apart(report["runs"][0], runs.size(), results);
        if (!sound || !take_shard(report["runs"][0], shards)) {
            return std::unexpected(MergeError{MergeError::Kind::not_a_report, input.path});
        }
        runs.push_back(report["runs"][0]);
        const std::string version = text_at(runs.back(), {"tool", "driver", "version"});
        if (version != text_at(runs.front(), {"tool", "driver", "version"})) {
            return std::unexpected(MergeError{MergeError::Kind::other_version, input.path, version});
        }
        // The one with the most parts has all of them in their places.
        if (log.is_null() || runs.back().size() > log["runs"][0].size()) log = std::move(report);
    }
    ordered_json& run = log["runs"][0];
    Merged merged;
    merged.shards = std::move(shards);
    ordered_json& driver = run["tool"]["driver"];
    driver["rules"] = joined(runs, {"tool", "driver", "rules"}, {"id"}, false);
    const ordered_json kinds = joined(runs, {"tool", "driver", "notifications"}, {"id"}, false);
    if (!kinds.empty()) driver["notifications"] = kinds;
    merge_invocations(runs, run, merged);
    const ordered_json artifacts = joined(runs, {"artifacts"}, {"location", "uri"}, true);
    if (!artifacts.empty()) run["artifacts"] = artifacts;
    std::map<std::string, std::size_t> indices, rules;
    for (const ordered_json& artifact : artifacts)
        indices.emplace(text_at(artifact, {"location", "uri"}), indices.size());
    for (const ordered_json& rule : driver["rules"]) rules.emplace(text_at(rule, {"id"}), rules.size());

    std::ranges::stable_sort(results, {}, &Placed::path);
    drop_repeated(results);
    ordered_json& list = run["results"] = ordered_json::array();
    for (Placed& placed : results) {
        placed.result["ruleIndex"] = rules[text_at(placed.result, {"ruleId"})];
        put_indices(placed.result, indices);
        if (counts(placed.result)) merged.worst = std::max(merged.worst, rank_of(placed.result));
        list.push_back(std::move(placed.result));
    }
    if (run.contains("invocations")) put_indices(run["invocations"], indices);
    merged.text = escape_controls(log.dump(2, ' ', false, ordered_json::error_handler_t::replace)) + "\n";
    return merged;
}

}  // namespace

bool is_sarif(std::string_view text) {
    constexpr std::size_t kHead = 200;
    return text.substr(0, kHead).find("\"$schema\"") != std::string_view::npos;
}

std::expected<Merged, MergeError> merge_sarif(std::span<const MergeInput> inputs) {
    try {
        return join(inputs);
    } catch (const nlohmann::json::exception&) {  // something is of another kind than its name says
        return std::unexpected(MergeError{MergeError::Kind::not_a_report, inputs.front().path});
    }
}

}  // namespace ptofix::report
