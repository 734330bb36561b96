#include "lsp/documents.h"

#include <nlohmann/json.hpp>

#include "fixing/editable_files.h"
#include "lsp/client.h"
#include "lsp/positions.h"

namespace ptofix::lsp {

void Document::set_text(std::string text) {
    auto read = text::Source::from_text(path, text);
    analysis.reset();
    stale = true;
    if (read) {
        source = std::make_shared<const text::Source>(*std::move(read));
        refusal.reset();
        refused_text.clear();
        return;
    }
    source.reset();
    file.reset();
    refusal = std::move(read.error());
    refused_text = std::move(text);
}

void Document::lose() {
    lost = true;
    source.reset();
    file.reset();
    analysis.reset();
    refused_text.clear();
    stale = true;
}

std::optional<std::string> changed_text(std::string_view text, const Json& changes, text::ColumnUnit unit) {
    if (!changes.is_array()) return std::nullopt;
    std::string now(text);
    for (const Json& change : changes) {
        const Json& inserted = member(change, "text");
        if (!inserted.is_string()) return std::nullopt;
        const Json& range = member(change, "range");
        if (range.is_null()) {
            now = inserted.get<std::string>();
            continue;
        }
        const auto replaced = range_of(range, text::LineIndex(now), unit);
        if (!replaced) return std::nullopt;
        now.replace(replaced->start, replaced->size(), inserted.get_ref<const std::string&>());
    }
    return now;
}

Document* Documents::find(std::string_view uri) {
    const auto at = by_uri_.find(uri);
    return at == by_uri_.end() ? nullptr : &at->second;
}

Document* Documents::find_path(const std::string& path) {
    if (by_uri_.empty()) return nullptr;
    const std::string key = fixing::path_key(path);
    Document* last = nullptr;
    for (auto& [uri, document] : by_uri_) {
        if (document.key == key && (last == nullptr || document.changed > last->changed)) last = &document;
    }
    return last;
}

Document* Documents::find_text(const text::Source& source) {
    for (auto& [uri, document] : by_uri_) {
        if (is_text_of(source, document)) return &document;
    }
    return nullptr;
}

bool is_text_of(const text::Source& source, const Document& document) {
    if (document.source == nullptr) return false;
    if (document.source.get() == &source) return true;
    return document.path == source.path() && document.source->text() == source.text();
}

Document& Documents::open(const std::string& uri, std::string path) {
    Document& document = by_uri_[uri];
    document = Document{};
    document.uri = uri;
    document.key = fixing::path_key(path);
    document.path = std::move(path);
    return document;
}

std::optional<Document> Documents::close(std::string_view uri) {
    const auto at = by_uri_.find(uri);
    if (at == by_uri_.end()) return std::nullopt;
    std::optional<Document> closed(std::move(at->second));
    by_uri_.erase(at);
    return closed;
}

}  // namespace ptofix::lsp
