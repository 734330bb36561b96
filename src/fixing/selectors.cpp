#include <algorithm>

#include "fixing/registry.h"

namespace ptofix::fixing {

const RuleEntry* Pipeline::find(std::string_view id_or_name) const {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const RuleEntry& r) { return names(id_or_name, r); });
    return found == rules.end() ? nullptr : &*found;
}

bool names(std::string_view selector, const RuleEntry& rule) {
    return !selector.empty() && (selector == rule.id || selector == rule.name);
}

bool selects(std::string_view selector, const RuleEntry& rule) {
    return names(selector, rule) || (!selector.empty() && rule.id.starts_with(selector));
}

bool is_known_selector(std::string_view selector, const Pipeline& pipeline) {
    return std::any_of(pipeline.rules.begin(), pipeline.rules.end(),
                       [&](const RuleEntry& rule) { return selects(selector, rule); });
}

}  // namespace ptofix::fixing
