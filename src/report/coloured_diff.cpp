#include "report/coloured_diff.h"

#include <algorithm>
#include <cstdint>

#include "report/colour.h"
#include "text/display_width.h"

namespace ptofix::report {

namespace {

/// The lines that a hunk has of the old and the new text, from its header "@@ -1,5 +1,6 @@": inside of it, a line that
/// begins with "---" is a removed one.
struct Hunk {
    std::uint32_t removed = 0, added = 0;

    static std::uint32_t lines_of(std::string_view header, char side) {
        const std::size_t at = header.find(side);
        if (at == std::string_view::npos) return 0;
        const std::string_view range = header.substr(at, header.find(' ', at) - at);
        const std::size_t comma = range.find(',');
        if (comma == std::string_view::npos) return 1;
        std::uint32_t lines = 0;
        for (const char digit : range.substr(comma + 1)) lines = lines * 10 + static_cast<std::uint32_t>(digit - '0');
        return lines;
    }

    explicit Hunk(std::string_view header) : removed(lines_of(header, '-')), added(lines_of(header, '+')) {}
    Hunk() = default;
    bool open() const { return removed > 0 || added > 0; }
    void take(char mark) {
        if (mark != '+' && removed > 0) --removed;
        if (mark != '-' && added > 0) --added;
    }
};

/// Tabs stay: they are part of the text that is shown.
std::string on_terminal(std::string_view line) {
    std::string out;
    while (true) {
        const std::size_t tab = line.find('\t');
        out += text::printable(line.substr(0, tab));
        if (tab == std::string_view::npos) return out;
        out += '\t';
        line.remove_prefix(tab + 1);
    }
}

}  // namespace

std::string coloured_diff(std::string_view diff) {
    std::string out;
    Hunk hunk;
    while (!diff.empty()) {
        std::string_view line = diff.substr(0, diff.find('\n'));
        diff.remove_prefix(std::min(line.size() + 1, diff.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const char mark = line.empty() ? ' ' : line.front();
        const std::string shown = on_terminal(line);
        if (mark == '\\') {
            out += shown;  // "\ No newline at end of file"
        } else if (hunk.open()) {
            hunk.take(mark);
            out += mark == '-'   ? paint(shown, Role::removed, true)
                   : mark == '+' ? paint(shown, Role::added, true)
                                 : shown;
        } else if (line.starts_with("@@")) {
            hunk = Hunk(line);
            out += paint(shown, Role::gutter, true);
        } else {
            out += paint(shown, Role::strong, true);
        }
        out += '\n';
    }
    return out;
}

}  // namespace ptofix::report
