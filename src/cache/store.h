// Records on disk: one file a key, whole or absent. Nobody has to be told of a failure: what cannot be kept is worked
// out again.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "cache/digest.h"

namespace ptofix::cache {

class Store {
  public:
    /// Made with the first record.
    explicit Store(std::string folder) : folder_(std::move(folder)) {}

    /// By several threads and processes at once.
    std::optional<std::string> find(const Digest& key) const;
    void keep(const Digest& key, std::string_view record);
    /// Once a day, after something was kept: removes what nobody asked for in two weeks.
    void tidy_up();

    const std::string& folder() const { return folder_; }

  private:
    std::string path_of(const Digest& key) const;
    bool make_folder() const;

    std::string folder_;
    std::atomic<bool> kept_ = false;
};

/// $XDG_CACHE_HOME/pto-fix, or ~/.cache/pto-fix; empty where neither can be told.
std::string default_folder();

}  // namespace ptofix::cache
