// The catalogue of rules: ids, names, severities, the error codes and texts a user may search for, documentation in two
// languages. Ids and names are public and stable. Everything that lists rules (help, docs, SARIF, explain) reads it.
#pragma once

#include <span>
#include <string_view>

#include "rules/finding.h"

namespace ptofix::rules {

enum class Language : std::uint8_t { en, zh };

struct Example {
    std::string_view before, after;  // complete kernels; a test runs pto-fix over `before` and expects `after`
    std::string_view arguments;      // command-line options the example needs ("--unsafe"), may be empty
    std::string_view log = {};       // of a rule that is found from a compile log: what `diagnose` reads
};

struct Page {
    std::string_view what, why, fix, silent;  // short paragraphs in Markdown
};

struct Rule {
    std::string_view id;    // "PTO201"
    std::string_view name;  // "python-loop-in-kernel"
    Severity severity;      // the highest it reports
    std::string_view summary_en, summary_zh;
    std::span<const std::string_view> codes;  // "F40005", "Pass_31", "exit 124"
    Page en, zh;
    std::span<const Example> examples;
};

std::span<const Rule> catalogue();
const Rule* find_rule(std::string_view id_or_name);

}  // namespace ptofix::rules
