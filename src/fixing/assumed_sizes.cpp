#include "fixing/assumed_sizes.h"

#include <algorithm>

#include "fixing/blocked.h"

namespace ptofix::fixing {

namespace {

/// They change how the work is cut, never what comes out of it: right for every size.
bool is_about_the_schedule(std::string_view rule) {
    static constexpr std::string_view kRules[] = {"PTO101", "PTO103", "PTO106", "PTO107", "PTO108",
                                                  "PTO202", "PTO203", "PTO204", "PTO205", "PTO208"};
    return std::ranges::find(kRules, rule) != std::end(kRules);
}

bool is_concerned(const Diagnosis& diagnosis) {
    const auto& fix = diagnosis.rewrite.fix;
    return fix && fix->applicability == rules::Applicability::safe && !is_about_the_schedule(diagnosis.finding.rule);
}

}  // namespace

bool may_rest_on_assumptions(const Analysis& analysis) {
    return std::ranges::any_of(analysis.findings, is_concerned);
}

void hold_back_assumed(Analysis& analysis, const Analysis& without) {
    for (Diagnosis& diagnosis : analysis.findings) {
        if (!is_concerned(diagnosis)) continue;
        const bool proven = std::ranges::any_of(without.findings, [&](const Diagnosis& other) {
            return is_concerned(other) && other.finding.rule == diagnosis.finding.rule &&
                   other.finding.location == diagnosis.finding.location &&
                   other.rewrite.fix->edits == diagnosis.rewrite.fix->edits;
        });
        if (proven) continue;
        diagnosis.rewrite.fix->applicability = rules::Applicability::unsafe;
        diagnosis.rewrite.blocked = rules::Blocked{{kBlockedByAssumption, {}}, std::nullopt};
    }
}

}  // namespace ptofix::fixing
