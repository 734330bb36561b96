// Which paths the patterns of ignore files can mean at all, judged generously by the ends of both: who asks libgit2
// about these alone gets the same answers, and most walks need not ask at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptofix::git {

class IgnoreNames {
  public:
    /// The lines of an ignore file.
    void add(std::string_view text);
    /// False: no pattern ignores this path itself. What is in an ignored folder is not found by its own name.
    bool may_mean(std::string_view path) const;
    bool empty() const { return patterns_.empty(); }

  private:
    std::vector<std::vector<std::string>> patterns_;  // components, the last one first, up to the first `**`
};

}  // namespace ptofix::git
