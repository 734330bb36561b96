// What folders hold by name, each read once: for who asks many times for files that mostly are not there.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
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
    /// What was read; the disk may have changed. Who asks at the same time may be told what was there before.
    void forget();

  private:
    struct Folder;
    std::shared_ptr<Folder> at(const std::string& folder);

    struct Folder {
        std::once_flag read;
        std::optional<std::vector<std::string>> names;  // sorted; nothing: it cannot be read
    };
    std::shared_mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<Folder>> folders_;  // who asks keeps it while others forget
};

}  // namespace ptofix::text
