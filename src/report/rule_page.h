// The pages of the rules and their table, from the catalogue: for `explain`, `rules` and the generated docs/rules.
#pragma once

#include <string>
#include <vector>

#include "rules/catalogue.h"

namespace ptofix::report {

/// A rule's page in Markdown. The same text is shown by `explain` and stored in docs/rules.
std::string rule_page(const rules::Rule& rule, rules::Language language);

/// One line a rule, aligned for a terminal.
std::string rule_table(rules::Language language);

struct DocsFile {
    std::string name;  // relative to docs/rules
    std::string text;
};
/// Everything that docs/rules holds.
std::vector<DocsFile> rule_docs();

}  // namespace ptofix::report
