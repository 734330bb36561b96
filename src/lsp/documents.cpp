#include "lsp/documents.h"

#include <nlohmann/json.hpp>

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

Document* Documents::find_path(std::string_view path) {
    for (auto& [uri, document] : by_uri_) {
        if (document.path == path) return &document;
    }
    return nullptr;
}

Document& Documents::open(const std::string& uri, std::string path) {
    Document& document = by_uri_[uri];
    document = Document{};
    document.uri = uri;
    document.path = std::move(path);
    return document;
}

void Documents::close(std::string_view uri) {
    if (const auto at = by_uri_.find(uri); at != by_uri_.end()) by_uri_.erase(at);
}

}  // namespace ptofix::lsp
