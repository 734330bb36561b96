#include "text/magics.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/words.h"

namespace ptofix::text {

namespace {

/// Magics that run Python in the notebook's own names, with those of their options that take a value. What they run
/// stays in the text: it may be where a kernel is called.
struct Runner {
    std::string_view name, valued;
};
constexpr std::array<Runner, 8> kRunners = {{{"capture", ""},
                                             {"debug", "b"},
                                             {"lprun", "fmDTsuz"},
                                             {"memit", "rti"},
                                             {"mprun", "fT"},
                                             {"prun", "lsTD"},
                                             {"time", ""},
                                             {"timeit", "nrp"}}};
/// Magics that may give any name another value.
constexpr std::array<std::string_view, 9> kBinders = {"ed",    "edit",  "pylab", "recall", "rep",
                                                      "rerun", "reset", "run",   "store"};
/// Options of magics, with the name that is given a value behind them.
constexpr std::array<std::string_view, 6> kBindingOptions = {"--err", "--out", "--output", "--proc", "-o", "-O"};
/// Magics of cells that are words to show or to write down.
constexpr std::array<std::string_view, 12> kTexts = {"HTML", "SVG",      "bash", "file", "html",  "javascript",
                                                     "js",   "markdown", "sh",   "svg",  "latex", "writefile"};
constexpr std::string_view kNothing = "pass", kAnyNames = "from IPython import *", kError = "?";
constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool is_plain_name(std::string_view word) {
    if (word.empty() || (word[0] >= '0' && word[0] <= '9')) return false;
    const auto is_plain = [](char c) { return is_name_byte(c) && static_cast<unsigned char>(c) < 0x80; };
    return std::ranges::all_of(word, is_plain) && std::ranges::find(kKeywords, word) == kKeywords.end();
}

const Runner* runner_of(std::string_view name) {
    const auto found = std::ranges::find(kRunners, name, &Runner::name);
    return found == kRunners.end() ? nullptr : &*found;
}

std::string_view next_word(std::string_view& words) {
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    const std::string_view word = words.substr(0, words.find_first_of(" \t"));
    words.remove_prefix(word.size());
    return word;
}

/// Follows brackets, strings and backslashes over lines, to know where a statement begins.
class Statements {
  public:
    bool in_long_string() const { return quote_.size() == 3; }
    bool at_start() const { return depth_ == 0 && quote_.empty() && !continued_; }

    void read(std::string_view line) {
        continued_ = false;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (!quote_.empty()) {
                if (c == '\\') {
                    ++i;
                } else if (line.substr(i).starts_with(quote_)) {
                    i += quote_.size() - 1;
                    quote_.clear();
                }
            } else if (c == '#') {
                break;
            } else if (c == '\'' || c == '"') {
                const std::string_view three = line.substr(i, 3);
                quote_ = three.size() == 3 && three[1] == c && three[2] == c ? std::string(three) : std::string(1, c);
                i += quote_.size() - 1;
            } else if (c == '(' || c == '[' || c == '{') {
                ++depth_;
            } else if (c == ')' || c == ']' || c == '}') {
                depth_ -= depth_ > 0 ? 1 : 0;
            } else if (c == '\\' && i + 1 == line.size()) {
                continued_ = true;
            }
        }
        if (quote_.size() == 1 && !line.ends_with('\\'))
            quote_.clear();  // not closed on its line: an error of Python's
    }

  private:
    int depth_ = 0;
    std::string quote_;  // that ends the string; empty: not in one
    bool continued_ = false;
};

/// Where the line's own words begin behind `name = `, as in `files = !ls`; 0 when it is no such line.
std::size_t after_assignment(std::string_view line) {
    constexpr std::string_view kInTargets = "., *()[]'\"-:";
    std::size_t at = 0;
    while (at < line.size() && (is_name_byte(line[at]) || kInTargets.find(line[at]) != std::string_view::npos)) ++at;
    if (at == 0 || at + 1 >= line.size() || line[at] != '=' || line[at + 1] == '=') return 0;
    ++at;
    while (at < line.size() && line[at] == ' ') ++at;
    return at;
}

/// What a magic runs, without its own options; empty: nothing that Python reads on these lines.
std::string code_of(std::string_view magic) {
    const Runner* runner = runner_of(next_word(magic));
    if (runner == nullptr || runner->name == "capture") return {};
    while (true) {
        magic.remove_prefix(std::min(magic.find_first_not_of(" \t"), magic.size()));
        if (!magic.starts_with('-')) break;
        const std::string_view option = next_word(magic);
        if (option.size() == 2 && runner->valued.find(option[1]) != std::string_view::npos) next_word(magic);
    }
    // IPython joins lines that end in a backslash, in comments too.
    if (magic.find('\n') != std::string_view::npos && magic.find('#') != std::string_view::npos) return {};
    Statements statements;
    statements.read(magic);
    return statements.at_start() ? std::string(magic) : std::string();
}

/// The names that a magic may give another value, as far as it says so: `%%capture out`, `%%bash --out lines`,
/// `%sql rows << SELECT`. With "=" behind each.
std::string bound_by(std::string_view magic) {
    const std::string_view name = next_word(magic);
    bool takes_next = name == "capture" || name == "macro", is_option = false;
    std::string bound;
    for (std::string_view word = next_word(magic); !word.empty(); word = next_word(magic)) {
        std::string_view value = word;
        bool binds = (takes_next && !word.starts_with('-')) || is_option;
        if (binds && !is_option) takes_next = false;
        is_option = false;
        if (const auto* option = std::ranges::find(kBindingOptions, word.substr(0, word.find('=')));
            option != kBindingOptions.end()) {
            is_option = word.find('=') == std::string_view::npos;
            binds = !is_option;
            value = word.substr(std::min(word.find('='), word.size() - 1) + 1);
        }
        std::string_view rest = magic;
        binds = binds || next_word(rest) == "<<";
        while (binds && !value.empty()) {
            const std::string_view one = value.substr(0, value.find(','));
            value.remove_prefix(std::min(one.size() + 1, value.size()));
            if (is_plain_name(one)) bound += std::string(one) + " = ";
        }
    }
    return bound;
}

/// A use of the notebook's own names among these words that nobody follows; empty: there is none.
std::string mention_of(std::string_view words, const NotebookNames& names) {
    std::string list;
    for (std::size_t at = 0; at < words.size();) {
        if (!is_name_byte(words[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < words.size() && is_name_byte(words[end])) ++end;
        const std::string_view word = words.substr(at, end - at);
        const bool is_attribute = at > 0 && words[at - 1] == '.';
        at = end;
        if (is_attribute || !is_plain_name(word)) continue;
        if (!names.holds(word, end < words.size() && words[end] == '.')) continue;
        if (!has_word(list, word)) list += std::string(word) + ", ";
    }
    return list.empty() ? list : "lambda: (" + list + ")";
}

/// `names = get_ipython(...)`, what is left of a statement that Python cannot read.
std::string unknown(const std::string& bound, const std::string& mention) {
    if (!bound.empty()) return bound + "get_ipython(" + mention + ")";
    return mention.empty() ? std::string(kNothing) : mention;
}

/// What Python reads in place of a line that begins with `%`, `!` or the like.
std::string in_place_of(std::string_view words, const NotebookNames& names) {
    if (words.starts_with('?')) return std::string(kNothing);
    if (!words.starts_with('%')) return unknown({}, mention_of(words, names));
    words.remove_prefix(std::min(words.find_first_not_of('%'), words.size()));
    std::string_view rest = words;
    const std::string_view name = next_word(rest);
    std::string code = code_of(words);
    if (!code.empty()) return code;
    const Runner* runner = runner_of(name);
    const bool hides = runner != nullptr && runner->name != "capture" && rest.find('=') != std::string_view::npos;
    const std::string mention = mention_of(rest, names);
    if (hides || std::ranges::find(kBinders, name) != kBinders.end()) {
        return std::string(kAnyNames) + (mention.empty() ? "" : "; ") + mention;
    }
    return unknown(runner == nullptr || runner->name == "capture" ? bound_by(words) : std::string(), mention);
}

/// What Python reads in place of a statement of IPython's; empty: it is Python's. As many lines, or fewer.
std::string in_python(std::string_view line, const NotebookNames& names) {
    constexpr std::string_view kSigns = "%!?/,;";  // none of them begins a statement of Python's
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view words = line.substr(indent);
    const std::string before(line.substr(0, indent));
    if (!words.empty() && kSigns.find(words.front()) != std::string_view::npos) {
        return before + in_place_of(words, names);
    }
    std::string_view end = words;
    while (end.ends_with(' ') || end.ends_with('\t')) end.remove_suffix(1);
    const bool asks = end.ends_with('?') && end.find_first_of("#'\"") == std::string_view::npos;
    if (asks) return before + std::string(kNothing);
    const std::size_t value = after_assignment(words);
    if (value == 0 || value >= words.size() || (words[value] != '%' && words[value] != '!')) return {};
    const std::string left = before + std::string(words.substr(0, value));
    const std::string_view hidden = words.substr(value + 1);
    const std::string code = words[value] == '%' ? code_of(hidden) : std::string();
    if (code.empty()) return left + "get_ipython(" + mention_of(hidden, names) + ")";
    return hidden.starts_with("time ") ? left + code : left + "get_ipython(" + code + ")";
}

/// Does a cell with this `%%` line go on in Python?
bool is_python_cell(std::string_view first_line) {
    return runner_of(first_line.substr(2, first_line.find_first_of(" \t", 2) - 2)) != nullptr;
}

/// Are its lines a text that nobody runs in the notebook's own names?
bool is_text_cell(std::string_view first_line) {
    return std::ranges::find(kTexts, first_line.substr(2, first_line.find_first_of(" \t", 2) - 2)) != kTexts.end();
}

/// A statement that would end the file there ends its cell alone; nobody knows if. Empty: it is no such line.
std::string not_the_end(std::string_view line) {
    const auto begins = [&](std::string_view word) {
        return line.starts_with(word) && (line.size() == word.size() || !is_name_byte(line[word.size()]));
    };
    if (begins("raise") || begins("return")) return "if get_ipython(): " + std::string(line);
    for (const std::string_view always : {"while True:", "while 1:"}) {
        if (line.starts_with(always)) return "while get_ipython():" + std::string(line.substr(always.size()));
    }
    return {};
}

struct Line {
    std::string_view text;
    std::string_view ending;
};

std::vector<Line> lines_of(std::string_view cell) {
    std::vector<Line> lines;
    while (!cell.empty()) {
        const std::size_t feed = cell.find('\n');
        std::string_view text = cell.substr(0, feed);
        const std::size_t whole = std::min(text.size() + 1, cell.size());
        if (text.ends_with('\r')) text.remove_suffix(1);
        lines.push_back({text, cell.substr(text.size(), whole - text.size())});
        cell.remove_prefix(whole);
    }
    return lines;
}

class CellReader {
  public:
    CellReader(std::string_view cell, const NotebookNames& names) : lines_(lines_of(cell)), names_(names) {}

    PythonCell read() {
        while (at_ < lines_.size()) read_line(lines_[at_].text);
        if (statements_.in_long_string()) confine();
        return std::move(out_);
    }

  private:
    void read_line(std::string_view line) {
        if (foreign_) return put(text_ ? std::string() : mention_of(line, names_), true);
        if (may_have_head_ && line.starts_with("%%")) return read_head(line);
        const bool blank = line.find_first_not_of(" \t") == std::string_view::npos;
        may_have_head_ = may_have_head_ && blank;
        if (!statements_.at_start()) return put_python(line);
        if (!in_python(line, names_).empty()) {
            std::string whole(line);
            std::size_t last = at_;
            while (whole.ends_with('\\') && last + 1 < lines_.size()) {
                whole += '\n';
                whole += lines_[++last].text;
            }
            const std::string python = in_python(whole, names_);
            std::string_view rest = python;
            while (at_ <= last) {
                const std::string_view one = rest.substr(0, rest.find('\n'));
                rest.remove_prefix(std::min(one.size() + 1, rest.size()));
                put(one, true);
            }
            return;
        }
        opened_ = at_;
        opened_size_ = out_.text.size();
        std::string instead = not_the_end(line);
        if (instead.empty()) return put_python(line);
        statements_.read(line);
        put(instead, true);
    }

    void read_head(std::string_view line) {
        foreign_ = !is_python_cell(line);
        text_ = foreign_ && is_text_cell(line);
        out_.head = foreign_ ? SIZE_MAX : at_ + 1;
        std::string python = code_of(line.substr(2));
        if (python.empty()) python = text_ ? unknown(bound_by(line.substr(2)), {}) : in_place_of(line, names_);
        put(python == kNothing ? std::string() : python, true);
    }

    void put_python(std::string_view line) {
        statements_.read(line);
        put(line, false);
    }

    void put(std::string_view python, bool replaced) {
        out_.text += python;
        out_.text += lines_[at_++].ending;
        out_.replaced.push_back(replaced);
    }

    /// A string that no line of the cell ends is an error of this cell. For a parser of the joined text it would go on
    /// to the next string.
    void confine() {
        out_.text.resize(opened_size_);
        out_.replaced.resize(opened_);
        const std::string_view line = lines_[at_ = opened_].text;
        put(std::string(line.substr(0, line.find_first_not_of(" \t"))) + std::string(kError), true);
        while (at_ < lines_.size()) put(mention_of(lines_[at_].text, names_), true);
    }

    std::vector<Line> lines_;
    const NotebookNames& names_;
    PythonCell out_;
    Statements statements_;
    std::size_t at_ = 0;
    std::size_t opened_ = 0;       // the line that the statement began on
    std::size_t opened_size_ = 0;  // of the text before it
    bool foreign_ = false;         // a %% magic of another language: the rest is no Python
    bool text_ = false;            // ... but a text
    bool may_have_head_ = true;    // a %% magic may still come
};

}  // namespace

void NotebookNames::read(std::string_view cell) {
    bool in_import = false, bracket = false;
    for (const Line& line : lines_of(cell)) {
        const std::string_view code = line.text.substr(0, line.text.find('#'));
        std::string_view before;
        const bool is_from = has_word(code, "from");
        for (std::size_t at = 0; at < code.size();) {
            const char c = code[at];
            if (!is_name_byte(c)) {
                all_ = all_ || (in_import && c == '*');
                bracket = bracket || (in_import && c == '(');
                if (c == ')' || c == ';') in_import = bracket = false;
                ++at;
                continue;
            }
            std::size_t end = at;
            while (end < code.size() && is_name_byte(code[end])) ++end;
            const std::string_view word = code.substr(at, end - at);
            at = end;
            if (in_import) (from_ ? own_ : modules_).emplace(word);
            if (before == "def") own_.emplace(word);
            if (word == "import") in_import = true, bracket = false, from_ = is_from;
            before = word;
        }
        in_import = in_import && (bracket || code.ends_with('\\'));
    }
}

bool NotebookNames::holds(std::string_view word, bool has_attribute) const {
    return all_ || own_.contains(word) || (has_attribute && modules_.contains(word));
}

PythonCell python_of_cell(std::string_view cell, const NotebookNames& names) {
    return CellReader(cell, names).read();
}

}  // namespace ptofix::text
