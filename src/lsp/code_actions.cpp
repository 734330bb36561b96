#include "lsp/code_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fixing/suppressions.h"
#include "lsp/diagnostics.h"
#include "lsp/edits.h"
#include "lsp/positions.h"
#include "rules/messages.h"
#include "text/diff.h"
#include "text/uri.h"

namespace ptofix::lsp {

namespace {

using fixing::Analysis;
using fixing::Diagnosis;
using rules::Applicability;

constexpr std::string_view kApplyAction = "pto-fix.applyAction";

/// A zero-wide range touches what it is at the edge of: that is where a cursor stands.
bool touches(text::Range finding, text::Range asked) {
    return finding.start <= asked.end && asked.start <= finding.end;
}

/// Tells a finding from the others of its text.
std::string identity_of(const Diagnosis& diagnosis, rules::Language language) {
    const text::Range range = diagnosis.finding.location.range;
    return hash_of(fmt::format("{} {} {} {}", diagnosis.finding.rule, range.start, range.end,
                               rules::render(diagnosis.finding.message, language)));
}

std::optional<std::uint64_t> index_of(const Json& value) {
    if (!value.is_number_unsigned()) return std::nullopt;
    return value.get<std::uint64_t>();
}

/// Did the document's own analysis find it as well?
bool is_own(const Document& document, const rules::Finding& finding) {
    if (!document.analysis) return false;
    const Analysis& analysis = *document.analysis;
    return std::ranges::any_of(analysis.findings, [&](const Diagnosis& own) {
        return own.finding.rule == finding.rule && own.finding.location.range == finding.location.range &&
               analysis.sources[own.finding.location.file] == analysis.source;
    });
}

/// 0: the fix, then the alternatives.
const rules::Fix* fix_at(const rules::Rewrite& rewrite, std::uint64_t index) {
    if (index == 0) return rewrite.fix ? &*rewrite.fix : nullptr;
    return index <= rewrite.alternatives.size() ? &rewrite.alternatives[index - 1] : nullptr;
}

}  // namespace

/// CodeActionContext.only: kinds and everything below them.
struct CodeActions::Wanted {
    std::vector<std::string> kinds;
    bool given = false;

    explicit Wanted(const Json& context) {
        const Json& only = member(context, "only");
        given = only.is_array();
        if (!given) return;
        for (const Json& kind : only) kinds.push_back(text_of(kind));
    }
    bool operator()(std::string_view kind) const {
        return !given || std::ranges::any_of(kinds, [&](const std::string& above) {
            return above.empty() || kind == above || (kind.starts_with(above) && kind[above.size()] == '.');
        });
    }
};

std::string CodeActions::words(std::string_view id, rules::Data data) const {
    return rules::render({id, std::move(data)}, settings_.language);
}

std::string CodeActions::question(const rules::Rewrite& rewrite, const rules::Fix& fix) const {
    if (fix.applicability == Applicability::safe) return {};
    std::string reason = rewrite.blocked ? rules::render(rewrite.blocked->reason, settings_.language) : std::string{};
    if (reason.empty()) return words("lsp.unsafe");
    return words("lsp.unsafe_because", rules::Data().set("reason", std::move(reason)));
}

Json CodeActions::data_of(const Document& document, std::string_view kind) const {
    return {{"uri", document.uri}, {"text", hash_of(document.text())}, {"kind", kind}};
}

void CodeActions::offer(Json action, Json& out) const {
    if (client_.code_action_literals) {
        out.push_back(std::move(action));
        return;
    }
    // Clients of old know commands alone.
    if (action.contains("disabled")) return;
    out.push_back(
        {{"title", action["title"]}, {"command", kApplyAction}, {"arguments", Json::array({action["data"]})}});
}

void CodeActions::offer_later(const char* kind, std::string_view title, Json data, Json& out) {
    Json action = {{"title", words(title, rules::Data().set("rule", text_of(member(data, "rule"))))}, {"kind", kind}};
    if (!client_.resolves_edits && client_.code_action_literals) {
        if (auto edit = edit_of(data)) action["edit"] = *std::move(edit);
    }
    action["data"] = std::move(data);
    offer(std::move(action), out);
}

std::optional<Json> CodeActions::edit_of(const Document& document, const Analysis& analysis, const rules::Fix& fix,
                                         const std::string& question) {
    std::map<std::uint16_t, std::vector<text::Edit>> by_file;
    for (const rules::FileEdit& edit : fix.edits) by_file[edit.file].push_back({edit.range, edit.text});
    std::vector<FileChange> changes;
    for (auto& [file, edits] : by_file) {
        const auto& source = analysis.sources[file];
        const Document* open = is_text_of(*source, document) ? &document : documents_.find_text(*source);
        if (open != nullptr) {
            changes.push_back({open->uri, source, open->version, std::move(edits)});
            continue;
        }
        const auto on_disk = text::Source::load(source->path());
        const bool is_same = on_disk && on_disk->text() == source->text();
        if (!is_same || documents_.find_path(source->path()) != nullptr) return std::nullopt;
        changes.push_back({text::uri_of_path(source->path()), source, std::nullopt, std::move(edits)});
    }
    return workspace_edit(changes, client_, question);
}

std::optional<text::Edit> CodeActions::suppression(Document& document, const rules::Finding& finding) {
    const auto parsed = analyser_.parsed(document);
    if (!parsed) return std::nullopt;
    const trace::SourceFile& file = *parsed;
    const text::LineIndex& lines = file.lines;
    const std::uint32_t line = lines.line_of(finding.location.range.start);
    const text::Range own = lines.line_range(line);
    const fixing::Suppressions present(file.text(), file.tree, fixing::default_pipeline());
    for (const fixing::Suppression& item : present.items()) {
        if (item.whole_file) continue;
        const std::uint32_t at = lines.line_of(item.comment.start);
        if (at == line || (item.alone_on_line && at + 1 == line)) {
            return text::Edit{{item.list.end, item.list.end}, fmt::format(", {}", finding.rule)};
        }
    }
    // No comment can stand above a line that a backslash continues, or one that begins inside a string.
    if (line > 1 && lines.line_text(line - 1).ends_with('\\')) return std::nullopt;
    const syntax::NodeId around = file.tree.node_at({own.start, own.start}, false);
    for (syntax::NodeId node = around; node != syntax::kNoNode; node = file.tree.parent(node)) {
        if (file.tree.kind(node) == syntax::Kind::string && file.tree[node].start < own.start) return std::nullopt;
    }
    const std::string_view text = lines.line_text(line);
    const std::string indent(text.substr(0, std::min(text.find_first_not_of(" \t\f"), text.size())));
    std::string_view newline = lines.newline_for(own.start);
    return text::Edit{{own.start, own.start}, fmt::format("{}# pto-fix: ignore[{}]{}", indent, finding.rule, newline)};
}

void CodeActions::add_fixes(Document& document, const Document& owner, std::size_t index, Json& out) {
    const Analysis& analysis = *owner.analysis;
    const Diagnosis& diagnosis = analysis.findings[index];
    const rules::Rewrite& rewrite = diagnosis.rewrite;
    const std::string rule(diagnosis.finding.rule);
    const Json resolved = Json::array({diagnostics_.of(diagnosis, analysis)});
    // A place that several kernels come to is looked at from each.
    const auto is_offered = [&](const Json& action) {
        return &owner != &document && std::ranges::any_of(out, [&](const Json& other) {
            return member(other, "title") == action["title"] && member(other, "edit") == member(action, "edit");
        });
    };
    Json data = data_of(document, "fix");
    data["owner"] = owner.uri;
    data["finding"] = index;
    data["about"] = identity_of(diagnosis, settings_.language);
    for (std::uint64_t n = 0; n <= rewrite.alternatives.size(); ++n) {
        const rules::Fix* fix = fix_at(rewrite, n);
        if (fix == nullptr) continue;
        auto edit = edit_of(document, analysis, *fix, question(rewrite, *fix));
        if (!edit) continue;
        data["fix"] = n;
        const std::string title = fmt::format("{} ({})", rules::render(fix->description, settings_.language), rule);
        Json action = {{"title", title}, {"kind", kQuickFix}, {"diagnostics", resolved}, {"data", data}};
        if (n == 0 && fix->applicability == Applicability::safe && client_.is_preferred) action["isPreferred"] = true;
        action["edit"] = *std::move(edit);
        if (!is_offered(action)) offer(std::move(action), out);
    }
    if (!rewrite.fix && rewrite.blocked && client_.disabled) {
        const std::string reason = rules::render(rewrite.blocked->reason, settings_.language);
        offer({{"title", words("lsp.no_fix", rules::Data().set("rule", rule))},
               {"kind", kQuickFix},
               {"diagnostics", resolved},
               {"disabled", {{"reason", reason}}}},
              out);
    }
    if (const auto edit = suppression(document, diagnosis.finding)) {
        data.erase("fix");
        data["kind"] = "suppress";
        const FileChange change{document.uri, document.source, document.version, {*edit}};
        Json action = {{"title", words("lsp.suppress", rules::Data().set("rule", rule))},
                       {"kind", kQuickFix},
                       {"diagnostics", resolved},
                       {"data", data},
                       {"edit", workspace_edit({change}, client_)}};
        if (!is_offered(action)) offer(std::move(action), out);
    }
}

bool CodeActions::is_fixed_by_all(const Document& document, const Diagnosis& diagnosis, Applicability threshold) {
    const Analysis& analysis = *document.analysis;
    return fixing::is_wanted(diagnosis, document.config, threshold) &&
           std::ranges::all_of(diagnosis.rewrite.fix->edits, [&](const rules::FileEdit& edit) {
               return analysis.sources[edit.file] == analysis.source;
           });
}

void CodeActions::add_fix_all(Document& document, const Wanted& wanted, Json& out) {
    const auto any = [&](Applicability threshold) {
        return std::ranges::any_of(document.analysis->findings, [&](const Diagnosis& diagnosis) {
            return is_fixed_by_all(document, diagnosis, threshold);
        });
    };
    const bool safe = any(Applicability::safe);
    if (safe && wanted(kFixAll)) offer_later(kFixAll, "lsp.fix_all", data_of(document, "fixAll"), out);
    // Offered to who asks for it by name, or looks through all that can be done.
    if (wanted(kFixAllUnsafe) && any(Applicability::unsafe)) {
        offer_later(kFixAllUnsafe, "lsp.fix_all_unsafe", data_of(document, "fixAllUnsafe"), out);
    }
}

Json CodeActions::offered(Document& document, text::Range range, const Json& context) {
    Json out = Json::array();
    const Wanted wanted(context);
    std::set<std::string> rules_here;
    const auto add = [&](Document& owner) {
        const Analysis* analysis = analyser_.analysis(owner);
        if (analysis == nullptr) return;
        for (std::size_t i = 0; i < analysis->findings.size(); ++i) {
            const rules::Finding& finding = analysis->findings[i].finding;
            if (!touches(finding.location.range, range)) continue;
            if (!is_text_of(*analysis->sources[finding.location.file], document)) continue;
            if (&owner != &document && is_own(document, finding)) continue;
            add_fixes(document, owner, i, out);
            if (&owner == &document) rules_here.emplace(finding.rule);
        }
    };
    const bool is_looked_at = analyser_.analysis(document) != nullptr;
    if (wanted(kQuickFix)) {
        add(document);
        // What the kernels of others find in it.
        for (auto& [uri, other] : documents_.all()) {
            if (&other != &document && other.path != document.path) add(other);
        }
    }
    if (!is_looked_at) return out;
    if (wanted(kQuickFix)) {
        for (const std::string& rule : rules_here) {
            const auto same = std::ranges::count_if(document.analysis->findings, [&](const Diagnosis& other) {
                return other.finding.rule == rule && is_fixed_by_all(document, other, Applicability::safe);
            });
            if (same < 2) continue;
            Json data = data_of(document, "fixRule");
            data["rule"] = rule;
            offer_later(kQuickFix, "lsp.fix_rule", std::move(data), out);
        }
    }
    add_fix_all(document, wanted, out);
    return out;
}

std::optional<Json> CodeActions::fix_all(Document& document, const fixing::FixOptions& options) {
    const auto text = analyser_.fixed(document, options);
    if (!text) return std::nullopt;
    const FileChange change{document.uri, document.source, document.version,
                            text::line_edits(document.source->text(), *text)};
    if (change.edits.empty()) return workspace_edit({}, client_);
    const std::string question = options.threshold == Applicability::safe ? std::string{} : words("lsp.unsafe");
    return workspace_edit({change}, client_, question);
}

std::expected<Json, NoEdit> CodeActions::edit_of(const Json& data) {
    Document* document = documents_.find(text_of(member(data, "uri")));
    if (document == nullptr || !document->source) return std::unexpected(NoEdit::stale);
    if (text_of(member(data, "text")) != hash_of(document->text())) return std::unexpected(NoEdit::stale);
    const std::string kind = text_of(member(data, "kind"));
    if (kind == "fixAll" || kind == "fixAllUnsafe" || kind == "fixRule") {
        fixing::FixOptions options;
        if (kind == "fixAllUnsafe") options.threshold = Applicability::unsafe;
        if (kind == "fixRule") {
            const std::string rule = text_of(member(data, "rule"));
            const fixing::Config& config = document->config;
            options.choose = [rule, &config](const Diagnosis& diagnosis,
                                             const Analysis&) -> std::optional<std::size_t> {
                const bool is_meant = diagnosis.finding.rule == rule;
                if (!is_meant || !fixing::is_wanted(diagnosis, config, Applicability::safe)) return std::nullopt;
                return 0;
            };
        }
        auto edit = fix_all(*document, options);
        if (!edit) return std::unexpected(NoEdit::stale);
        return *std::move(edit);
    }
    return edit_of_one(*document, data);
}

std::expected<Json, NoEdit> CodeActions::edit_of_one(Document& document, const Json& data) {
    const auto index = index_of(member(data, "finding"));
    if (!index) return std::unexpected(NoEdit::malformed);
    Document* owner = documents_.find(text_of(member(data, "owner")));
    const Analysis* analysis = owner == nullptr ? nullptr : analyser_.analysis(*owner);
    if (analysis == nullptr || *index >= analysis->findings.size()) return std::unexpected(NoEdit::stale);
    const Diagnosis& diagnosis = analysis->findings[*index];
    // The text is the same; what it imports, or a setting, may not be.
    if (text_of(member(data, "about")) != identity_of(diagnosis, settings_.language) ||
        !is_text_of(*analysis->sources[diagnosis.finding.location.file], document)) {
        return std::unexpected(NoEdit::stale);
    }
    const std::string kind = text_of(member(data, "kind"));
    if (kind == "suppress") {
        const auto edit = suppression(document, diagnosis.finding);
        if (!edit) return std::unexpected(NoEdit::malformed);
        return workspace_edit({{document.uri, document.source, document.version, {*edit}}}, client_);
    }
    const auto number = index_of(member(data, "fix"));
    const rules::Fix* fix = number ? fix_at(diagnosis.rewrite, *number) : nullptr;
    if (kind != "fix" || fix == nullptr) return std::unexpected(NoEdit::malformed);
    auto edit = edit_of(document, *analysis, *fix, question(diagnosis.rewrite, *fix));
    if (!edit) return std::unexpected(NoEdit::stale);
    return *std::move(edit);
}

}  // namespace ptofix::lsp
