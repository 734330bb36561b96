#include "config/selectors.h"

#include <algorithm>

#include "rules/catalogue.h"

namespace ptofix::config {

std::string canonical_selector(std::string_view selector) {
    if (selector.empty()) return {};
    if (const rules::Rule* rule = rules::find_rule(selector)) return std::string(rule->id);
    std::string upper(selector);
    for (char& c : upper) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    const bool begins =
        std::ranges::any_of(rules::catalogue(), [&](const rules::Rule& rule) { return rule.id.starts_with(upper); });
    return begins ? upper : std::string{};
}

}  // namespace ptofix::config
