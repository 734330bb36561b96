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
constexpr std::array<std::string_view, 4> kBinders = {"pylab", "reset", "run", "store"};
constexpr std::string_view kNothing = "pass", kAnything = "get_ipython()", kAnyNames = "from IPython import *";

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
    std::size_t at = 0;
    while (at < line.size() && (is_name_byte(line[at]) || line[at] == '.' || line[at] == ',' || line[at] == ' ')) ++at;
    if (at == 0 || at + 1 >= line.size() || line[at] != '=' || line[at + 1] == '=') return 0;
    ++at;
    while (at < line.size() && line[at] == ' ') ++at;
    return at;
}

/// What a magic runs, without its own options; empty: nothing that Python reads on this line.
std::string code_of(std::string_view magic) {
    const Runner* runner = runner_of(next_word(magic));
    if (runner == nullptr || runner->name == "capture") return {};
    while (true) {
        magic.remove_prefix(std::min(magic.find_first_not_of(" \t"), magic.size()));
        if (!magic.starts_with('-')) break;
        const std::string_view option = next_word(magic);
        if (option.size() == 2 && runner->valued.find(option[1]) != std::string_view::npos) next_word(magic);
    }
    Statements statements;
    statements.read(magic);
    return statements.at_start() ? std::string(magic) : std::string();
}

/// What Python reads in place of a line that begins with `%`, `!` or the like.
std::string in_place_of(std::string_view words) {
    if (!words.starts_with('%')) return std::string(kNothing);
    words.remove_prefix(std::min(words.find_first_not_of('%'), words.size()));
    const std::string_view name = words.substr(0, words.find_first_of(" \t"));
    if (std::ranges::find(kBinders, name) != kBinders.end()) return std::string(kAnyNames);
    std::string code = code_of(words);
    return code.empty() ? std::string(kNothing) : code;
}

/// What Python reads in place of a statement of IPython's; empty: it is Python's.
std::string in_python(std::string_view line) {
    constexpr std::string_view kSigns = "%!?/,;";  // none of them begins a statement of Python's
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view words = line.substr(indent);
    const std::string before(line.substr(0, indent));
    if (!words.empty() && kSigns.find(words.front()) != std::string_view::npos) return before + in_place_of(words);
    std::string_view end = words;
    while (end.ends_with(' ') || end.ends_with('\t')) end.remove_suffix(1);
    const bool asks = end.ends_with('?') && end.find_first_of("#'\"") == std::string_view::npos;
    if (asks) return before + std::string(kNothing);
    const std::size_t value = after_assignment(words);
    if (value == 0 || value >= words.size() || (words[value] != '%' && words[value] != '!')) return {};
    const std::string left = before + std::string(words.substr(0, value));
    const std::string code = words[value] == '%' ? code_of(words.substr(value + 1)) : std::string();
    if (code.empty()) return left + std::string(kAnything);
    return words.substr(value + 1).starts_with("time ") ? left + code : left + "get_ipython(" + code + ")";
}

/// Does a cell with this `%%` line go on in Python?
bool is_python_cell(std::string_view first_line) {
    return runner_of(first_line.substr(2, first_line.find_first_of(" \t", 2) - 2)) != nullptr;
}

}  // namespace

PythonCell python_of_cell(std::string_view cell) {
    PythonCell out;
    Statements statements;
    bool foreign = false;      // a %% magic of another language: the rest is no Python
    bool goes_on = false;      // the line before is IPython's and ends in a backslash
    bool before_words = true;  // a %% magic may still come
    while (!cell.empty()) {
        const std::size_t feed = cell.find('\n');
        std::string_view line = cell.substr(0, feed);
        std::string_view line_end = feed == std::string_view::npos ? std::string_view() : cell.substr(feed, 1);
        cell.remove_prefix(line.size() + line_end.size());
        std::string ending(line_end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
            ending.insert(0, "\r");
        }
        std::string python;
        bool replaced = true;
        if (foreign || goes_on) {
            goes_on = !foreign && line.ends_with('\\');
        } else if (before_words && line.starts_with("%%")) {
            foreign = !is_python_cell(line);
            out.head = foreign ? SIZE_MAX : out.replaced.size() + 1;
            if (!foreign) python = code_of(line.substr(2));
        } else if (statements.at_start() && !(python = in_python(line)).empty()) {
            goes_on = line.ends_with('\\');
        } else {
            statements.read(line);
            python = line;
            replaced = false;
        }
        before_words = before_words && !replaced && line.find_first_not_of(" \t") == std::string_view::npos;
        out.text += python;
        out.text += ending;
        out.replaced.push_back(replaced);
    }
    return out;
}

}  // namespace ptofix::text
