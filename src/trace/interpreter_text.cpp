// Texts: what Python makes of values as text, subscripts, repetition and methods of strings. Strings are UTF-8 here and
// code points in Python; what would have to count or change other letters than ASCII's is not known.
#include <algorithm>
#include <cctype>

#include "text/utf8.h"
#include "trace/interpreter.h"
#include "trace/numbers.h"

namespace ptofix::trace {

namespace {

/// A text that is computed; literals may be longer.
constexpr std::size_t kMaxComputed = 4096;

using text::is_ascii;

/// What str.strip() takes away.
bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

std::size_t code_points(std::string_view s) {
    return static_cast<std::size_t>(std::ranges::count_if(s, [](char c) { return !text::is_continuation_byte(c); }));
}

}  // namespace

Value Interpreter::made_string(std::string_view s, NodeId node) {
    charge(s.size() / 4);
    if (s.size() > kMaxComputed) return unknown(UnknownReason::Why::budget, node, "long text");
    return string_value(s, node);
}

Value Interpreter::repeat_string(std::string_view s, std::int64_t times, NodeId node) {
    if (times <= 0 || s.empty()) return string_value("", node);
    if (times > static_cast<std::int64_t>(kMaxComputed / s.size())) {
        return unknown(UnknownReason::Why::budget, node, "long text");
    }
    std::string out;
    for (std::int64_t i = 0; i < times; ++i) out += s;
    return made_string(out, node);
}

Value Interpreter::text_length(std::string_view s, NodeId node) {
    return Value::integer(static_cast<std::int64_t>(code_points(s))).at(here(node));
}

std::optional<std::string> Interpreter::to_text(const Value& v) const {
    switch (v.tag) {
        case Tag::string:
            return *v.as.text;
        case Tag::integer:
            return std::to_string(v.as.i);
        case Tag::boolean:
            return v.as.b ? "True" : "False";
        case Tag::none:
            return "None";
        default:
            return std::nullopt;
    }
}

Value Interpreter::string_index(const Value& string, const Value& key, NodeId node) {
    const std::string& s = *string.as.text;
    if (!is_ascii(s)) return unknown(UnknownReason::Why::unsupported, node);
    const auto size = static_cast<std::int64_t>(s.size());
    if (key.is_int()) {
        const std::int64_t i = key.sym().value < 0 ? key.sym().value + size : key.sym().value;
        if (i < 0 || i >= size) return definite_error("IndexError", node);
        return string_value(std::string_view(s).substr(static_cast<std::size_t>(i), 1), node);
    }
    if (key.tag != Tag::slice) return unknown(UnknownReason::Why::joined, node);
    const auto positions = slice_positions(*key.as.slice, size);
    if (!positions) return unknown(UnknownReason::Why::joined, node);
    std::string out;
    for (const std::int64_t i : *positions) out.push_back(s[static_cast<std::size_t>(i)]);
    return string_value(out, node);
}

Value Interpreter::string_method(const Value& self, std::string_view name, Arguments& args, NodeId node) {
    const std::string& s = *self.as.text;
    const auto give_up = [&] { return unknown(UnknownReason::Why::unsupported, node, name); };
    if (name == "format" || name == "join") {
        for (const Value& v : args.positional) note_use(LoopUse::Kind::index_in_text, v, node);
    }
    if (args.open || !args.keyword.empty() || args.positional.size() > 3) return give_up();
    const std::size_t count = args.positional.size();
    const auto text_at = [&](std::size_t i) -> const std::string* {
        return i < count && args.positional[i].tag == Tag::string ? args.positional[i].as.text : nullptr;
    };
    const std::string* first = text_at(0);
    if (name == "join" && count == 1) {
        const auto parts = iterate(args.positional[0]);
        if (!parts) return give_up();
        std::string out;
        for (const Value& p : *parts) {
            if (p.tag != Tag::string) return give_up();
            if (&p != &parts->front()) out += s;
            out += *p.as.text;
        }
        return made_string(out, node);
    }
    if ((name == "startswith" || name == "endswith") && count == 1) {
        const bool at_start = name == "startswith";
        const auto matches = [&](const std::string& part) {
            return at_start ? s.starts_with(part) : s.ends_with(part);
        };
        if (first != nullptr) return Value::boolean(matches(*first));
        if (args.positional[0].tag != Tag::tuple || args.positional[0].as.list->open) return give_up();
        for (const Value& v : args.positional[0].as.list->items) {
            if (v.tag != Tag::string) return give_up();
            if (matches(*v.as.text)) return Value::boolean(true);
        }
        return Value::boolean(false);
    }
    if (name == "split" && count == 1 && first != nullptr && !first->empty()) return split_text(s, *first, node);
    if (name == "removeprefix" && count == 1 && first != nullptr) {
        return string_value(s.starts_with(*first) ? std::string_view(s).substr(first->size()) : std::string_view(s),
                            node);
    }
    if (name == "removesuffix" && count == 1 && first != nullptr) {
        const bool ends = !first->empty() && s.ends_with(*first);
        return string_value(ends ? std::string_view(s).substr(0, s.size() - first->size()) : std::string_view(s), node);
    }
    if (name == "replace" && count == 2 && first != nullptr && !first->empty() && text_at(1) != nullptr) {
        std::string out;
        std::size_t from = 0;
        for (std::size_t at = s.find(*first); at != std::string::npos && out.size() <= kMaxComputed;
             at = s.find(*first, from)) {
            out += s.substr(from, at - from) + *text_at(1);
            from = at + first->size();
        }
        return made_string(out + s.substr(std::min(from, s.size())), node);
    }
    if (!is_ascii(s)) return give_up();  // from here on letters are changed or counted
    const auto mapped = [&](int (*f)(int)) {
        std::string out = s;
        for (char& c : out) c = static_cast<char>(f(static_cast<unsigned char>(c)));
        return string_value(out, node);
    };
    const auto all = [&](int (*f)(int)) {
        return Value::boolean(!s.empty() &&
                              std::ranges::all_of(s, [&](char c) { return f(static_cast<unsigned char>(c)) != 0; }));
    };
    if (count == 0) {
        if (name == "lower" || name == "casefold") return mapped(std::tolower);
        if (name == "upper") return mapped(std::toupper);
        if (name == "isdigit" || name == "isdecimal" || name == "isnumeric") return all(std::isdigit);
        if (name == "isalpha") return all(std::isalpha);
        if (name == "isalnum") return all(std::isalnum);
        if (name == "strip" || name == "lstrip" || name == "rstrip") {
            std::string_view out = s;
            while (name != "rstrip" && !out.empty() && is_space(out.front())) out.remove_prefix(1);
            while (name != "lstrip" && !out.empty() && is_space(out.back())) out.remove_suffix(1);
            return string_value(out, node);
        }
        if (name == "split") {
            std::vector<Value> parts;
            for (std::size_t i = 0; i < s.size();) {
                std::size_t end = i;
                while (end < s.size() && !is_space(s[end])) ++end;
                if (end > i) parts.push_back(string_value(std::string_view(s).substr(i, end - i), node));
                i = end + 1;
            }
            return make_list(Tag::list, std::move(parts), node);
        }
        return give_up();
    }
    if (count == 1 && first != nullptr && is_ascii(*first)) {
        const auto place = [&](std::size_t at) {
            return Value::integer(at == std::string::npos ? -1 : static_cast<std::int64_t>(at));
        };
        if (name == "find") return place(s.find(*first));
        if (name == "rfind") return place(s.rfind(*first));
        if (name == "index") {
            const auto at = s.find(*first);
            return at == std::string::npos ? definite_error("ValueError", node) : place(at);
        }
        if (name == "count" && !first->empty()) {
            std::int64_t n = 0;
            for (std::size_t at = s.find(*first); at != std::string::npos; at = s.find(*first, at + first->size())) ++n;
            return Value::integer(n);
        }
        if (name == "strip" || name == "lstrip" || name == "rstrip") {
            std::string_view out = s;
            const auto in_set = [&](char c) { return first->find(c) != std::string::npos; };
            while (name != "rstrip" && !out.empty() && in_set(out.front())) out.remove_prefix(1);
            while (name != "lstrip" && !out.empty() && in_set(out.back())) out.remove_suffix(1);
            return string_value(out, node);
        }
    }
    if (name == "zfill" && count == 1 && args.positional[0].is_int()) {
        const std::int64_t width = args.positional[0].sym().value;
        const auto size = static_cast<std::int64_t>(s.size());
        if (width > static_cast<std::int64_t>(kMaxComputed)) return give_up();
        const std::size_t sign = !s.empty() && (s[0] == '-' || s[0] == '+') ? 1 : 0;
        const std::string zeros(static_cast<std::size_t>(std::max<std::int64_t>(0, width - size)), '0');
        return string_value(s.substr(0, sign) + zeros + s.substr(sign), node);
    }
    return give_up();
}

Value Interpreter::split_text(std::string_view s, std::string_view separator, NodeId node) {
    std::vector<Value> parts;
    while (true) {
        const auto to = s.find(separator);
        parts.push_back(string_value(s.substr(0, to), node));
        if (to == std::string_view::npos) break;
        s.remove_prefix(to + separator.size());
    }
    charge(parts.size());
    return make_list(Tag::list, std::move(parts), node);
}

}  // namespace ptofix::trace
