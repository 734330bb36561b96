// What folders hold by name, each read once: for who asks many times for files that mostly are not there.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptofix::text {

/// For all threads of one run.
class FolderNames {
  public:
    /// False: the folder, which has a path from the root, has no entry `name` and none `name` + `ending`.
    bool may_hold(const std::string& folder, std::string_view name, std::string_view ending);
    /// What was read; the disk may have changed.
    void forget();

  private:
    using Names = std::optional<std::vector<std::string>>;  // sorted; nothing: it cannot be read
    std::mutex mutex_;
    std::unordered_map<std::string, Names> folders_;
};

}  // namespace ptofix::text
