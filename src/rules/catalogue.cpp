#include "rules/catalogue.h"

#include <algorithm>
#include <array>

#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::span<const Rule> catalogue() {
    static const std::array rules{
        rule_pto001(), rule_pto101(), rule_pto102(), rule_pto103(), rule_pto104(), rule_pto105(), rule_pto106(),
        rule_pto107(), rule_pto108(), rule_pto201(), rule_pto202(), rule_pto203(), rule_pto204(), rule_pto205(),
        rule_pto206(), rule_pto207(), rule_pto208(), rule_pto209(), rule_pto301(), rule_pto302(), rule_pto303()};
    return rules;
}

const Rule* find_rule(std::string_view id_or_name) {
    for (const Rule& rule : catalogue()) {
        if (equal_ignoring_case(rule.id, id_or_name) || equal_ignoring_case(rule.name, id_or_name)) return &rule;
    }
    return nullptr;
}

}  // namespace ptofix::rules
