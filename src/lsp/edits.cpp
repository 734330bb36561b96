#include "lsp/edits.h"

#include <nlohmann/json.hpp>

#include "lsp/positions.h"

namespace ptofix::lsp {

namespace {

constexpr const char* kAnnotation = "pto-fix";

}  // namespace

Json workspace_edit(const std::vector<FileChange>& changes, const ClientCapabilities& client,
                    const std::string& question) {
    const bool asks = client.change_annotations && !question.empty();
    Json documents = Json::array();
    Json by_uri = Json::object();
    for (const FileChange& change : changes) {
        Json edits = Json::array();
        for (const text::Edit& edit : change.edits) {
            Json one = {{"range", json_of(edit.range, change.source->lines(), client.unit)}, {"newText", edit.text}};
            if (asks) one["annotationId"] = kAnnotation;
            edits.push_back(std::move(one));
        }
        if (client.document_changes) {
            Json version = change.version ? Json(*change.version) : Json();
            documents.push_back({{"textDocument", {{"uri", change.uri}, {"version", std::move(version)}}},
                                 {"edits", std::move(edits)}});
        } else {
            by_uri[change.uri] = std::move(edits);
        }
    }
    Json out = Json::object();
    if (client.document_changes) {
        out["documentChanges"] = std::move(documents);
    } else {
        out["changes"] = std::move(by_uri);
    }
    if (asks) {
        out["changeAnnotations"][kAnnotation] = {
            {"label", "pto-fix"}, {"needsConfirmation", true}, {"description", question}};
    }
    return out;
}

}  // namespace ptofix::lsp
