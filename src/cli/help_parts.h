// The help text taken apart: what the man page and the shells' completions say of an option is what --help says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptofix::cli {

struct HelpEntry {
    std::string head;  // "--format text|json", "pto-fix rules", "0", "pto-fix models/"
    std::string words;
};

struct HelpSection {
    std::string title;                // empty: the first, without heading
    std::vector<std::string> before;  // lines that belong to no entry, in front of them
    std::vector<HelpEntry> entries;
    std::vector<std::string> after;  // and behind them
};

std::vector<HelpSection> help_sections(std::string_view help);

/// "--jobs" of "--jobs N", both names of "--no-cache, --cache-dir DIR".
std::vector<std::string_view> option_names_in(std::string_view head);

}  // namespace ptofix::cli
