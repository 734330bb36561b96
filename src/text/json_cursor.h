#pragma once

// JSON by its bytes: is it well-formed, and where in it does each value stand? For files of which a few strings are
// changed and every other byte must stay. Used by the reader of notebooks.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/range.h"
#include "text/utf8.h"

namespace ptofix::text {

/// The offset of the first byte that cannot be; nothing: it is well-formed. Keeps nothing of what it reads but how deep
/// it is. Halves of surrogate pairs and any UTF-8 are let through.
std::optional<std::size_t> json_fault(std::string_view json);

/// Appends one character of a string of well-formed JSON; how many bytes it took there. `raw` begins with it. Half of a
/// surrogate pair becomes what is no UTF-8.
std::size_t append_json_character(std::string& out, std::string_view raw);
/// The text as it stands between quotes. `ascii`: with escapes for all other characters.
std::string in_json_string(std::string_view text, bool ascii);

/// Steps through well-formed JSON of at most 4 GiB. Skips values of any depth in a loop.
class JsonCursor {
  public:
    explicit JsonCursor(std::string_view json) : json_(json), at_(json.starts_with(kUtf8Bom) ? kUtf8Bom.size() : 0) {}

    std::size_t at() const { return at_; }
    /// The first character of what comes, with the cursor before it; NUL at the end.
    char next();
    /// A string with its quotes; skips anything else, which gives an empty range.
    Range string();
    /// A number or a word, as it is written.
    std::string_view word();
    void skip();

    /// Calls `take_value(key)` with the cursor before each value of the object that comes; it must take the value. Keys
    /// are decoded. False, and skipped, when it is no object.
    template <typename Take>
    bool object(Take&& take_value) {
        if (next() != '{') return skip(), false;
        ++at_;
        while (next() == '"') {
            const std::string key = decoded(string());
            next();
            ++at_;  // the colon
            take_value(std::string_view(key));
            if (next() == ',') ++at_;
        }
        ++at_;
        return true;
    }
    /// The same for a list and its items.
    template <typename Take>
    bool list(Take&& take_item) {
        if (next() != '[') return skip(), false;
        ++at_;
        while (next() != ']' && next() != '\0') {
            take_item();
            if (next() == ',') ++at_;
        }
        ++at_;
        return true;
    }

    std::string decoded(Range string) const;

  private:
    std::string_view json_;
    std::size_t at_;
};

}  // namespace ptofix::text
