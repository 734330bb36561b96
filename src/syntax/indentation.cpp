// Which texts are indented too deeply to be parsed. Two limits: Python's own, of the lines that begin statements, and
// that of the grammar's scanner, which keeps its levels in 1024 bytes and overruns them.
#include <algorithm>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace ptofix::syntax {

namespace {

/// The scanner's buffer holds two bytes for a level, up to 255 for open strings, and two more.
constexpr std::size_t kMostScannerColumns = (1024 - 255 - 2) / 2;
constexpr std::size_t kPythonTab = 8;

bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

std::size_t line_end(std::string_view text, std::size_t at) {
    if (at >= text.size()) return text.size();
    // Two searches for one byte are several times as fast as one for either.
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    return at + std::min(line.size(), line.find('\r'));
}

/// The offset behind the end of the line, "\r\n" being one.
std::size_t behind_line_end(std::string_view text, std::size_t at) {
    const std::size_t end = line_end(text, at);
    return std::min(text.size(), end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
}

/// The columns at which lines begin, as the scanner counts them and as Python does.
struct Columns {
    std::size_t scanner = 0;
    std::size_t python = 0;

    /// Goes over white space; lines that a backslash continues are added up, as the scanner does.
    std::size_t skip(std::string_view text, std::size_t at) {
        for (; at < text.size(); ++at) {
            const char c = text[at];
            if (c == ' ') {
                ++scanner;
                ++python;
            } else if (c == '\t') {
                scanner += kPythonTab;
                python = (python / kPythonTab + 1) * kPythonTab;
            } else if (c == '\f') {
                scanner = python = 0;
            } else if (c == '\\' && at + 1 < text.size() && is_line_end(text[at + 1])) {
                at = behind_line_end(text, at) - 1;
            } else {
                break;
            }
        }
        return at;
    }
};

/// How many different columns lines begin at (the bits are counted as they are set: most texts have a dozen of them).
/// Levels are columns in ascending order, so that there are never more of
/// them, whatever brackets, strings and errors stand between.
class Different {
  public:
    void add(std::size_t column) {
        const auto at = static_cast<std::uint16_t>(column);  // the scanner counts in 16 bits
        count_ += !seen_[at];
        seen_.set(at);
    }
    std::size_t count() const { return count_; }

  private:
    std::bitset<1U << 16U> seen_;
    std::size_t count_ = 0;
};

struct ColumnCount {
    Different scanner, python;

    explicit ColumnCount(std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            Columns columns;
            at = columns.skip(text, at);
            scanner.add(columns.scanner);
            python.add(columns.python);
            at = behind_line_end(text, at);
        }
    }
};

/// The lines at which Python's tokenizer looks for a new level: not those in brackets or strings, of comments alone or
/// behind a backslash.
class LogicalLines {
  public:
    explicit LogicalLines(std::string_view text) : text_(text) {}

    bool exceed(std::size_t most_levels) {
        std::vector<std::size_t> levels{0};
        while (at_ < text_.size()) {
            Columns columns;
            at_ = columns.skip(text_, at_);
            if (at_ == text_.size()) return false;
            if (!is_line_end(text_[at_]) && text_[at_] != '#') {
                while (levels.back() > columns.python) levels.pop_back();
                if (columns.python > levels.back()) levels.push_back(columns.python);
                if (levels.size() > most_levels + 1) return true;
            }
            skip_logical_line();
        }
        return false;
    }

  private:
    void skip_logical_line() {
        for (std::size_t brackets = 0; at_ < text_.size();) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                skip_string(c);
            } else if (c == '#') {
                at_ = line_end(text_, at_);
            } else if (c == '\\' && at_ + 1 < text_.size() && is_line_end(text_[at_ + 1])) {
                at_ = behind_line_end(text_, at_);
            } else if (is_line_end(c)) {
                at_ = behind_line_end(text_, at_);
                if (brackets == 0) return;
            } else {
                brackets += c == '(' || c == '[' || c == '{';
                brackets -= brackets > 0 && (c == ')' || c == ']' || c == '}');
                ++at_;
            }
        }
    }

    /// A string in single quotes ends with its line at the latest.
    void skip_string(char quote) {
        const std::string triple(3, quote);
        const bool is_triple = text_.substr(at_).starts_with(triple);
        for (at_ += is_triple ? 3 : 1; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\\') {
                at_ = at_ + 1 < text_.size() && is_line_end(text_[at_ + 1]) ? behind_line_end(text_, at_) - 1 : at_ + 1;
            } else if (is_triple ? text_.substr(at_).starts_with(triple) : text_[at_] == quote) {
                at_ += is_triple ? 3 : 1;
                return;
            } else if (!is_triple && is_line_end(text_[at_])) {
                return;
            }
        }
        at_ = text_.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool is_blank(char c) {
    return c == ' ' || c == '\f';
}

/// As many different columns need a line as far to the right; most texts have none, and a look at every so many bytes
/// shows it. False where that is not sure: tabs count for more, and lines may be joined by a backslash behind blanks.
bool has_narrow_indentation(std::string_view text) {
    constexpr std::size_t kWide = kMaxIndentation;
    static_assert(kWide <= kMostScannerColumns);
    if (text.find('\t') != std::string_view::npos) return false;
    for (std::size_t at = kWide - 1; at < text.size(); at += kWide) {
        if (!is_blank(text[at])) continue;
        std::size_t first = at, last = at + 1;
        while (first > 0 && is_blank(text[first - 1])) --first;
        while (last < text.size() && is_blank(text[last])) ++last;
        if (last - first >= kWide) return false;
    }
    for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
        if (at + 1 == text.size() || !is_line_end(text[at + 1])) continue;
        std::size_t first = at;
        while (first > 0 && is_blank(text[first - 1])) --first;
        if (first == 0 || is_line_end(text[first - 1])) return false;
    }
    return true;
}

}  // namespace

bool too_deeply_indented(std::string_view text) {
    if (has_narrow_indentation(text)) return false;
    const ColumnCount columns(text);
    if (columns.scanner.count() > kMostScannerColumns) return true;
    // Few files have lines at so many columns that it is worth to tell statements from what continues them.
    return columns.python.count() > kMaxIndentation && LogicalLines(text).exceed(kMaxIndentation);
}

}  // namespace ptofix::syntax
