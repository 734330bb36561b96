// Literals: numbers, strings with their escapes and f-strings, displays of lists, tuples, sets and dicts.
#include <algorithm>
#include <charconv>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::eval_number(NodeId node) {
    std::string digits;
    for (char c : text(node)) {
        if (c != '_') digits.push_back(c);
    }
    if (digits.empty()) return {};
    if (digits.back() == 'j' || digits.back() == 'J') return unknown(UnknownReason::Why::unsupported, node, "complex");
    const bool prefixed = digits.size() > 2 && digits[0] == '0' && std::isalpha(static_cast<unsigned char>(digits[1]));
    if (kind(node) == Kind::integer) {
        int base = 10;
        std::size_t from = 0;
        if (prefixed) {
            const char p = static_cast<char>(digits[1] | 0x20);
            base = p == 'x' ? 16 : p == 'o' ? 8 : 2;
            from = 2;
        }
        std::int64_t value = 0;
        const auto result = std::from_chars(digits.data() + from, digits.data() + digits.size(), value, base);
        if (result.ec == std::errc{}) return Value::integer(value).at(here(node));
        return unknown(UnknownReason::Why::unsupported, node, "large integer");
    }
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc{}) return unknown(UnknownReason::Why::unsupported, node);
    return Value::real(value).at(here(node));
}

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
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::string_start) {
            const std::string_view start = text(c);
            if (start.find_first_of("bB") != std::string_view::npos) known = false;
        } else if (kind(c) == Kind::string_content) {
            std::string_view content = text(c);
            if (content.find('\\') != std::string_view::npos)
                known = false;  // escapes: the exact text is of no use to us
            out += content;
        } else if (kind(c) == Kind::interpolation) {
            const NodeId e = tree_->child(c, Field::expression);
            if (e == kNoNode) {
                known = false;
                continue;
            }
            const Value v = eval(e);
            note_use(LoopUse::Kind::index_in_text, v, node);
            const auto part = to_text(v);
            if (!part || tree_->child(c, Field::format_specifier) != kNoNode) {
                known = false;
            } else {
                out += *part;
            }
        }
    }
    if (known) return string_value(out, node);
    if (kernel_ != kNone) return unknown(UnknownReason::Why::runtime_value, node);
    Value some = Value::with(Tag::external);  // some text: a device, not a dtype
    some.as.text = heap_.intern("builtins.str()");
    return some.at(here(node));
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

Value Interpreter::eval_sequence(NodeId node, Tag tag) {
    std::vector<Value> items;
    bool open = false;
    for (NodeId c : tree_->children(node)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        if (kind(c) == Kind::list_splat) {
            const NodeId inner = tree_->named_child(c, 0);
            const auto more = inner == kNoNode ? std::nullopt : iterate(eval(inner));
            if (more) {
                items.insert(items.end(), more->begin(), more->end());
            } else {
                open = true;
            }
            continue;
        }
        Value v = eval(c);
        if (tag == Tag::set && std::ranges::any_of(items, [&](const Value& o) { return equal(o, v) == true; }))
            continue;
        if (v.node == kNoNode) v = v.at(here(c));
        items.push_back(v);
    }
    Value v = make_list(tag, std::move(items), node);
    v.as.list->open = open;
    return v;
}

Value Interpreter::eval_dict(NodeId node) {
    Value v = Value::with(Tag::dict);
    v.as.dict = heap_.make<Dict>();
    v.as.dict->birth = ++sequence_;
    Dict& dict = *v.as.dict;
    for (NodeId c : tree_->children(node)) {
        if (kind(c) == Kind::pair) {
            const NodeId key_node = tree_->child(c, Field::key);
            const NodeId value_node = tree_->child(c, Field::value);
            if (key_node == kNoNode || value_node == kNoNode) continue;
            const Value key = eval(key_node);
            Value value = eval(value_node);
            if (value.node == kNoNode) value = value.at(here(value_node));
            if (key.tag == Tag::unknown) dict.open = true;
            dict.items.emplace_back(key, value);
        } else if (kind(c) == Kind::dictionary_splat) {
            const NodeId inner = tree_->named_child(c, 0);
            const Value other = inner == kNoNode ? Value{} : eval(inner);
            if (other.tag != Tag::dict) {
                dict.open = true;
                continue;
            }
            dict.open = dict.open || other.as.dict->open;
            for (const auto& [k, item] : other.as.dict->items) {
                auto it = std::ranges::find_if(dict.items, [&](const auto& p) { return equal(p.first, k) == true; });
                if (it == dict.items.end()) {
                    dict.items.emplace_back(k, item);
                } else {
                    it->second = item;
                }
            }
        }
    }
    return v.at(here(node));
}

}  // namespace ptofix::trace
