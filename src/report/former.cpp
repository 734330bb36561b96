#include "report/former.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "report/json_reading.h"
#include "text/uri.h"

namespace ptofix::report {

namespace {

using nlohmann::json;

const json& part(const json& value, const char* key) {
    static const json kNothing;
    const json* found = value_at(value, {key});
    return found == nullptr ? kNothing : *found;
}

std::uint64_t line_at(const json& value, std::initializer_list<const char*> keys) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(number_at(value, keys, 1), 1));
}

rules::Severity severity_of(std::string_view word) {
    if (word == "error") return rules::Severity::error;
    return word == "info" || word == "note" ? rules::Severity::info : rules::Severity::warning;
}

AbsentView from_json(const json& finding) {
    return {text_at(finding, {"rule"}),
            text_at(finding, {"path"}),
            text_at(finding, {"fingerprint"}),
            text_at(finding, {"message"}),
            severity_of(text_at(finding, {"severity"})),
            line_at(finding, {"line"})};
}

std::optional<AbsentView> from_sarif(const json& result) {
    if (text_at(result, {"baselineState"}) == "absent" || !part(result, "suppressions").empty()) return std::nullopt;
    const json& locations = part(result, "locations");
    const json& place =
        locations.is_array() && !locations.empty() ? part(locations.front(), "physicalLocation") : locations;
    return AbsentView{text_at(result, {"ruleId"}),
                      text::path_of_reference(text_at(place, {"artifactLocation", "uri"})),
                      text_at(result, {"partialFingerprints", "pto-fix/v1"}),
                      text_at(result, {"message", "text"}),
                      severity_of(text_at(result, {"level"})),
                      line_at(place, {"region", "startLine"})};
}

/// Without the number among equal ones, which shifts when one of them goes.
std::string_view content_of(std::string_view fingerprint) {
    return fingerprint.substr(0, fingerprint.find(':'));
}

/// The findings of the baseline that no finding of now has been matched with, by what they are matched by.
class Pool {
  public:
    Pool(std::span<const AbsentView> former, const PathInRepository& in_repository)
        : former_(former), taken_(former.size()) {
        for (std::size_t i = former.size(); i-- > 0;) {
            const AbsentView& one = former[i];
            by_place_[{path_for_service(in_repository, one.path), one.rule, content_of(one.fingerprint)}].push_back(i);
            by_content_[{one.rule, content_of(one.fingerprint)}].push_back(i);
        }
    }

    bool take(const std::string& path, std::string_view rule, std::string_view fingerprint) {
        const auto found = by_place_.find({path, rule, content_of(fingerprint)});
        if (found == by_place_.end() || found->second.empty()) return false;
        taken_[found->second.back()] = true;
        found->second.pop_back();
        return true;
    }

    /// One of a file for which `is_gone` says so.
    bool take_moved(std::string_view rule, std::string_view fingerprint,
                    const std::function<bool(const std::string&)>& is_gone) {
        const auto found = by_content_.find({rule, content_of(fingerprint)});
        if (found == by_content_.end()) return false;
        for (const std::size_t i : found->second) {
            if (taken_[i] || !is_gone(former_[i].path)) continue;
            taken_[i] = true;
            return true;
        }
        return false;
    }

    bool is_taken(std::size_t i) const { return taken_[i]; }

  private:
    using Place = std::tuple<std::string, std::string_view, std::string_view>;
    using Content = std::pair<std::string_view, std::string_view>;
    std::span<const AbsentView> former_;
    std::vector<bool> taken_;
    std::map<Place, std::vector<std::size_t>> by_place_;  // the first at the back
    std::map<Content, std::vector<std::size_t>> by_content_;
};

}  // namespace

std::expected<std::vector<AbsentView>, FormerFault> read_former(std::string_view text,
                                                                const PathInRepository& from_root) {
    const json document = json::parse(text, nullptr, false);
    std::vector<AbsentView> out;
    const json& findings = part(document, "findings");
    const json& runs = part(document, "runs");
    if (findings.is_array() && part(document, "files").is_array()) {
        for (const json& finding : findings) out.push_back(from_json(finding));
    } else if (runs.is_array()) {
        for (const json& run : runs) {
            for (const json& result : part(run, "results")) {
                auto one = from_sarif(result);
                if (!one) continue;
                if (from_root) one->path = from_root(one->path);
                out.push_back(std::move(*one));
            }
        }
    } else {
        return std::unexpected(FormerFault::no_report);
    }
    if (!std::ranges::all_of(out, [](const AbsentView& one) { return !one.fingerprint.empty(); })) {
        return std::unexpected(FormerFault::no_fingerprints);
    }
    return out;
}

std::vector<AbsentView> compare_with_former(std::span<const AbsentView> former, std::span<FileReport> reports,
                                            const Scope& scope) {
    const auto plain = [&](const std::string& path) { return path_for_service(scope.in_repository, path); };
    std::set<std::string> looked_at;
    for (const FileReport& report : reports) looked_at.insert(plain(report.path));
    for (const std::string& path : scope.others) looked_at.insert(plain(path));
    std::map<std::string, bool, std::less<>> gone;  // asked once a file
    const auto is_gone = [&](const std::string& path) {
        const auto [at, fresh] = gone.try_emplace(path, false);
        if (fresh) at->second = !looked_at.contains(plain(path)) && !scope.exists(path);
        return at->second;
    };
    Pool pool(former, scope.in_repository);
    for (FileReport& report : reports) {
        for (FindingView& finding : report.findings) {
            const std::string& path = report.paths[finding.primary.file];
            const bool known = pool.take(plain(path), finding.rule, finding.fingerprint);
            finding.baseline = known ? Baseline::unchanged : Baseline::fresh;
        }
    }
    for (FileReport& report : reports) {
        for (FindingView& finding : report.findings) {
            if (finding.baseline != Baseline::fresh) continue;
            if (pool.take_moved(finding.rule, finding.fingerprint, is_gone)) finding.baseline = Baseline::unchanged;
        }
    }
    std::vector<AbsentView> absent;
    for (std::size_t i = 0; i < former.size(); ++i) {
        const AbsentView& one = former[i];
        const bool was_looked_for = std::ranges::find(scope.rules, std::string_view(one.rule)) != scope.rules.end();
        if (pool.is_taken(i) || !was_looked_for) continue;
        if (looked_at.contains(plain(one.path)) || is_gone(one.path)) absent.push_back(one);
    }
    return absent;
}

}  // namespace ptofix::report
