// Where the page of a rule is, for links: docs/rules of the installation or of the source tree that this program is
// from.
#pragma once

#include <string>
#include <string_view>

#include "rules/catalogue.h"

namespace ptofix::lsp {

/// A file: URI; empty when the pages are not installed.
std::string page_uri(std::string_view rule, rules::Language language);

}  // namespace ptofix::lsp
