// Records on disk: one file a key, whole or absent. Nobody has to be told of a failure: what cannot be kept is worked
// out again.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/pack.h"

namespace ptofix::cache {

class Store {
  public:
    /// Made with the first record.
    explicit Store(std::string folder) : folder_(std::move(folder)) {}

    /// Before anything is looked for: what a run of this name asked for last is read at once.
    void open_pack(const Digest& name);
    /// By several threads and processes at once.
    std::optional<std::string> find(const Digest& key);
    void keep(const Digest& key, std::string_view record);
    /// Beside the records: one that belongs to the pack alone.
    std::optional<std::string_view> beside(const Digest& key) const { return pack_.find(key); }
    void keep_beside(const Digest& key, std::string record);
    /// At the end of the run: what it asked for is packed for the next one.
    void close_pack();
    /// Once a day, after something was kept: removes what nobody asked for in two weeks.
    void tidy_up();

    const std::string& folder() const { return folder_; }

  private:
    std::string path_of(const Digest& key) const;
    std::optional<std::string> read(const Digest& key) const;
    void write(const Digest& key, std::string_view bytes) const;
    void remember(const Digest& key, std::string record);
    bool make_folder() const;

    std::string folder_;
    std::atomic<bool> kept_ = false;
    std::once_flag made_;
    bool has_folder_ = false;
    std::optional<Digest> name_;  // of the pack
    Pack pack_;
    std::mutex mutex_;
    std::vector<KeyedRecord> unpacked_;
    bool has_more_beside_ = false;
};

/// $XDG_CACHE_HOME/pto-fix, or ~/.cache/pto-fix; empty where neither can be told.
std::string default_folder();

}  // namespace ptofix::cache
