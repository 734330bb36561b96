#include "lsp/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "config/selectors.h"
#include "hardware/soc.h"

namespace ptofix::lsp {

namespace {

const Json kNull;

bool holds(const Json& list, std::string_view word) {
    return list.is_array() && std::ranges::any_of(list, [&](const Json& item) { return item == word; });
}

bool holds_number(const Json& list, int number) {
    return list.is_array() && std::ranges::any_of(list, [&](const Json& item) { return item == number; });
}

text::ColumnUnit unit_of(const Json& encodings) {
    // Offsets are bytes here, so that bytes cost least; VS Code knows UTF-16 alone.
    if (holds(encodings, "utf-8")) return text::ColumnUnit::utf8;
    if (holds(encodings, "utf-16") || !holds(encodings, "utf-32")) return text::ColumnUnit::utf16;
    return text::ColumnUnit::utf32;
}

bool read_selectors(const Json& value, std::vector<std::string>& out) {
    if (!value.is_array()) return false;
    std::vector<std::string> selectors;
    for (const Json& item : value) {
        const std::string selector = config::canonical_selector(text_of(item));
        if (selector.empty()) return false;
        selectors.push_back(selector);
    }
    out = std::move(selectors);
    return true;
}

}  // namespace

const Json& member(const Json& object, std::string_view key) {
    if (!object.is_object()) return kNull;
    const auto at = object.find(key);
    return at == object.end() ? kNull : *at;
}

const Json& at_path(const Json& object, std::string_view path) {
    const Json* at = &object;
    while (!path.empty()) {
        const std::size_t dot = path.find('.');
        at = &member(*at, path.substr(0, dot));
        path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    return *at;
}

bool flag(const Json& object, std::string_view path) {
    const Json& value = at_path(object, path);
    return value.is_boolean() && value.get<bool>();
}

std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string{};
}

ClientCapabilities ClientCapabilities::of(const Json& initialize) {
    ClientCapabilities client;
    const Json& all = member(initialize, "capabilities");
    const Json& document = member(all, "textDocument");
    const Json& workspace = member(all, "workspace");
    client.unit = unit_of(at_path(all, "general.positionEncodings"));
    client.document_changes = flag(workspace, "workspaceEdit.documentChanges");
    client.change_annotations = client.document_changes &&
                                at_path(workspace, "workspaceEdit.changeAnnotationSupport").is_object() &&
                                flag(document, "codeAction.honorsChangeAnnotations");
    client.code_action_literals = at_path(document, "codeAction.codeActionLiteralSupport").is_object();
    client.is_preferred = flag(document, "codeAction.isPreferredSupport");
    client.disabled = flag(document, "codeAction.disabledSupport");
    client.resolves_edits = flag(document, "codeAction.dataSupport") &&
                            holds(at_path(document, "codeAction.resolveSupport.properties"), "edit");
    client.pulls_diagnostics = member(document, "diagnostic").is_object();
    client.related_documents = flag(document, "diagnostic.relatedDocumentSupport");
    const Json& shown = member(document, client.pulls_diagnostics ? "diagnostic" : "publishDiagnostics");
    const Json& published = member(document, "publishDiagnostics");
    client.related_information = flag(shown, "relatedInformation") || flag(published, "relatedInformation");
    client.code_description = flag(shown, "codeDescriptionSupport") || flag(published, "codeDescriptionSupport");
    client.diagnostic_data = flag(shown, "dataSupport") || flag(published, "dataSupport");
    const auto knows_tag = [](const Json& of) {
        return holds_number(at_path(of, "tagSupport.valueSet"), kUnnecessaryTag);
    };
    client.unnecessary_tag = knows_tag(shown) || knows_tag(published);
    client.diagnostic_version = flag(published, "versionSupport");
    client.refreshes_diagnostics = flag(workspace, "diagnostics.refreshSupport");
    client.refreshes_hints = flag(workspace, "inlayHint.refreshSupport");
    client.refreshes_lenses = flag(workspace, "codeLens.refreshSupport");
    client.markdown_hover = holds(at_path(document, "hover.contentFormat"), "markdown");
    client.progress = flag(all, "window.workDoneProgress");
    client.watches_files = flag(workspace, "didChangeWatchedFiles.dynamicRegistration");
    client.has_configuration = flag(workspace, "configuration");
    const Json& process = member(initialize, "processId");
    if (process.is_number_integer()) client.process = process.get<std::int64_t>();
    return client;
}

void Settings::read(const Json& settings, std::vector<std::string>& problems) {
    if (!settings.is_object()) return;
    const auto given = [&](std::string_view key) -> const Json* {
        const Json& value = member(settings, key);
        return value.is_null() ? nullptr : &value;
    };
    const auto wrong = [&](std::string_view key, std::string_view wanted) {
        problems.push_back(fmt::format("pto-fix.{}: {}", key, wanted));
    };
    if (const Json* value = given("lang")) {
        const std::string word = text_of(*value);
        if (word == "zh" || word == "en") {
            language = word == "zh" ? rules::Language::zh : rules::Language::en;
        } else if (word != "auto") {
            wrong("lang", "\"zh\" | \"en\" | \"auto\"");
        }
    }
    if (const Json* value = given("soc")) {
        const std::string word = text_of(*value);
        if (word.empty() || hardware::soc_of_name(word)) {
            overrides.soc = word;
        } else {
            wrong("soc", fmt::format("`{}`?", word));
        }
    }
    if (const Json* value = given("select"); value && !read_selectors(*value, overrides.selected)) {
        wrong("select", "[\"PTO201\", ...]");
    }
    if (const Json* value = given("ignore"); value && !read_selectors(*value, overrides.ignored)) {
        wrong("ignore", "[\"PTO201\", ...]");
    }
    for (const auto& [key, target] : {std::pair{"inlayHints", &inlay_hints}, std::pair{"codeLens", &code_lens}}) {
        const Json* value = given(key);
        if (value == nullptr) continue;
        if (value->is_boolean()) {
            *target = value->get<bool>();
        } else {
            wrong(key, "true | false");
        }
    }
}

}  // namespace ptofix::lsp
