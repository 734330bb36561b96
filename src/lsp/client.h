// What the client said of itself in `initialize`, and what its user asked for.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/settings.h"
#include "rules/catalogue.h"
#include "text/line_index.h"

namespace ptofix::lsp {

using Json = nlohmann::json;

inline constexpr int kUnnecessaryTag = 1;  // DiagnosticTag

struct ClientCapabilities {
    text::ColumnUnit unit = text::ColumnUnit::utf16;  // of positions: the best that both sides know
    bool document_changes = false;                    // edits with versions
    bool change_annotations = false;
    bool code_action_literals = false;
    bool is_preferred = false, disabled = false;
    bool resolves_edits = false;  // codeAction/resolve may bring the edit later
    bool related_information = false, code_description = false, diagnostic_data = false, diagnostic_version = false;
    bool unnecessary_tag = false;    // shows code that does nothing in grey
    bool pulls_diagnostics = false;  // asks for them: then they are not sent unasked
    bool related_documents = false;  // takes other files' diagnostics in the answer
    bool refreshes_diagnostics = false, refreshes_hints = false, refreshes_lenses = false;
    bool markdown_hover = false;
    bool progress = false;
    bool watches_files = false;      // by dynamic registration
    bool has_configuration = false;  // workspace/configuration
    std::int64_t process = 0;

    static ClientCapabilities of(const Json& initialize);
};

/// Settings of the editor, "pto-fix": { ... }. What is not given, or is of the wrong type, keeps its value; each of
/// these is named in `problems`.
struct Settings {
    rules::Language language = rules::Language::en;
    config::Overrides overrides;
    bool inlay_hints = true, code_lens = true;

    void read(const Json& settings, std::vector<std::string>& problems);
};

/// A member of a JSON object, or null when there is none or the value is no object.
const Json& member(const Json& object, std::string_view key);
/// Members of members: "textDocument.codeAction.dataSupport".
const Json& at_path(const Json& object, std::string_view path);
bool flag(const Json& object, std::string_view path);
std::string text_of(const Json& value);

}  // namespace ptofix::lsp
