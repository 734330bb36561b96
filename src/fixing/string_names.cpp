#include "fixing/string_names.h"

#include <algorithm>

#include "text/words.h"

namespace ptofix::fixing {

namespace {

/// Where the text of a string literal that begins behind its quotes ends. One of one line ends with the line.
std::size_t end_of(std::string_view text, std::size_t at, std::string_view quotes) {
    for (; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text.substr(at).starts_with(quotes) || (quotes.size() == 1 && text[at] == '\n')) {
            return at;
        }
    }
    return text.size();
}

void read_names(std::string_view string, const std::function<void(std::string_view)>& visit) {
    const bool imports = text::has_word(string, "import");
    if (!imports && string.find_first_of(".:") == std::string_view::npos) return;
    for (std::size_t at = 0; at < string.size();) {
        std::size_t end = at;
        while (end < string.size() && text::is_name_byte(string[end])) ++end;
        const bool is_path = imports || (at > 0 && (string[at - 1] == '.' || string[at - 1] == ':'));
        if (end > at && is_path) visit(string.substr(at, end - at));
        at = end + 1;
    }
}

}  // namespace

void each_name_in_string(std::string_view text, const std::function<void(std::string_view name)>& visit) {
    for (std::size_t at = text.find_first_of("#'\""); at < text.size(); at = text.find_first_of("#'\"", at)) {
        if (text[at] == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        const std::string_view three = text.substr(at, 3);
        const bool is_long = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
        const std::string_view quotes = text.substr(at, is_long ? 3 : 1);
        const std::size_t begin = at + quotes.size();
        const std::size_t end = end_of(text, begin, quotes);
        read_names(text.substr(begin, end - begin), visit);
        at = std::min(end + quotes.size(), text.size());
    }
}

}  // namespace ptofix::fixing
