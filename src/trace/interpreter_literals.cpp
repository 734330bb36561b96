// Literals: numbers, strings with their escapes and f-strings, displays of lists, tuples, sets and dicts.
#include <algorithm>
#include <charconv>

#include "syntax/integer_literal.h"
#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::eval_number(NodeId node) {
    std::string digits;
    for (char c : text(node)) {
        if (c != '_') digits.push_back(c);
    }
    if (digits.empty()) return {};
    if (digits.back() == 'j' || digits.back() == 'J') return unknown(UnknownReason::Why::unsupported, node, "complex");
    if (kind(node) == Kind::integer) {
        if (const auto value = syntax::integer_literal(digits)) return Value::integer(*value).at(here(node));
        return unknown(UnknownReason::Why::unsupported, node, "large integer");
    }
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc{}) return unknown(UnknownReason::Why::unsupported, node);
    return Value::real(value).at(here(node));
}

namespace {

void append_utf8(std::string& out, std::uint32_t c) {
    const auto byte = [&](std::uint32_t b) { out.push_back(static_cast<char>(b)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | (c >> 6));
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | (c >> 18));
        byte(0x80 | ((c >> 12) & 0x3F));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
}

/// The number of up to `most` digits at `at`, which moves behind them; nullopt when there are fewer than `least`.
std::optional<std::uint32_t> digits_at(std::string_view s, std::size_t& at, int base, std::size_t least,
                                       std::size_t most) {
    std::uint32_t value = 0;
    const char* begin = s.data() + at;
    const char* limit = begin + std::min(most, s.size() - at);
    const auto [end, error] = std::from_chars(begin, limit, value, base);
    const auto count = static_cast<std::size_t>(end - begin);
    if (error != std::errc{} || count < least) return std::nullopt;
    at += count;
    return value;
}

/// Appends the text between quotes as Python reads it; false when that is not to be had: \N{...}, half a surrogate
/// pair.
bool append_content(std::string& out, std::string_view s, bool raw, bool formatted) {
    const auto is_plain = [](char c) { return c != '\r' && c != '\\' && c != '{' && c != '}'; };
    for (std::size_t at = 0; at < s.size();) {
        std::size_t plain = at;
        while (plain < s.size() && is_plain(s[plain])) ++plain;
        out.append(s, at, plain - at);
        if (plain == s.size()) break;
        at = plain;
        const char c = s[at++];
        if (c == '\r') {  // line ends are one character, however the file has them
            if (at < s.size() && s[at] == '\n') ++at;
            out.push_back('\n');
            continue;
        }
        if (formatted && (c == '{' || c == '}') && at < s.size() && s[at] == c) ++at;
        if (c != '\\' || raw || at == s.size()) {
            out.push_back(c);
            continue;
        }
        const char e = s[at++];
        static constexpr std::string_view kNames = "abfnrtv\\'\"";
        static constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v\\'\"";
        std::optional<std::uint32_t> code;
        if (const auto i = kNames.find(e); i != std::string_view::npos) {
            out.push_back(kCharacters[i]);
            continue;
        }
        if (e == '\n' || e == '\r') {  // a line that goes on
            if (e == '\r' && at < s.size() && s[at] == '\n') ++at;
            continue;
        }
        if (e == 'x' || e == 'u' || e == 'U') {
            const std::size_t count = e == 'x' ? 2 : e == 'u' ? 4 : 8;
            code = digits_at(s, at, 16, count, count);
        } else if (e >= '0' && e <= '7') {
            --at;
            code = digits_at(s, at, 8, 1, 3);
        } else if (e == 'N') {
            return false;
        } else {  // no escape: both characters stay
            out.push_back('\\');
            --at;
            continue;
        }
        if (!code || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)) return false;
        append_utf8(out, *code);
    }
    return true;
}

}  // namespace

Value Interpreter::eval_string(NodeId node) {
    if (kind(node) == Kind::concatenated_string) {
        std::string all;
        bool known = true;
        for (NodeId c : tree_->children(node)) {
            if (kind(c) != Kind::string) continue;
            const Value v = eval_string(c);
            known = known && v.tag == Tag::string;
            if (v.tag == Tag::string) all += *v.as.text;
        }
        return known ? string_value(all, node) : unknown(UnknownReason::Why::runtime_value, node);
    }
    std::string out;
    bool known = true;
    bool raw = false;
    bool formatted = false;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::string_start) {
            const std::string_view start = text(c);
            if (start.find_first_of("bB") != std::string_view::npos) known = false;
            raw = start.find_first_of("rR") != std::string_view::npos;
            formatted = start.find_first_of("fF") != std::string_view::npos;
        } else if (kind(c) == Kind::string_content) {
            known = append_content(out, text(c), raw, formatted) && known;
        } else if (kind(c) == Kind::interpolation) {
            known = append_interpolation(out, c, node) && known;
        }
    }
    if (!known && kernel_ == kNone) return external_value("builtins.str()", node);  // some text: a device, not a dtype
    if (!known) return unknown(UnknownReason::Why::runtime_value, node);
    return formatted ? made_string(out, node) : string_value(out, node);
}

bool Interpreter::append_interpolation(std::string& out, NodeId part, NodeId string) {
    const NodeId e = tree_->child(part, Field::expression);
    if (e == kNoNode) return false;
    const Value v = eval(e);
    note_use(LoopUse::Kind::index_in_text, v, string);
    bool plain = true;
    for (NodeId c : tree_->children(part)) {
        const Kind k = kind(c);
        // {x!r}, {x=} and {x:>8} show a value in another way; names inside a format are evaluated all the same.
        if (k == Kind::format_specifier) {
            plain = false;
            for (NodeId n = c + 1; n < (*tree_)[c].subtree_end; ++n) {
                if ((*tree_)[n].field == Field::expression) eval(n);
            }
        } else if (k == Kind::type_conversion) {
            plain = plain && text(c) == "!s";
        } else if (k == Kind::assign || k == Kind::comma) {
            plain = false;
        }
    }
    if (!plain) return false;
    const Value shown = v.tag == Tag::instance ? text_of_instance(v, string) : v;
    const auto text = to_text(shown);
    if (text) out += *text;
    return text.has_value();
}

bool Interpreter::is_splat(NodeId item) const {
    // The grammar reads [*f(x)] as a call of *f, [*a.b] as an attribute of *a.
    while (item != kNoNode) {
        switch (kind(item)) {
            case Kind::list_splat:
            case Kind::parenthesized_list_splat:
                return true;
            case Kind::call:
                item = tree_->child(item, Field::function);
                break;
            case Kind::attribute:
                item = tree_->child(item, Field::object);
                break;
            case Kind::subscript:
                item = tree_->child(item, Field::value);
                break;
            default:
                return false;
        }
    }
    return false;
}

Value Interpreter::eval_sequence(NodeId node, Tag tag) {
    Value v = make_list(tag, {}, node);
    List& list = *v.as.list;
    const auto push = [&](const Value& item) {
        if (tag == Tag::set) {
            add(list, item);
        } else if (list.open) {
            lose(item);
        } else {
            list.items.push_back(item);
        }
    };
    for (NodeId c : tree_->children(node)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        if (is_splat(c)) {
            const Value over = eval(c);
            if (tag == Tag::set) {
                add_all(list, over);
            } else {
                extend(list, over);
            }
            continue;
        }
        Value item = eval(c);
        if (item.node == kNoNode) item = item.at(here(c));
        push(item);
    }
    return v;
}

Value Interpreter::eval_dict(NodeId node) {
    Value v = make_dict(node);
    Dict& dict = *v.as.dict;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::pair) {
            const NodeId key_node = tree_->child(c, Field::key);
            const NodeId value_node = tree_->child(c, Field::value);
            if (key_node == kNoNode || value_node == kNoNode) continue;
            const Value key = eval(key_node);
            Value value = eval(value_node);
            if (value.node == kNoNode) value = value.at(here(value_node));
            put(dict, key, value, node);
        } else if (kind(c) == Kind::dictionary_splat) {
            const NodeId inner = tree_->named_child(c, 0);
            put_all(dict, inner == kNoNode ? Value{} : eval(inner), node);
        }
    }
    return v;
}

}  // namespace ptofix::trace
