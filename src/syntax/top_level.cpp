#include "syntax/top_level.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "text/words.h"

namespace ptofix::syntax {

namespace {

using std::string_view;

string_view word_at(string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && text::is_name_byte(text[end])) ++end;
    return text.substr(at, end - at);
}

/// Behind lines that hold a backslash alone.
std::size_t behind_backslashes(string_view text, std::size_t at) {
    while (at + 1 < text.size() && text[at] == '\\' && (text[at + 1] == '\n' || text[at + 1] == '\r')) {
        at += text.substr(at + 1).starts_with("\r\n") ? 3 : 2;
    }
    return at;
}

bool is_space_or_end(string_view text, std::size_t at) {
    return at >= text.size() || string_view(" \t\f\r\n#").find(text[at]) != string_view::npos;
}

template <std::size_t N>
bool is_one_of(string_view word, const std::array<string_view, N>& words) {
    return std::ranges::find(words, word) != words.end();
}

constexpr std::array<string_view, 4> kContinuing{"else", "elif", "except", "finally"};
constexpr std::array<string_view, 4> kContinued{"if", "for", "while", "try"};
// No expression holds these words, so a bracket in front of them was never closed.
constexpr std::array<string_view, 10> kStatementOnly{"def", "class",  "import", "with", "while",
                                                     "try", "return", "del",    "pass", "raise"};

/// Bytes that neither end a line nor begin or end anything else.
constexpr std::array<bool, 256> kIsPlain = [] {
    std::array<bool, 256> plain{};
    plain.fill(true);
    for (const char c : string_view("\r\n#\\\"'()[]{}")) plain[static_cast<unsigned char>(c)] = false;
    return plain;
}();

/// Reads a text token by token as far as lines, strings, comments and brackets go.
class Scanner {
  public:
    explicit Scanner(string_view text) : text_(text) {}

    std::vector<std::uint32_t> starts() {
        std::vector<std::uint32_t> found;
        bool continued = false;  // by a backslash
        while (at_ < text_.size()) {
            if (!continued && begins_statement()) {
                unclosed_ = unclosed_ || depth_ > 0;
                depth_ = 0;
                found.push_back(static_cast<std::uint32_t>(at_));
            }
            continued = skip_line();
        }
        return found;
    }

    /// After starts().
    bool ended_in_string() const { return ended_in_string_; }
    /// Surely: no string is cut off by its line's end, behind which anything might be text.
    bool left_bracket_open() const { return (unclosed_ || depth_ > 0) && !cut_string_; }

  private:
    bool begins_statement() const {
        // A line that holds a backslash alone says nothing; the next one does.
        const std::size_t at = behind_backslashes(text_, at_);
        if (is_space_or_end(text_, at)) return false;
        // The parser goes on over the end of a line that a comma ends.
        if (depth_ == 0 && !after_comma_) return true;
        const string_view word = word_at(text_, at);
        if (is_one_of(word, kStatementOnly)) return true;
        return word == "async" && !text_.substr(at + word.size()).starts_with(" for");
    }

    static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

    /// To the start of the next line that no string reaches into; true where a backslash joins it to this one.
    bool skip_line() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (kIsPlain[static_cast<unsigned char>(c)]) {
                if (c != ' ' && c != '\t' && c != '\f') after_comma_ = c == ',';
                ++at_;
                continue;
            }
            if (is_line_end(c)) {
                skip_line_end();
                return false;
            }
            if (c == '#') {
                while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
            } else if (c == '\\') {
                ++at_;
                if (at_ < text_.size() && is_line_end(text_[at_])) {
                    skip_line_end();
                    return true;
                }
            } else if (c == '"' || c == '\'') {
                after_comma_ = false;
                skip_string(c);
            } else {
                after_comma_ = false;
                if (c == '(' || c == '[' || c == '{') ++depth_;
                if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
                ++at_;
            }
        }
        return false;
    }

    void skip_line_end() {
        if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
        ++at_;
    }

    void skip_string(char quote) {
        const std::string three(3, quote);
        const bool triple = text_.substr(at_, 3) == three;
        at_ += triple ? 3 : 1;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\\' && at_ + 1 < text_.size()) {  // a raw string's quote is kept open by it as well
                ++at_;
                if (is_line_end(text_[at_])) {
                    skip_line_end();
                } else {
                    ++at_;
                }
            } else if (!triple && is_line_end(c)) {
                cut_string_ = true;
                return;  // not closed: the line's end does it
            } else if (!triple && c == quote) {
                ++at_;
                return;
            } else if (triple && text_.substr(at_, 3) == three) {
                at_ += 3;
                return;
            } else {
                ++at_;
            }
        }
        ended_in_string_ = triple;
    }

    string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    bool ended_in_string_ = false;
    bool unclosed_ = false;
    bool cut_string_ = false;
    bool after_comma_ = false;
};

bool decorates(string_view text, std::size_t decorator, std::size_t next) {
    decorator = behind_backslashes(text, decorator);
    next = behind_backslashes(text, next);
    if (text[decorator] != '@') return false;
    const string_view word = word_at(text, next);
    return text[next] == '@' || word == "def" || word == "class" || word == "async";
}

bool continues(string_view text, std::size_t piece, std::size_t next) {
    piece = behind_backslashes(text, piece);
    next = behind_backslashes(text, next);
    if (!is_one_of(word_at(text, next), kContinuing)) return false;
    const string_view word = word_at(text, piece);
    return is_one_of(word, kContinued) || word == "async";
}

}  // namespace

std::vector<Piece> top_level_pieces(string_view text) {
    std::vector<Piece> pieces;
    std::uint32_t statement = 0;  // the last one's start
    std::uint32_t first = 0;      // and the one's with which its piece begins
    Scanner scanner(text);
    for (const std::uint32_t start : scanner.starts()) {
        if (pieces.empty()) {
            pieces.push_back({{0, 0}});  // comments and blank lines in front go with it
            first = start;
        } else if (!decorates(text, statement, start) && !continues(text, first, start)) {
            pieces.back().range.end = start;
            pieces.push_back({{start, start}});
            first = start;
        }
        statement = start;
    }
    if (pieces.empty()) pieces.push_back({{0, 0}});
    pieces.back().range.end = static_cast<std::uint32_t>(text.size());
    pieces.back().in_open_string = scanner.ended_in_string();
    pieces.back().behind_open_bracket = scanner.left_bracket_open();
    return pieces;
}

bool runs_into_the_next(string_view text, const std::vector<Piece>& pieces) {
    const auto joins = [](string_view line) {
        const std::size_t last = line.find_last_not_of(" \t\f\r");
        return last != string_view::npos && (line[last] == ',' || line[last] == '\\');
    };
    const auto may_join = [&](string_view line) {
        for (std::size_t at = line.find('#'); at != string_view::npos; at = line.find('#', at + 1)) {
            if (joins(line.substr(0, at))) return true;
        }
        return joins(line);
    };
    return std::ranges::any_of(pieces, [&](const Piece& piece) {
        string_view rest = text.substr(piece.range.start, piece.range.size());
        while (!rest.empty()) {  // up from the end, over blank lines and comments
            const std::size_t end = rest.find_last_not_of(" \t\f\r\n");
            if (end == string_view::npos) return false;
            rest = rest.substr(0, end + 1);
            const std::size_t start = rest.find_last_of("\r\n") + 1;
            const string_view line = rest.substr(start);
            if (may_join(line)) return true;
            if (line.find_first_not_of(" \t\f") != line.find('#')) return false;
            rest = rest.substr(0, start);
        }
        return false;
    });
}

}  // namespace ptofix::syntax
