#include "fixing/import_lines.h"

#include <algorithm>

#include "text/utf8.h"
#include "text/words.h"

namespace ptofix::fixing {

namespace {

constexpr std::string_view kImport = "import", kFrom = "from";

bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

/// Where the statement's line begins, with the lines that a backslash joins to it.
std::size_t begin_of(std::string_view text, std::size_t at) {
    while (true) {
        while (at > 0 && !is_line_end(text[at - 1])) --at;
        std::size_t end = at;
        if (end > 0 && text[end - 1] == '\n') --end;
        if (end > 0 && text[end - 1] == '\r') --end;
        if (end == at || end == 0 || text[end - 1] != '\\') return at;
        at = end - 1;
    }
}

/// What stands behind `import`: to the end of the parentheses or of the line. Without comments and backslashes.
std::string clause_at(std::string_view text, std::size_t at) {
    std::string clause;
    bool in_parentheses = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '#') {
            while (at + 1 < text.size() && !is_line_end(text[at + 1])) ++at;
        } else if (c == '(') {
            in_parentheses = true;
        } else if (c == ')' || c == ';') {
            break;
        } else if (c == '\\') {
            if (at + 2 < text.size() && text[at + 1] == '\r' && text[at + 2] == '\n') ++at;
            ++at;
            clause += ' ';
        } else if (is_line_end(c)) {
            if (!in_parentheses) break;
            clause += ' ';
        } else {
            clause += c;
        }
    }
    return clause;
}

template <typename Visit>
void each_name(std::string_view clause, Visit&& visit) {
    while (!clause.empty()) {
        const std::string_view part = clause.substr(0, clause.find(','));
        clause.remove_prefix(std::min(part.size() + 1, clause.size()));
        const std::string name = text::without_blanks(part.substr(0, text::find_word(part, "as")));  // a . b
        if (!name.empty() && name != "*") visit(std::string_view(name));
    }
}

}  // namespace

void each_import_line(std::string_view text, const std::function<void(const ImportLine&)>& visit) {
    if (text.starts_with(text::kUtf8Bom)) text.remove_prefix(text::kUtf8Bom.size());  // no part of the first word
    for (std::size_t at = text::find_word(text, kImport); at != std::string_view::npos;
         at = text::find_word(text, kImport, at + 1)) {
        const std::size_t begin = begin_of(text, at);
        std::string_view head = text.substr(begin, at - begin);
        head.remove_prefix(head.rfind(';') + 1);
        std::size_t from = std::string_view::npos;
        for (std::size_t next = text::find_word(head, kFrom); next != std::string_view::npos;
             next = text::find_word(head, kFrom, next + 1)) {
            from = next;
        }
        const std::string clause = clause_at(text, at + kImport.size());
        if (from == std::string_view::npos) {
            each_name(clause, [&](std::string_view name) {
                for (std::size_t end = name.find('.'); end != std::string_view::npos; end = name.find('.', end + 1)) {
                    visit({std::string(name.substr(0, end)), {}, false});  // a package on the way
                }
                visit({std::string(name), {}, false});
            });
            continue;
        }
        const std::string module = text::without_blanks(head.substr(from + kFrom.size()));
        if (module.empty()) continue;
        visit({module, clause, true});
        const std::string_view dot = module.ends_with('.') ? "" : ".";
        each_name(clause,
                  [&](std::string_view name) { visit({module + std::string(dot) + std::string(name), {}, false}); });
    }
}

bool imports_at_run_time(std::string_view text) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"importlib", "__import__", "runpy"},
                               [&](std::string_view word) { return text::has_part(text, word); }) ||
           (text::has_word(text, "sys") && text::has_word(text, "modules"));
}

}  // namespace ptofix::fixing
