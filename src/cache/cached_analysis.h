// analyse() of fixing, answered from the store where nothing has changed that the answer rests on.
#pragma once

#include <cstdint>
#include <map>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cache/known_files.h"
#include "cache/record.h"
#include "cache/store.h"
#include "fixing/analysis.h"

namespace ptofix::cache {

/// For all threads of one run.
class CachedAnalysis {
  public:
    /// `run`: what tells runs over these files from others, such as the paths that they are given; a pack is named by
    /// it.
    CachedAnalysis(std::string folder, const std::vector<std::string>& run);
    /// Before the threads start: a text that the run has read, so that it is not read again as an import.
    void know(const std::shared_ptr<const text::Source>& source);
    /// After files were written: each is read again when it is asked for.
    void forget_texts();

    /// Of all files that any run of this kind has read.
    KnownFiles& files() { return files_; }

    /// With default_pipeline(). An answer from the store has no trace and no file. A source that was not read is read
    /// if there may be something to be said of it.
    fixing::Analysis operator()(trace::Project& project, const std::shared_ptr<const text::Source>& source,
                                const fixing::Config& config);

    /// At the end.
    void tidy_up();
    /// By path: what was to be read after all, and could not. Of these nothing is said.
    const std::map<std::string, text::LoadError>& lost() const { return lost_; }
    std::uint32_t found() const { return found_; }
    std::uint32_t missed() const { return missed_; }

  private:
    std::shared_ptr<const text::Source> given(const std::string& path) const;
    std::shared_ptr<const text::Source> read(const std::string& path);
    std::shared_ptr<const text::Source> given_or_known(const std::string& path) const;
    Digest digest_now(const std::string& path);
    Digest text_of(const std::string& path);
    std::optional<fixing::Analysis> known_silence(trace::Project& project,
                                                  const std::shared_ptr<const text::Source>& source,
                                                  const fixing::Config& config);
    bool holds(trace::Project& project, const ImportRecord& import);

    Store store_;
    KnownFiles files_;
    std::string folder_;  // that relative paths start from
    mutable std::shared_mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const text::Source>> sources_;  // null: cannot be read
    std::unordered_map<std::string, Digest> texts_;
    std::map<std::string, text::LoadError> lost_;
    std::atomic<std::uint32_t> found_ = 0, missed_ = 0;
};

/// Of this program's build; empty if it carries none, and then nothing can be kept.
std::string_view build_id();

}  // namespace ptofix::cache
