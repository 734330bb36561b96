// What the client asks for.
#include <fmt/format.h>

#include "lsp/diagnostics.h"
#include "lsp/edits.h"
#include "lsp/numbers.h"
#include "lsp/positions.h"
#include "lsp/python_files.h"
#include "lsp/rule_pages.h"
#include "lsp/server.h"
#include "report/rule_page.h"
#include "rules/messages.h"
#include "text/diff.h"
#include "text/uri.h"

namespace ptofix::lsp {

namespace {

std::string as_plain(std::string text) {
    std::erase_if(text, [](char c) { return c == '`' || c == '*'; });
    return text;
}

const Json& argument(const Json& params, std::size_t index) {
    static const Json kNone;
    const Json& arguments = member(params, "arguments");
    return arguments.is_array() && index < arguments.size() ? arguments[index] : kNone;
}

}  // namespace

Document& Server::document_of(const Json& params) {
    Document* document = documents_.find(text_of(at_path(params, "textDocument.uri")));
    if (document == nullptr) throw RpcError(ErrorCode::invalid_params, "the document is not open");
    return *document;
}

Json Server::document_diagnostic(const Json& params) {
    Document& document = document_of(params);
    document.stale = false;
    Json items = document.is_python ? diagnostics_about(document) : Json::array();
    const std::string result = hash_of(items.dump(-1, ' ', false, Json::error_handler_t::replace));
    Json out;
    if (text_of(member(params, "previousResultId")) == result) {
        out = {{"kind", "unchanged"}, {"resultId", result}};
    } else {
        out = {{"kind", "full"}, {"resultId", result}, {"items", std::move(items)}};
    }
    if (!client_.related_documents || !document.analysis) return out;
    Json related = Json::object();
    for (const fixing::Diagnosis& diagnosis : document.analysis->findings) {
        const std::string& place = document.analysis->path(diagnosis.finding.location.file);
        if (place == document.path || documents_.find_path(place) != nullptr) continue;
        Json& about = related[text::uri_of_path(place)];
        if (about.is_null()) about = {{"kind", "full"}, {"items", diagnostics_about(place)}};
    }
    if (!related.empty()) out["relatedDocuments"] = std::move(related);
    return out;
}

Json Server::code_action(const Json& params) {
    Document& document = document_of(params);
    if (!document.source) return Json::array();
    const auto range = range_of(member(params, "range"), document.source->lines(), client_.unit);
    if (!range) throw RpcError(ErrorCode::invalid_params, "no range");
    return actions_.offered(document, *range, member(params, "context"));
}

Json Server::resolve_action(const Json& params) {
    auto edit = actions_.edit_of(member(params, "data"));
    if (!edit) {
        if (edit.error() == NoEdit::stale) {
            throw RpcError(ErrorCode::content_modified, "the document has changed since this was offered");
        }
        throw RpcError(ErrorCode::invalid_params, "no action of this server");
    }
    Json action = params;
    action["edit"] = *std::move(edit);
    return action;
}

Json Server::hover(const Json& params) {
    Document& document = document_of(params);
    if (!document.source) return {};
    const auto offset = offset_of(member(params, "position"), document.source->lines(), client_.unit);
    if (!offset) throw RpcError(ErrorCode::invalid_params, "no position");
    const rules::Language language = settings_.language;
    std::string text;
    std::optional<text::Range> about;
    const auto add = [&](const fixing::Analysis& analysis, const fixing::Diagnosis& diagnosis) {
        const text::Range range = diagnosis.finding.location.range;
        if (*offset < range.start || *offset > range.end) return;
        if (!is_text_of(*analysis.sources[diagnosis.finding.location.file], document)) return;
        const report::FindingView view = view_of(diagnosis, language);
        const std::string title = fmt::format("**{} {}**\n\n{}", view.rule, view.name, view.message);
        if (text.find(title) != std::string::npos) return;  // found from several files
        if (!text.empty()) text += "\n\n---\n\n";
        text += title;
        if (!view.why.empty()) text += fmt::format("\n\n{}", view.why);
        const auto line = [&](std::string_view id, std::string words) {
            text += fmt::format("\n\n{}", rules::render({id, rules::Data().set("text", std::move(words))}, language));
        };
        if (view.fix) line("lsp.fix", view.fix->description);
        if (view.blocked) line("lsp.blocked", view.blocked->reason);
        if (const std::string page = page_uri(view.rule, language); !page.empty() && client_.markdown_hover) {
            const rules::Data data = rules::Data().set("rule", std::string(view.rule));
            text += fmt::format("\n\n[{}]({})", rules::render({"lsp.page", data}, language), page);
        }
        about = range;
    };
    fixing::Analysis* analysis = analyser_.traced(document);
    if (document.analysis) {
        for (const fixing::Diagnosis& diagnosis : document.analysis->findings) add(*document.analysis, diagnosis);
    }
    for (const auto& [uri, other] : documents_.all()) {
        if (&other == &document || !other.analysis || other.path == document.path) continue;
        for (const fixing::Diagnosis& diagnosis : other.analysis->findings) add(*other.analysis, diagnosis);
    }
    if (analysis != nullptr) {
        const Numbers numbers(*analysis, document.config.soc, client_, language);
        if (const auto tile = numbers.tile_at(*offset)) {
            if (!text.empty()) text += "\n\n---\n\n";
            text += tile->first;
            about = tile->second;
        }
    }
    if (text.empty()) return {};
    const bool markdown = client_.markdown_hover;
    return {{"contents", {{"kind", markdown ? "markdown" : "plaintext"}, {"value", markdown ? text : as_plain(text)}}},
            {"range", json_of(*about, document.source->lines(), client_.unit)}};
}

Json Server::inlay_hint(const Json& params) {
    Document& document = document_of(params);
    if (!settings_.inlay_hints || !document.source) return Json::array();
    const auto range = range_of(member(params, "range"), document.source->lines(), client_.unit);
    if (!range) throw RpcError(ErrorCode::invalid_params, "no range");
    fixing::Analysis* analysis = analyser_.traced(document);
    if (analysis == nullptr) return Json::array();
    return Numbers(*analysis, document.config.soc, client_, settings_.language).inlay_hints(*range);
}

Json Server::code_lens(const Json& params) {
    Document& document = document_of(params);
    if (!settings_.code_lens) return Json::array();
    fixing::Analysis* analysis = analyser_.traced(document);
    if (analysis == nullptr) return Json::array();
    return Numbers(*analysis, document.config.soc, client_, settings_.language).code_lenses(document.uri);
}

void Server::apply_edit(const std::string& label, Json edit) {
    out_.request("workspace/applyEdit", {{"label", label}, {"edit", std::move(edit)}}, [this](const Json& result) {
        if (flag(result, "applied")) return;
        const std::string reason = text_of(member(result, "failureReason"));
        out_.log("the editor did not apply the edit" + (reason.empty() ? reason : ": " + reason));
    });
}

Json Server::execute_command(const Json& params) {
    const std::string command = text_of(member(params, "command"));
    if (command == "pto-fix.applyAction") {
        const Json action = resolve_action({{"data", argument(params, 0)}});
        apply_edit("pto-fix", action["edit"]);
        return {};
    }
    if (command == "pto-fix.explain") {
        const rules::Rule* rule = rules::find_rule(text_of(argument(params, 0)));
        if (rule == nullptr) throw RpcError(ErrorCode::invalid_params, "no such rule");
        return report::rule_page(*rule, settings_.language);
    }
    if (command == "pto-fix.fixFile" || command == "pto-fix.budget") {
        Document* document = documents_.find(text_of(argument(params, 0)));
        if (document == nullptr) throw RpcError(ErrorCode::invalid_params, "the document is not open");
        if (command == "pto-fix.budget") {
            fixing::Analysis* analysis = analyser_.traced(*document);
            if (analysis == nullptr) return "";
            return Numbers(*analysis, document->config.soc, client_, settings_.language).page();
        }
        fixing::FixOptions options;
        if (argument(params, 1) == true) options.threshold = rules::Applicability::unsafe;
        auto edit = actions_.fix_all(*document, options);
        if (!edit) throw RpcError(ErrorCode::request_failed, "the document is not looked at");
        apply_edit("pto-fix", *std::move(edit));
        return {};
    }
    if (command == "pto-fix.fixWorkspace") {
        Json edit = fix_workspace();
        const bool any = !member(edit, "documentChanges").empty() || !member(edit, "changes").empty();
        if (any) apply_edit("pto-fix", std::move(edit));
        return any;
    }
    throw RpcError(ErrorCode::invalid_params, "no such command: " + command);
}

Json Server::fix_workspace() {
    std::vector<FileChange> changes;
    for (const fixing::FixedFile& file : analyser_.fixed_files(python_files(roots_))) {
        const Document* document = documents_.find_text(*file.original);
        changes.push_back({document ? document->uri : text::uri_of_path(file.path), file.original,
                           document ? document->version : std::nullopt,
                           text::line_edits(file.original->text(), file.text)});
    }
    return workspace_edit(changes, client_, rules::render({"lsp.fix_all", {}}, settings_.language));
}

}  // namespace ptofix::lsp
