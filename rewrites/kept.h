// What is found out of something that many findings share, kept for as long as that lives: each finding of a file with
// hundreds asks for the same.
#pragma once

#include <memory>
#include <utility>

namespace ptofix::rewrites {

/// Of the latest one that was asked about. For one thread.
template <typename T>
class Kept {
  public:
    /// What `make()` says of what `owner` owns.
    template <typename Owner, typename Make>
    std::shared_ptr<const T> get(const std::shared_ptr<Owner>& owner, const Make& make) {
        const bool same = owner && value_ && !of_.owner_before(owner) && !owner.owner_before(of_);
        if (same) return value_;
        value_ = std::make_shared<const T>(make());
        of_ = owner;
        return value_;
    }

  private:
    std::weak_ptr<const void> of_;
    std::shared_ptr<const T> value_;
};

}  // namespace ptofix::rewrites
