// Findings as the protocol shows them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fixing/analysis.h"
#include "lsp/client.h"
#include "lsp/documents.h"
#include "report/view.h"

namespace ptofix::lsp {

inline constexpr const char* kSourceName = "pto-fix";

class Diagnostics {
  public:
    Diagnostics(Documents& documents, const ClientCapabilities& client, const Settings& settings)
        : documents_(documents), client_(client), settings_(settings) {}

    /// The findings that lie in the file of that path, and the first place of it that does not parse.
    Json in_file(const fixing::Analysis& analysis, const std::string& path) const;
    Json of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const;

  private:
    Documents& documents_;  // places in them are said by their own URIs
    const ClientCapabilities& client_;
    const Settings& settings_;
};

/// The finding as reports show it.
report::FindingView view_of(const fixing::Diagnosis& diagnosis, rules::Language language);

/// Names what a text was when something was said of it.
std::string hash_of(std::string_view text);

}  // namespace ptofix::lsp
