// Files read on another processor while the search for more of them goes on.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

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

ReadFile read_file(const config::InputPath& input);
ReadFile read_bytes(const std::string& path, const std::string& bytes);

class ReadAhead {
  public:
    explicit ReadAhead(unsigned jobs) : may_start_(jobs > 1) {}
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead();

    void want(const config::InputPath& input);
    /// No more is read. What has been, by path.
    std::unordered_map<std::string, ReadFile> take();

  private:
    void run();
    void stop();

    bool may_start_;
    std::mutex mutex_;
    std::condition_variable has_more_;
    std::deque<config::InputPath> wanted_;
    bool is_over_ = false;
    std::unordered_map<std::string, ReadFile> read_;  // the thread's own while it runs
    std::jthread thread_;
};

}  // namespace ptofix::cli
