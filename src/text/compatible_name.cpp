#include "text/compatible_name.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "text/words.h"

namespace ptofix::text {

namespace {

bool is_ascii_byte(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

/// Empty: it is not of ASCII either way.
std::string compatible(std::string_view word) {
    utf8proc_uint8_t* raw = nullptr;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(word.data()),
                                               static_cast<utf8proc_ssize_t>(word.size()), &raw, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(raw, &std::free);
    if (size <= 0) return {};
    std::string name(reinterpret_cast<const char*>(raw), static_cast<std::size_t>(size));
    return std::ranges::all_of(name, is_ascii_byte) ? name : std::string();
}

}  // namespace

void each_disguised_name(std::string_view text, const std::function<void(std::string_view name)>& visit) {
    const auto is_foreign = [](char c) { return !is_ascii_byte(c); };
    for (auto at = std::ranges::find_if(text, is_foreign); at != text.end();
         at = std::find_if(at, text.end(), is_foreign)) {
        auto begin = at, end = at;
        while (begin != text.begin() && is_name_byte(*std::prev(begin))) --begin;
        while (end != text.end() && is_name_byte(*end)) ++end;
        if (const std::string name = compatible({begin, end}); !name.empty()) visit(name);
        at = end;
    }
}

}  // namespace ptofix::text
