// The HTML report: one page that carries its style, its script and the findings as JSON, in both languages. Nothing in
// it is fetched from anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/estimate_view.h"
#include "report/fix_diff.h"
#include "report/html_page.h"
#include "report/json_values.h"
#include "report/run_report.h"
#include "rules/messages.h"
#include "text/cell_place.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;
using rules::Language;

constexpr std::uint32_t kContextLines = 3;

ordered_json both(std::string_view en, std::string_view zh) {
    return ordered_json::array({en, zh});
}

/// The words of the page itself: the messages "html...".
ordered_json page_words() {
    constexpr std::string_view kPrefix = "html.";
    ordered_json out = ordered_json::object();
    for (const std::span<const rules::Message> table : rules::message_tables()) {
        for (const rules::Message& message : table) {
            if (!message.id.starts_with(kPrefix)) continue;
            out[std::string(message.id.substr(kPrefix.size()))] = both(message.en, message.zh);
        }
    }
    return out;
}

std::string_view kind_sign(DiffLine::Kind kind) {
    switch (kind) {
        case DiffLine::Kind::added:
            return "+";
        case DiffLine::Kind::removed:
            return "-";
        case DiffLine::Kind::hunk:
            return "@";
        case DiffLine::Kind::same:
            break;
    }
    return " ";
}

class Page {
  public:
    explicit Page(const RunReport& run) : run_(run), zh_(run.language == Language::zh) {}

    std::string text() {
        // Inside a script element nothing but "<" can end it or begin a comment.
        std::string data;
        for (const char c : dump(document())) {
            if (c == '<') {
                data += "\\u003c";
            } else {
                data += c;
            }
        }
        const auto word = [&](std::string_view id) { return rules::render({id, {}}, run_.language); };
        const std::map<std::string_view, std::string> parts{
            {"@LANG@", zh_ ? "zh-CN" : "en"},      {"@TITLE@", word("html.title")},
            {"@NOSCRIPT@", word("html.noscript")}, {"@CSS@", std::string(kHtmlStyle)},
            {"@JS@", std::string(kHtmlScript)},    {"@DATA@", std::move(data)}};
        std::string out;
        std::string_view rest = kHtmlPage;
        while (true) {
            std::size_t at = std::string_view::npos;
            const std::pair<const std::string_view, std::string>* next = nullptr;
            for (const auto& part : parts) {
                if (const std::size_t found = rest.find(part.first); found < at) {
                    at = found;
                    next = &part;
                }
            }
            out += rest.substr(0, at);
            if (next == nullptr) return out;
            out += next->second;
            rest.remove_prefix(at + next->first.size());
        }
    }

  private:
    ordered_json document() {
        ordered_json out;
        out["version"] = run_.version;
        out["language"] = zh_ ? "zh" : "en";
        out["checked"] = run_.files.size() + run_.others.size();
        out["baseline"] = run_.has_baseline;
        ordered_json findings = ordered_json::array();
        for (std::size_t f = 0; f < run_.files.size(); ++f) {
            for (std::size_t i = 0; i < run_.files[f].findings.size(); ++i) findings.push_back(finding(f, i));
        }
        ordered_json problems = ordered_json::array();
        for (const Problem& problem : run_.problems) problems.push_back(both(problem.message, problem.message));
        ordered_json absent = ordered_json::array();
        for (const AbsentView& gone : run_.absent) {
            absent.push_back(
                {{"rule", gone.rule}, {"path", gone.path}, {"line", gone.line}, {"message", gone.message}});
        }
        out["findings"] = std::move(findings);
        out["problems"] = std::move(problems);
        out["absent"] = std::move(absent);
        ordered_json paths = ordered_json::array();
        for (const std::string& path : paths_) paths.push_back(path);
        out["paths"] = std::move(paths);
        ordered_json rules = ordered_json::object();
        for (const std::string_view id : rules_) {
            const rules::Rule* rule = rules::find_rule(id);
            rules[std::string(id)] = {{"name", rule ? rule->name : id},
                                      {"summary", rule ? both(rule->summary_en, rule->summary_zh) : both(id, id)}};
        }
        out["rules"] = std::move(rules);
        out["words"] = page_words();
        return out;
    }

    std::size_t path_number(const std::string& path) {
        const auto [at, fresh] = path_numbers_.try_emplace(path, paths_.size());
        if (fresh) paths_.push_back(path);
        return at->second;
    }

    /// What the two views say, English first.
    template <typename Get>
    ordered_json in_both(std::size_t file, std::size_t index, const Get& get) const {
        const FindingView& own = run_.files[file].findings[index];
        const bool has_other = file < run_.translated.size() && index < run_.translated[file].findings.size();
        const FindingView& other = has_other ? run_.translated[file].findings[index] : own;
        return both(get(zh_ ? other : own), get(zh_ ? own : other));
    }

    ordered_json finding(std::size_t file, std::size_t index) {
        const FileReport& report = run_.files[file];
        const FindingView& view = report.findings[index];
        rules_.insert(view.rule);
        const text::Source& source = report.files[view.primary.file];
        const text::CellLine at = text::line_in(source, view.primary.range.start);
        ordered_json out;
        out["rule"] = view.rule;
        out["severity"] = to_string(view.severity);
        out["path"] = path_number(report.paths[view.primary.file]);
        out["line"] = at.line;
        out["column"] = at.column;
        if (at.cell != 0) out["cell"] = at.cell;
        out["function"] = view.function;
        out["message"] = in_both(file, index, [](const FindingView& v) -> const std::string& { return v.message; });
        out["why"] = in_both(file, index, [](const FindingView& v) -> const std::string& { return v.why; });
        out["code"] = frame(report, view.primary);
        if (view.baseline != Baseline::none) out["state"] = view.baseline == Baseline::fresh ? "new" : "unchanged";
        if (view.fix) {
            out["fix"] = fix(report, *view.fix);
            out["fix"]["description"] =
                in_both(file, index, [](const FindingView& v) { return v.fix ? v.fix->description : std::string(); });
        }
        for (std::size_t i = 0; i < view.alternatives.size(); ++i) {
            ordered_json one = fix(report, view.alternatives[i]);
            one["description"] = in_both(file, index, [i](const FindingView& v) {
                return i < v.alternatives.size() ? v.alternatives[i].description : std::string();
            });
            out["alternatives"].push_back(std::move(one));
        }
        if (view.blocked) {
            out["blocked"]["reason"] = in_both(
                file, index, [](const FindingView& v) { return v.blocked ? v.blocked->reason : std::string(); });
            if (view.blocked->place && view.blocked->place->file == view.primary.file) {
                out["blocked"]["line"] = text::line_in(source, view.blocked->place->range.start).line;
            }
        }
        for (std::size_t i = 0; i < view.related.size(); ++i) {
            const Label& label = view.related[i];
            const text::CellLine there = text::line_in(report.files[label.file], label.range.start);
            ordered_json related{{"path", path_number(report.paths[label.file])}, {"line", there.line}};
            if (there.cell != 0) related["cell"] = there.cell;
            related["words"] = in_both(file, index, [i](const FindingView& v) {
                return i < v.related.size() ? v.related[i].words : std::string();
            });
            out["related"].push_back(std::move(related));
        }
        if (file < run_.estimates.size() && index < run_.estimates[file].size() && run_.estimates[file][index]) {
            out["estimate"] = estimate(*run_.estimates[file][index]);
        }
        return out;
    }

    static ordered_json frame(const FileReport& report, const Label& label) {
        constexpr std::uint32_t kAround = 2;
        constexpr std::uint32_t kMostLines = 16;
        const text::LineIndex& lines = report.files[label.file].lines();
        const std::uint32_t start = lines.line_of(label.range.start);
        const std::uint32_t end = lines.line_of(std::max(label.range.end, label.range.start + 1) - 1);
        // In a notebook its cell is shown, with its own lines counted.
        const auto cell = report.files[label.file].cell(label.range.start);
        const std::uint32_t top = cell ? cell->first_line : 1, bottom = cell ? cell->last_line : lines.line_count();
        const std::uint32_t first = start > kAround + top ? start - kAround : top;
        const std::uint32_t last = std::min({end + kAround, bottom, first + kMostLines});
        ordered_json texts = ordered_json::array();
        for (std::uint32_t line = first; line <= last; ++line) texts.push_back(lines.line_text(line));
        return {{"first", first - top + 1}, {"marked", {start - top + 1, end - top + 1}}, {"lines", std::move(texts)}};
    }

    ordered_json fix(const FileReport& report, const FixView& view) {
        std::map<std::uint16_t, std::vector<text::Edit>> by_file;
        for (const rules::FileEdit& edit : view.edits) by_file[edit.file].push_back({edit.range, edit.text});
        ordered_json parts = ordered_json::array();
        for (auto& [file, list] : by_file) {
            const auto edits = text::Edits::make(std::move(list), report.files[file].text().size());
            if (!edits) continue;
            ordered_json texts = ordered_json::array();
            for (const DiffLine& line : diff_lines(report.files[file], edits->items(), kContextLines)) {
                texts.push_back(fmt::format("{}{}", kind_sign(line.kind), line.text));
            }
            parts.push_back({{"path", path_number(report.paths[file])}, {"lines", std::move(texts)}});
        }
        return {{"applicability", to_string(view.applicability)}, {"diff", std::move(parts)}};
    }

    static ordered_json estimate(const EstimateView& view) {
        const auto number = [](const std::optional<std::int64_t>& n) { return n ? ordered_json(*n) : ordered_json(); };
        ordered_json pools = ordered_json::array();
        for (const PoolEstimate& pool : view.pools) {
            pools.push_back({{"name", pool.name},
                             {"limit", pool.limit},
                             {"before", number(pool.before)},
                             {"after", number(pool.after)}});
        }
        return {{"kernel", view.kernel},
                {"before", view.operations_before},
                {"before_complete", view.complete_before},
                {"after", number(view.operations_after)},
                {"after_complete", view.complete_after},
                {"pools", std::move(pools)}};
    }

    const RunReport& run_;
    bool zh_;
    std::map<std::string, std::size_t> path_numbers_;
    std::vector<std::string> paths_;
    std::set<std::string_view> rules_;
};

}  // namespace

std::string html_of(const RunReport& run) {
    return Page(run).text();
}

}  // namespace ptofix::report
