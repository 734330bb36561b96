#include <string>

#include "text/json_cursor.h"

namespace ptofix::text {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Reads by the grammar of RFC 8259 and the three numbers that Python's json writes beside it (an output of Jupyter may
/// hold them), values within values on a stack of its own. What stands at at() when it fails is
/// the first byte that cannot be.
class Checker {
  public:
    explicit Checker(std::string_view json) : json_(json), at_(json.starts_with(kUtf8Bom) ? kUtf8Bom.size() : 0) {}

    std::size_t at() const { return at_; }

    bool check() {
        while (true) {
            while (is_blank()) ++at_;
            if (at_ == json_.size()) return wanted_ == Wanted::separator && open_.empty();
            if (!step(json_[at_])) return false;
        }
    }

  private:
    enum class Wanted { value, item_or_end, key, key_or_end, separator };

    bool step(char c) {
        switch (wanted_) {
            case Wanted::item_or_end:
                return c == ']' ? close() : value(c);
            case Wanted::value:
                return value(c);
            case Wanted::key_or_end:
                return c == '}' ? close() : key();
            case Wanted::key:
                return key();
            case Wanted::separator:
                break;
        }
        if (open_.empty()) return false;
        const bool in_object = open_.back() == '{';
        if (c == (in_object ? '}' : ']')) return close();
        if (c != ',') return false;
        ++at_;
        wanted_ = in_object ? Wanted::key : Wanted::value;
        return true;
    }

    bool close() {
        ++at_;
        open_.pop_back();
        wanted_ = Wanted::separator;
        return true;
    }

    bool value(char c) {
        if (c == '{' || c == '[') {
            ++at_;
            open_ += c;
            wanted_ = c == '{' ? Wanted::key_or_end : Wanted::item_or_end;
            return true;
        }
        wanted_ = Wanted::separator;
        if (c == '"') return string();
        return c == '-' || is_digit(c) ? number() : is_constant();
    }

    bool key() {
        if (json_[at_] != '"' || !string()) return false;
        while (is_blank()) ++at_;
        wanted_ = Wanted::value;
        return take(':');
    }

    bool string() {
        for (++at_; at_ < json_.size(); ++at_) {
            const char c = json_[at_];
            if (c == '"') return take('"');
            if (static_cast<unsigned char>(c) < ' ' || (c == '\\' && !escape())) return false;
        }
        return false;
    }

    /// Leaves the cursor on its last character.
    bool escape() {
        constexpr std::string_view kNames = "\"\\/bfnrt";
        constexpr int kHexDigits = 4;
        if (++at_ == json_.size()) return false;
        if (kNames.find(json_[at_]) != std::string_view::npos) return true;
        if (json_[at_] != 'u') return false;
        for (int i = 0; i < kHexDigits; ++i) {
            ++at_;
            if (at_ == json_.size() || !is_hex_digit(json_[at_])) return false;
        }
        return true;
    }

    bool is_constant() { return word("true") || word("false") || word("null") || word("NaN") || word("Infinity"); }

    bool number() {
        if (take('-') && word("Infinity")) return true;
        if (!take('0') && !digits()) return false;
        if (take('.') && !digits()) return false;
        if (!take('e') && !take('E')) return true;
        if (!take('+')) take('-');
        return digits();
    }

    bool digits() {
        const std::size_t start = at_;
        while (at_ < json_.size() && is_digit(json_[at_])) ++at_;
        return at_ > start;
    }

    bool word(std::string_view word) {
        if (!json_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    bool take(char c) {
        if (at_ == json_.size() || json_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool is_blank() const {
        if (at_ == json_.size()) return false;
        const char c = json_[at_];
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    std::string_view json_;
    std::size_t at_;
    Wanted wanted_ = Wanted::value;
    std::string open_;  // the brackets around
};

}  // namespace

std::optional<std::size_t> json_fault(std::string_view json) {
    Checker checker(json);
    return checker.check() ? std::nullopt : std::optional(checker.at());
}

}  // namespace ptofix::text
