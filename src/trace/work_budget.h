// How much work the tracer may still do. A module, a kernel and a host function each have a share of their own, out of
// what all of their kind may take: what one of them uses up does not hide the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ptofix::trace {

class WorkBudget {
  public:
    using Steps = std::uint32_t;

    /// False when nothing is left.
    bool step() {
        if (!is_spent_ && ++taken_ >= limit_) is_spent_ = true;
        return !is_spent_;
    }
    void take(Steps steps) {
        taken_ += std::min(steps, left());
        if (taken_ >= limit_) is_spent_ = true;
    }
    /// The rest is given up: what is being done comes to no end.
    void end() { is_spent_ = true; }
    /// So many from here on, whatever was left.
    void grant(Steps steps) {
        limit_ = taken_ + steps;
        is_spent_ = steps == 0;
    }
    bool is_spent() const { return is_spent_; }
    Steps left() const { return limit_ - std::min(taken_, limit_); }
    Steps taken() const { return taken_; }

    /// While it lives, work is taken out of `pool`, `wanted` at the most. Afterwards what is around has what it had.
    class Share {
      public:
        Share(WorkBudget& budget, Steps& pool, Steps wanted)
            : budget_(budget),
              pool_(pool),
              start_(budget.taken_),
              outer_limit_(budget.limit_),
              outer_inner_(std::exchange(budget.inner_, 0)) {
            budget.grant(std::min(wanted, pool));
        }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() {
            const Steps all = budget_.taken_ - start_;
            const Steps own = all - budget_.inner_;
            pool_ -= std::min(pool_, own);
            budget_.inner_ = outer_inner_ + all;
            budget_.limit_ = outer_limit_ + all;
            budget_.is_spent_ = budget_.taken_ >= budget_.limit_;
        }

      private:
        WorkBudget& budget_;
        Steps& pool_;
        Steps start_, outer_limit_, outer_inner_;
    };

  private:
    Steps taken_ = 0;
    Steps limit_ = 0;
    Steps inner_ = 0;  // of what is taken, by shares inside the one in force
    bool is_spent_ = true;
};

}  // namespace ptofix::trace
