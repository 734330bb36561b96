// Documents that come, change and go, and what is said of them unasked.
#include <algorithm>

#include "lsp/diagnostics.h"
#include "lsp/server.h"
#include "text/notebook.h"
#include "text/uri.h"

namespace ptofix::lsp {

namespace {

// FileChangeType
constexpr int kChanged = 2;

/// Is the first change a whole text?
bool tells_all(const Json& changes) {
    return changes.is_array() && !changes.empty() && member(changes.front(), "text").is_string() &&
           member(changes.front(), "range").is_null();
}

bool is_python(const std::string& language, const std::string& path) {
    // An editor shows the cells of a notebook as documents of their own, or its JSON, which is no Python.
    if (text::is_notebook_path(path)) return false;
    return language == "python" || path.ends_with(".py") || path.ends_with(".pyi");
}

}  // namespace

std::string Server::path_of(const std::string& uri) const {
    if (const auto path = text::path_of_uri(uri)) return config::absolute_path(*path);
    // Not a file yet: it imports, and is configured, as one in the first folder would.
    std::string name = uri;
    std::ranges::replace(name, '/', '_');
    return config::absolute_path((roots_.empty() ? std::string("/") : roots_.front() + "/") + name);
}

std::string Server::uri_of(const std::string& path) {
    const Document* document = documents_.find_path(path);
    return document != nullptr ? document->uri : text::uri_of_path(path);
}

void Server::did_open(const Json& params) {
    const Json& given = member(params, "textDocument");
    const std::string uri = text_of(member(given, "uri"));
    if (uri.empty() || !member(given, "text").is_string()) return;
    Document& document = documents_.open(uri, path_of(uri));
    document.is_python = is_python(text_of(member(given, "languageId")), document.path);
    const Json& version = member(given, "version");
    if (version.is_number_integer()) document.version = version.get<std::int64_t>();
    document.changed = ++clock_;
    document.set_text(member(given, "text").get<std::string>());
    if (document.is_python) analyser_.text_changed(document);
    everything_changed();
}

void Server::did_change(const Json& params) {
    const Json& given = member(params, "textDocument");
    Document* document = documents_.find(text_of(member(given, "uri")));
    if (document == nullptr) return out_.log("didChange of a document that is not open");
    const Json& version = member(given, "version");
    document->version = version.is_number_integer() ? std::optional(version.get<std::int64_t>()) : std::nullopt;
    document->changed = ++clock_;
    const Json& changes = member(params, "contentChanges");
    if (document->lost && !tells_all(changes)) return out_.log("didChange of a document whose text is not known");
    auto text = changed_text(document->text(), changes, client_.unit);
    if (!text) {
        document->lose();
        if (document->is_python) analyser_.text_changed(*document);
        return out_.log(
            "didChange with changes that cannot be read: the document is left alone until its text is sent whole");
    }
    document->lost = false;
    document->set_text(*std::move(text));
    if (!document->is_python) return;
    const bool others = analyser_.text_changed(*document);
    workspace_.changed();
    if (others && client_.pulls_diagnostics && client_.refreshes_diagnostics)
        out_.request("workspace/diagnostic/refresh", Json());
}

void Server::did_close(const Json& params) {
    const std::string uri = text_of(at_path(params, "textDocument.uri"));
    const auto closed = documents_.close(uri);
    if (!closed || !closed->is_python) return;
    analyser_.closed(*closed);
    if (!client_.pulls_diagnostics) {
        out_.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
        for (const std::string& other : told_about_[uri]) {
            if (Document* open = documents_.find_path(other)) {
                open->stale = true;
            } else {
                publish(other);
            }
        }
    }
    told_about_.erase(uri);
    published_.erase(closed->path);
    everything_changed();
}

void Server::did_change_configuration(const Json& params) {
    const Json& settings = member(params, "settings");
    const Json& own = member(settings, "pto-fix");
    if (own.is_object()) {
        read_settings(own);
        analyser_.settings_changed();
        everything_changed();
    } else {
        ask_for_settings();
    }
}

void Server::did_change_folders(const Json& params) {
    const Json& event = member(params, "event");
    for (const Json& folder : member(event, "removed")) {
        const auto path = text::path_of_uri(text_of(member(folder, "uri")));
        if (path) std::erase(roots_, config::absolute_path(*path));
    }
    for (const Json& folder : member(event, "added")) {
        const auto path = text::path_of_uri(text_of(member(folder, "uri")));
        if (path && std::ranges::find(roots_, config::absolute_path(*path)) == roots_.end()) {
            roots_.push_back(config::absolute_path(*path));
        }
    }
    workspace_.changed();
}

void Server::did_change_files(const Json& params) {
    for (const Json& change : member(params, "changes")) {
        const auto path = text::path_of_uri(text_of(member(change, "uri")));
        if (!path) continue;
        analyser_.file_changed(config::absolute_path(*path));
        const Json& type = member(change, "type");
        const bool is_there = type.is_number_integer() && type.get<int>() <= kChanged;
        if (!is_there && !client_.pulls_diagnostics && documents_.find_path(*path) == nullptr) publish(*path);
    }
    everything_changed();
}

void Server::everything_changed() {
    workspace_.changed();
    if (client_.pulls_diagnostics && client_.refreshes_diagnostics) {
        out_.request("workspace/diagnostic/refresh", Json());
    }
    if (client_.refreshes_hints) out_.request("workspace/inlayHint/refresh", Json());
    if (client_.refreshes_lenses) out_.request("workspace/codeLens/refresh", Json());
}

namespace {

void add_new(Json diagnostics, Json& out) {
    for (Json& diagnostic : diagnostics) {
        const bool known = std::ranges::any_of(out, [&](const Json& other) {
            return other["range"] == diagnostic["range"] && other["code"] == diagnostic["code"] &&
                   other["message"] == diagnostic["message"];
        });
        if (!known) out.push_back(std::move(diagnostic));
    }
}

}  // namespace

Json Server::diagnostics_about(const std::string& path) {
    Json out = Json::array();
    for (auto& [uri, document] : documents_.all()) {
        if (!document.analysis || document.excluded) continue;
        add_new(diagnostics_.in_file(*document.analysis, path), out);
    }
    return out;
}

Json Server::diagnostics_about(Document& document) {
    Json out = Json::array();
    if (const fixing::Analysis* analysis = analyser_.analysis(document)) {
        out = diagnostics_.in_file(*analysis, document.path);
    }
    for (auto& [uri, other] : documents_.all()) {
        if (&other == &document || !other.analysis || other.excluded) continue;
        const auto& sources = other.analysis->sources;
        // Not what another document of the same file holds.
        if (std::ranges::none_of(sources, [&](const auto& source) { return is_text_of(*source, document); })) continue;
        if (other.path == document.path) continue;
        add_new(diagnostics_.in_file(*other.analysis, document.path), out);
    }
    return out;
}

void Server::publish(const std::string& path) {
    Json diagnostics = diagnostics_about(path);
    Json& before = published_[path];
    if (before == diagnostics || (before.is_null() && diagnostics.empty())) return;
    before = diagnostics;
    out_.notify("textDocument/publishDiagnostics", {{"uri", uri_of(path)}, {"diagnostics", std::move(diagnostics)}});
}

void Server::send_diagnostics(Document& document) {
    Json message = {{"uri", document.uri}, {"diagnostics", diagnostics_about(document)}};
    if (client_.diagnostic_version && document.version) message["version"] = *document.version;
    out_.notify("textDocument/publishDiagnostics", std::move(message));
}

void Server::publish(Document& document) {
    if (!document.is_python) return;
    const std::string path = document.path;
    send_diagnostics(document);
    // Findings that its kernels cause in files that it imports.
    std::set<std::string> others;
    if (document.analysis) {
        for (const fixing::Diagnosis& diagnosis : document.analysis->findings) {
            const std::string& place = document.analysis->path(diagnosis.finding.location.file);
            if (place != path) others.insert(place);
        }
    }
    std::set<std::string> affected = others;
    affected.merge(told_about_[document.uri]);
    if (others.empty()) {
        told_about_.erase(document.uri);
    } else {
        told_about_[document.uri] = std::move(others);
    }
    for (const std::string& other : affected) {
        if (Document* open = documents_.find_path(other)) {
            send_diagnostics(*open);
        } else {
            publish(other);
        }
    }
}

}  // namespace ptofix::lsp
