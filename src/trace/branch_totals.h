// Sums over operations of which some stand in arms that exclude each other: of a condition that Python decides, and
// that could not be decided here, one arm is compiled, and the heaviest counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "trace/trace.h"

namespace ptofix::trace {

class BranchTotals {
  public:
    explicit BranchTotals(const Trace& trace) : trace_(trace) {}

    void add(BranchId branch, std::int64_t amount) {
        branch = python_arm(branch);
        std::int64_t& sum = branch == kNone ? plain_ : by_arm_[branch];
        if (__builtin_add_overflow(sum, amount, &sum)) sum = INT64_MAX;
    }

    std::int64_t total() const {
        BranchTotals folded(*this);
        folded.fold();
        return folded.plain_;
    }

  private:
    /// The branch itself or the nearest one around it whose condition Python decides.
    BranchId python_arm(BranchId branch) const {
        while (branch != kNone && trace_.branches[branch].device) branch = trace_.branches[branch].parent;
        return branch;
    }

    /// From the innermost arm outwards: an inner arm has a higher number than the arm that holds it.
    void fold() {
        std::map<std::pair<BranchId, Site>, std::int64_t> heaviest;
        while (!by_arm_.empty()) {
            const auto innermost = std::prev(by_arm_.end());
            const BranchId arm = innermost->first;
            const std::int64_t amount = innermost->second;
            by_arm_.erase(innermost);
            const Branch& branch = trace_.branches[arm];
            std::int64_t& most = heaviest[{branch.parent, branch.site}];
            if (amount > most) {  // the outer arm gets what this one has more than its alternatives so far
                add(branch.parent, amount - most);
                most = amount;
            }
        }
    }

    const Trace& trace_;
    std::int64_t plain_ = 0;
    std::map<BranchId, std::int64_t> by_arm_;
};

}  // namespace ptofix::trace
