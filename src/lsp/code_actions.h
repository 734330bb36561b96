// Fixes as code actions: those of one finding, of all in the document, and the comment that silences one.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "fixing/fix_all.h"
#include "lsp/analyser.h"
#include "lsp/client.h"
#include "lsp/diagnostics.h"
#include "lsp/documents.h"
#include "text/edit.h"

namespace ptofix::lsp {

inline constexpr const char* kQuickFix = "quickfix";
inline constexpr const char* kFixAll = "source.fixAll.pto-fix";
/// Not below source.fixAll: editors run what is there when a file is saved.
inline constexpr const char* kFixAllUnsafe = "source.fixAllUnsafe.pto-fix";

enum class NoEdit : std::uint8_t {
    malformed,  // the data is none of ours
    stale,      // the document is no longer what the action was offered for
};

class CodeActions {
  public:
    CodeActions(Documents& documents, Analyser& analyser, const Diagnostics& diagnostics,
                const ClientCapabilities& client, const Settings& settings)
        : documents_(documents), analyser_(analyser), diagnostics_(diagnostics), client_(client), settings_(settings) {}

    /// The answer to textDocument/codeAction.
    Json offered(Document& document, text::Range range, const Json& context);
    /// The edit of an action, by the `data` it was offered with.
    std::expected<Json, NoEdit> edit_of(const Json& data);
    /// What `--apply` (`--unsafe`) makes of the document, as edits; nothing when it is not looked at.
    std::optional<Json> fix_all(Document& document, const fixing::FixOptions& options);

  private:
    struct Wanted;
    /// owner: the document that was analysed; the finding lies in the other one, or that is the same.
    void add_fixes(Document& document, const Document& owner, std::size_t index, Json& out);
    void add_fix_all(Document& document, const Wanted& wanted, Json& out);
    /// By a change of this document alone, as `--apply` of its file makes it.
    static bool is_fixed_by_all(const Document& document, const fixing::Diagnosis& diagnosis,
                                rules::Applicability threshold);
    /// Nothing: a file that it changes is no longer what was looked at.
    std::optional<Json> edit_of(const Document& document, const fixing::Analysis& analysis, const rules::Fix& fix,
                                const std::string& question);
    std::expected<Json, NoEdit> edit_of_one(Document& document, const Json& data);
    /// The comment alone on the line above, or the rule added to the one that is there; nothing where none can stand.
    std::optional<text::Edit> suppression(Document& document, const rules::Finding& finding);
    std::string words(std::string_view id, rules::Data data = {}) const;
    std::string question(const rules::Rewrite& rewrite, const rules::Fix& fix) const;
    void offer(Json action, Json& out) const;
    /// An action of which the edit takes a while: brought when it is chosen, where the client can wait for it.
    void offer_later(const char* kind, std::string_view title, Json data, Json& out);
    Json data_of(const Document& document, std::string_view kind) const;

    Documents& documents_;
    Analyser& analyser_;
    const Diagnostics& diagnostics_;
    const ClientCapabilities& client_;
    const Settings& settings_;
};

}  // namespace ptofix::lsp
