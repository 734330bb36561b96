// The error codes that PyPTO, the tools it starts and the device print, each with what it means and what to do, in two
// languages. Read by `explain`, `diagnose` and the generated docs/codes.
#pragma once

#include <span>
#include <string_view>

#include "rules/catalogue.h"

namespace ptofix::rules {

struct CodePage {
    std::string_view title, what, cause, cure;  // short paragraphs in Markdown
};

struct Code {
    std::string_view id;                      // "F40005", "exit-124": also the name of its page
    std::string_view name;                    // as the framework has it; empty: none
    std::span<const std::string_view> also;   // other ways in which people write it
    std::span<const std::string_view> rules;  // that find and mend it
    std::string_view example;                 // a line of a log
    CodePage en, zh;
};

std::span<const Code> codes();
/// By id, name or another way of writing it; case ignored.
const Code* find_code(std::string_view word);

}  // namespace ptofix::rules
