#include "fixing/idle_mentions.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "text/words.h"

namespace ptofix::fixing {

namespace {

constexpr std::string_view kFramework = "pypto";

/// Words between which and a name nothing has to stand: all of Python's keywords, those that are names elsewhere too.
constexpr std::string_view kKeywords[] = {
    "False", "None",     "True",  "and",    "as",     "assert", "async",  "await",  "break",    "case",
    "class", "continue", "def",   "del",    "elif",   "else",   "exec",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",     "is",     "lambda", "match",  "nonlocal", "not",
    "or",    "pass",     "print", "raise",  "return", "try",    "type",   "while",  "with",     "yield"};

/// Modules of the framework that are about its compiler and its errors: no kernel, loop or tile setting has its name
/// there.
constexpr std::string_view kInnerModules[] = {"error", "ir", "pypto_impl", "runtime"};

/// A longer one is not searched for where its comment begins: a file may be one line.
constexpr std::size_t kLongestLine = 512;

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

std::string_view name_at(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && text::is_name_byte(text[end])) ++end;
    return text.substr(0, end);
}

std::string_view name_before_end(std::string_view text) {
    std::size_t start = text.size();
    while (start > 0 && text::is_name_byte(text[start - 1])) --start;
    return text.substr(start);
}

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool is_word(std::string_view name) {
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') && !is_one_of(name, kKeywords);
}

/// Two names side by side are no code: the mention is part of a comment's or a string's words.
bool is_between_words(std::string_view before, std::string_view behind) {
    if (!behind.empty() && is_blank(behind.front())) {
        while (!behind.empty() && is_blank(behind.front())) behind.remove_prefix(1);
        if (is_word(name_at(behind))) return true;
    }
    if (before.empty() || !is_blank(before.back())) return false;
    while (!before.empty() && is_blank(before.back())) before.remove_suffix(1);
    return is_word(name_before_end(before));
}

/// Behind a hash, and no string begins or ends on the line: a comment, or the text of a string that began above. The
/// code in a string ("f'{...}'") stands behind a brace.
bool is_behind_hash(std::string_view before) {
    return before.find('#') != std::string_view::npos && before.find_first_of("\"'{") == std::string_view::npos;
}

/// Is the name at `at` a word among others? False where that is not sure.
bool is_prose(std::string_view text, std::size_t at, std::size_t size) {
    const std::size_t window = std::min(at, kLongestLine);
    std::string_view before = text.substr(at - window, window);
    const std::size_t line = before.find_last_of("\r\n");
    const bool is_whole = line != std::string_view::npos || window == at;
    if (line != std::string_view::npos) before.remove_prefix(line + 1);
    return (is_whole && is_behind_hash(before)) || is_between_words(before, text.substr(at + size));
}

/// "import pypto" as a statement, a read of one of the framework's options, types or inner modules, or words: nothing
/// that a kernel, a device loop or a tile setting could come from. Whatever else the name stands in may give it to
/// another name.
template <typename MaySetTiles>
bool is_idle(std::string_view text, std::size_t at, const MaySetTiles& may_set_tiles) {
    const std::string_view behind = text.substr(at + kFramework.size());
    if (behind.starts_with('.')) {
        const std::string_view name = name_at(behind.substr(1));
        if (name.starts_with("DT_") || is_one_of(name, kInnerModules)) return true;
        if ((name == "options" || name == "set_options") && !may_set_tiles()) return true;
    }
    const bool ends_line = behind.empty() || behind.front() == '\n' || behind.front() == '\r';
    if (text.substr(0, at).ends_with("import ") && ends_line) return true;
    return is_prose(text, at, kFramework.size());
}

/// As a name, not as a word of a comment or a docstring.
bool may_name(std::string_view text, std::string_view word) {
    std::size_t at = text::find_word(text, word);
    while (at != std::string_view::npos && is_prose(text, at, word.size())) at = text::find_word(text, word, at + 1);
    return at != std::string_view::npos;
}

}  // namespace

bool may_hold_kernels(std::string_view text) {
    std::size_t mention = text::find_word(text, kFramework);
    if (mention == std::string_view::npos) return false;
    // The options set tiles if they name them. Looked for once, where options are mentioned: most texts have none.
    std::optional<bool> sets_tiles;
    const auto may_set_tiles = [&] {
        if (!sets_tiles) sets_tiles = text::has_part(text, "tile_shapes");
        return *sets_tiles;
    };
    while (mention != std::string_view::npos && is_idle(text, mention, may_set_tiles)) {
        mention = text::find_word(text, kFramework, mention + 1);
    }
    if (mention == std::string_view::npos) return false;
    // A file is tied to the framework by an import, which holds the word by itself; pypto_pro is another dialect, and
    // most of its files import both. What rules look at cannot be written without one of these words: an alias is an
    // import of it.
    return text::has_part(text, "jit") || may_set_tiles() || may_name(text, "loop") || may_name(text, "loop_unroll");
}

}  // namespace ptofix::fixing
