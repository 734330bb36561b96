// The pages of error codes, from their catalogue: for `explain` and the generated docs/codes.
#pragma once

#include <string>
#include <vector>

#include "report/rule_page.h"
#include "rules/codes.h"

namespace ptofix::report {

/// Markdown. The same text is shown by `explain` and stored in docs/codes.
std::string code_page(const rules::Code& code, rules::Language language);

/// Everything that docs/codes holds; names are relative to it.
std::vector<DocsFile> code_docs();

}  // namespace ptofix::report
