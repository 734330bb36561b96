#include "cli/man_page.h"

#include <fmt/format.h>

#include "cli/help_parts.h"

namespace ptofix::cli {

namespace {

/// Nothing in it is taken for a request, a dash is one that can be searched for and copied.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else if (c == '~') {
            out += "\\(ti";
        } else if (c == '^') {
            out += "\\(ha";
        } else if (c == '`') {
            out += "\\(ga";
        } else if (c == '\'') {
            out += "\\(aq";
        } else {
            out += c;
        }
    }
    if (out.starts_with('.')) out.insert(0, "\\&");
    return out;
}

void entry(std::string& out, const HelpEntry& entry) {
    out += fmt::format(".TP\n\\fB{}\\fR\n", roff(entry.head));
    out += entry.words.empty() ? "\\&\n" : roff(entry.words) + "\n";
}

void paragraph(std::string& out, const std::string& line) {
    out += ".PP\n" + roff(line) + "\n";
}

}  // namespace

std::string man_page(std::string_view help, std::string_view version, rules::Language language) {
    const bool english = language == rules::Language::en;
    std::string out =
        fmt::format(".TH PTO\\-FIX 1 \"\" \"pto\\-fix {}\"\n.SH {}\n", roff(version), english ? "NAME" : "名称");
    bool first = true;
    for (const HelpSection& section : help_sections(help)) {
        if (first) {
            // What it is, then the ways to call it.
            const std::string& what = section.before.empty() ? section.title : section.before.front();
            const std::size_t blank = what.find(' ');
            out +=
                "pto\\-fix \\- " + roff(english && blank != std::string::npos ? what.substr(blank + 1) : what) + "\n";
            out += english ? ".SH SYNOPSIS\n" : ".SH 用法\n";
        } else {
            out += ".SH " + roff(section.title) + "\n";
        }
        if (!first) {
            for (const std::string& line : section.before) paragraph(out, line);
        }
        for (const HelpEntry& each : section.entries) entry(out, each);
        for (const std::string& line : section.after) paragraph(out, line);
        first = false;
    }
    return out;
}

}  // namespace ptofix::cli
