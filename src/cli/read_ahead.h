// Files read on the way, by whoever finds them: its folder is open then, and what was just found is at hand.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "cache/known_files.h"
#include "config/discovery.h"
#include "text/source.h"

namespace ptofix::cli {

/// So many are read before another thread has its use.
inline constexpr std::size_t kFilesWorthAThread = 16;

/// What one file came to.
struct ReadFile {
    std::shared_ptr<const text::Source> source;  // of one that mentions pypto
    std::optional<text::LoadError> error;
    bool mentions = false;
    std::optional<text::FileIdentity> identity = {};  // of one that was read
};

/// Of a file that was named, not found in a folder.
ReadFile read_named(const std::string& path);
ReadFile read_bytes(const std::string& path, const std::string& bytes);

/// For several threads.
class ReadAhead {
  public:
    /// `known`: files of which that need not be read; none: all are read.
    explicit ReadAhead(cache::KnownFiles* known) : known_(known) {}
    /// Those of a folder that are wanted, by their places in it.
    void read(const config::SearchedFolder& folder, const std::function<bool(std::size_t)>& wants);
    /// One that was found, and not told of on the way.
    ReadFile read(const std::string& path);
    /// What has been read, by path.
    std::unordered_map<std::string, ReadFile> take() { return std::move(read_); }

  private:
    std::optional<ReadFile> as_known(const std::string& path, int folder, const std::string& name) const;
    ReadFile read_in(int folder, const std::string& name, const std::string& path);

    cache::KnownFiles* known_;
    std::mutex mutex_;
    std::unordered_map<std::string, ReadFile> read_;
};

}  // namespace ptofix::cli
