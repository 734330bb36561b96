#include "cli/help_parts.h"

#include <algorithm>

namespace ptofix::cli {

namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::size_t kDeep = 20;  // what stands further in goes on with the entry above

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void append(std::string& words, std::string_view more) {
    if (!words.empty() && !more.empty()) words += ' ';
    words += more;
}

}  // namespace

std::vector<HelpSection> help_sections(std::string_view help) {
    std::vector<HelpSection> sections(1);
    while (!help.empty()) {
        const std::string_view line = help.substr(0, help.find('\n'));
        help.remove_prefix(std::min(line.size() + 1, help.size()));
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        if (indent == line.size()) continue;
        HelpSection* section = &sections.back();
        if (indent == 0) {
            // A heading has entries below it; what follows them at the margin belongs to the section too.
            const bool heading = help.starts_with(kIndent);
            if (heading && !trimmed(line).empty()) {
                sections.push_back({std::string(trimmed(line)), {}, {}, {}});
            } else {
                (section->entries.empty() ? section->before : section->after).emplace_back(trimmed(line));
            }
        } else if (indent >= kDeep && !section->entries.empty()) {
            append(section->entries.back().words, trimmed(line));
        } else {
            const std::string_view text = trimmed(line);
            const std::size_t gap = text.find(kIndent);
            HelpEntry entry{std::string(text.substr(0, gap)), {}};
            if (gap != std::string_view::npos) entry.words = trimmed(text.substr(gap));
            section->entries.push_back(std::move(entry));
        }
    }
    return sections;
}

std::vector<std::string_view> option_names_in(std::string_view head) {
    std::vector<std::string_view> names;
    for (std::size_t at = head.find("--"); at != std::string_view::npos; at = head.find("--", at + 2)) {
        if (at > 0 && head[at - 1] != ' ') continue;
        names.push_back(head.substr(at, head.find_first_of(" ,|=", at) - at));
    }
    return names;
}

}  // namespace ptofix::cli
