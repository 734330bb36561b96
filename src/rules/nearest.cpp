#include "rules/nearest.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "rules/catalogue.h"

namespace ptofix::rules {

namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
    constexpr std::size_t kLongest = 64;  // no name that we offer is longer
    if (word.empty() || word.size() > kLongest) return std::nullopt;
    std::optional<std::string_view> best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t d = distance(word, candidate);
        if (d < best_distance) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

std::optional<std::string_view> nearest_rule(std::string_view word) {
    std::vector<std::string_view> ids, names;
    for (const Rule& rule : catalogue()) {
        ids.push_back(rule.id);
        names.push_back(rule.name);
    }
    if (const auto id = nearest(word, ids)) return id;
    if (const auto name = nearest(word, names)) return find_rule(*name)->id;
    return std::nullopt;
}

}  // namespace ptofix::rules
