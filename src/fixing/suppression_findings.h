// PTO001: suppression comments that cannot be read, name a rule that does not exist, or silence nothing; and the fix
// that removes what does nothing and leaves the prose beside it. Called by analysis.cpp once all other findings are
// known.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "fixing/suppressions.h"
#include "rules/finding.h"

namespace ptofix::fixing {

inline constexpr std::string_view kInvalidSuppression = "PTO001";

struct SuppressionProblem {
    rules::Finding finding;
    rules::Rewrite rewrite;
};

/// `is_unused` is asked for each rule of each directive that could be read.
std::vector<SuppressionProblem> suppression_problems(
    const Suppressions& suppressions, std::string_view text, std::uint16_t file,
    const std::function<bool(const Suppression&, std::string_view rule)>& is_unused);

}  // namespace ptofix::fixing
