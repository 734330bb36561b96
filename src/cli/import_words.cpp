#include "cli/import_words.h"

#include <algorithm>

#include "text/words.h"

namespace ptofix::cli {

namespace {

void add_words(std::string_view text, std::set<std::string_view>& words) {
    for (std::size_t at = 0; at < text.size();) {
        if (!text::is_name_byte(text[at])) {
            ++at;
            continue;
        }
        const std::size_t start = at;
        while (at < text.size() && text::is_name_byte(text[at])) ++at;
        words.insert(text.substr(start, at - start));
    }
}

/// Where the bracket is closed: a comment in it may have brackets of its own.
std::size_t closing_bracket(std::string_view text, std::size_t at) {
    for (; at < text.size() && text[at] != ')'; ++at) {
        if (text[at] == '#') at = std::min(text.find_first_of("\r\n", at), text.size() - 1);
    }
    return at;
}

}  // namespace

std::set<std::string_view> import_words(std::string_view text) {
    std::set<std::string_view> words;
    for (std::size_t at = text::find_part(text, "import"); at != std::string_view::npos;) {
        const std::size_t start = text.rfind('\n', at) + 1;  // npos + 1 is 0
        std::size_t end = std::min(text.find('\n', at), text.size());
        // The names of a statement may go on in brackets, or behind a backslash.
        const std::size_t bracket = text.substr(at, end - at).find('(');
        if (bracket != std::string_view::npos) end = std::max(end, closing_bracket(text, at + bracket));
        while (end > at && end < text.size() && text[end - 1 - (text[end - 1] == '\r' ? 1 : 0)] == '\\') {
            end = std::min(text.find('\n', end + 1), text.size());
        }
        add_words(text.substr(start, end - start), words);
        at = text::find_part(text, "import", end);
    }
    return words;
}

std::string module_word(const std::string& path) {
    std::string_view rest = path;
    const auto last = [&] {
        const std::size_t slash = rest.rfind('/');
        const std::string_view name = slash == std::string_view::npos ? rest : rest.substr(slash + 1);
        rest = rest.substr(0, slash == std::string_view::npos ? 0 : slash);
        return name;
    };
    std::string_view name = last();
    if (name == "__init__.py") name = last();
    return std::string(name.substr(0, name.find('.')));
}

void want_importers(std::span<Module> modules, std::span<const std::string> further) {
    std::set<std::string> wanted;
    for (const std::string& path : further) wanted.insert(module_word(path));
    for (const Module& module : modules) {
        if (module.wanted) wanted.insert(module_word(module.path));
    }
    std::vector<std::set<std::string_view>> words;
    for (const Module& module : modules) {
        words.push_back(module.wanted ? std::set<std::string_view>{} : import_words(module.text));
    }
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < modules.size(); ++i) {
            if (modules[i].wanted) continue;
            const auto is_wanted = [&](std::string_view word) { return wanted.contains(std::string(word)); };
            modules[i].wanted = std::ranges::any_of(words[i], is_wanted);
            if (modules[i].wanted) again = wanted.insert(module_word(modules[i].path)).second || again;
        }
    }
}

}  // namespace ptofix::cli
