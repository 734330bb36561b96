// Where the processor's time goes, by stage of an analysis and by rule: what --timing shows. Measured only when asked
// for, over all threads of a run.
#pragma once

#include <chrono>
#include <ctime>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace ptofix::fixing {

enum class Stage { parse, trace, detect, suppress, rewrite, apply };
/// "parse", "trace" ...
std::string_view name_of(Stage stage);

class Timings {
  public:
    struct Entry {
        Stage stage;
        std::string_view rule;  // empty: of the stage itself
        std::chrono::nanoseconds time{};
        std::uint64_t times = 0;
    };

    void add(Stage stage, std::string_view rule, std::chrono::nanoseconds time);
    /// By stage, then by rule.
    std::vector<Entry> entries() const;

  private:
    mutable std::mutex mutex_;
    std::map<std::pair<Stage, std::string_view>, std::pair<std::chrono::nanoseconds, std::uint64_t>> sums_;
};

/// Adds the processor time of this thread from here to its end; nothing when `into` is null.
class Timed {
  public:
    Timed(Timings* into, Stage stage, std::string_view rule = {}) : into_(into), stage_(stage), rule_(rule) {
        if (into_ != nullptr) start_ = now();
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;
    ~Timed() {
        if (into_ != nullptr) into_->add(stage_, rule_, now() - start_);
    }

  private:
    static std::chrono::nanoseconds now() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }

    Timings* into_;
    Stage stage_;
    std::string_view rule_;
    std::chrono::nanoseconds start_{};
};

}  // namespace ptofix::fixing
