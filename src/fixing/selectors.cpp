#include <algorithm>

#include "fixing/registry.h"

namespace ptofix::fixing {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins(std::string_view text, std::string_view with) {
    return with.size() <= text.size() && std::ranges::equal(text.substr(0, with.size()), with, {}, lower, lower);
}

bool equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && begins(a, b);
}

}  // namespace

const RuleEntry* Pipeline::find(std::string_view id_or_name) const {
    const auto found = std::ranges::find_if(rules, [&](const RuleEntry& rule) { return names(id_or_name, rule); });
    return found == rules.end() ? nullptr : &*found;
}

bool names(std::string_view selector, const RuleEntry& rule) {
    return !selector.empty() && (equal(selector, rule.id) || equal(selector, rule.name));
}

bool selects(std::string_view selector, const RuleEntry& rule) {
    return names(selector, rule) || (!selector.empty() && begins(rule.id, selector));
}

bool is_known_selector(std::string_view selector, const Pipeline& pipeline) {
    return std::ranges::any_of(pipeline.rules, [&](const RuleEntry& rule) { return selects(selector, rule); });
}

}  // namespace ptofix::fixing
