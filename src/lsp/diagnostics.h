// Findings as the protocol shows them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fixing/analysis.h"
#include "lsp/client.h"
#include "report/view.h"

namespace ptofix::lsp {

inline constexpr const char* kSourceName = "pto-fix";

/// The findings that lie in the file of that path, and the first place of it that does not parse.
Json diagnostics_of(const fixing::Analysis& analysis, const std::string& path, const ClientCapabilities& client,
                    rules::Language language);
Json diagnostic_of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis,
                   const ClientCapabilities& client, rules::Language language);

/// The finding as reports show it.
report::FindingView view_of(const fixing::Diagnosis& diagnosis, rules::Language language);

/// Names what a text was when something was said of it.
std::string hash_of(std::string_view text);

}  // namespace ptofix::lsp
