// Changes of text as the protocol's WorkspaceEdit.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/client.h"
#include "lsp/documents.h"
#include "text/edit.h"

namespace ptofix::lsp {

/// What is to be done to one file.
struct FileChange {
    std::string uri;
    std::shared_ptr<const text::Source> source;  // that the edits are of
    std::optional<std::int64_t> version;         // of an open document
    std::vector<text::Edit> edits;
};

/// question: what the user is asked before it is applied; empty: nothing.
Json workspace_edit(const std::vector<FileChange>& changes, const ClientCapabilities& client,
                    const std::string& question = {});

}  // namespace ptofix::lsp
