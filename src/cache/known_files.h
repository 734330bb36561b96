// Which files need not be read, because the system says that they are as they were when they were read last: the same
// inode of the same device with the same size and times. The time of an inode's last change is the system's own: no
// program can put it back. One that is younger than a few seconds is not relied on: the next change could be of the
// same tick of a clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cache/digest.h"
#include "text/file_set.h"
#include "text/source.h"

namespace ptofix::cache {

/// What a text came to, whatever its file is called and a configuration says.
struct KnownText {
    enum class Use : std::uint8_t {
        none,      // does not mention PyPTO
        mentions,  // does; what else it does was not asked
        idle,      // mentions it and holds no kernel, and there is nothing to be said of it
        analysed   // may hold kernels
    };
    Use use = Use::none;
    Digest digest = {};  // of the file's bytes, but not of what only mentions PyPTO
};

class KnownFiles {
  public:
    /// `now`: before the first file is read.
    explicit KnownFiles(std::chrono::nanoseconds now) : now_(now) {}

    /// Before the first question: what bytes() said of an earlier run. Bytes that are none are taken for nothing.
    void read(std::string_view bytes);
    bool is_empty() const { return files_.empty(); }

    /// By several threads at once.
    std::optional<KnownText> find(const text::FileIdentity& file) const;
    /// Is this a file of which that may be noted? UTF-8 that is no notebook.
    static bool covers(const text::Source& source);
    /// Likewise, of one that has been read. The path is asked for its file system.
    void note(const std::string& path, const text::FileIdentity& file, const KnownText& text);

    /// True: what this run found is not all that read() was given, and enough to be worth a file.
    bool has_news() const { return news_.size() >= (is_empty() ? kWorthKeeping : 1); }
    /// Of what was found or noted.
    std::string bytes() const;

  private:
    // A few files are read as soon as what is known of them.
    static constexpr std::size_t kWorthKeeping = 16;
    struct Known {
        text::FileIdentity file;
        KnownText text;
        mutable std::atomic<bool> found = false;
    };
    std::chrono::nanoseconds now_;
    std::unordered_map<text::FileKey, Known, text::FileKeyHash> files_;
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, bool> relied_on_;  // devices
    std::vector<std::pair<text::FileIdentity, KnownText>> news_;
};

}  // namespace ptofix::cache
