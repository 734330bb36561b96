// One line on the terminal while a long run is at work: files done, rate, findings, time left. It is gone before
// anything else is printed, and a run that ends at once never shows it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "cli/output.h"
#include "rules/catalogue.h"

namespace ptofix::cli {

struct ProgressState {
    std::size_t done = 0, total = 0, findings = 0;
    std::chrono::duration<double> elapsed{};
};

/// At most `width` cells, without line break.
std::string progress_line(const ProgressState& state, std::uint32_t width, rules::Language language);

class Progress {
  public:
    /// Draws on `terminal` from a thread of its own until it is stopped.
    Progress(Output& terminal, std::size_t total, rules::Language language);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { stop(); }

    /// By any thread.
    void file_done(std::size_t findings) {
        findings_ += findings;
        ++done_;
    }
    /// Takes the line away.
    void stop();

  private:
    void draw();

    Output& terminal_;
    std::size_t total_;
    rules::Language language_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<std::size_t> done_ = 0, findings_ = 0;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool stopping_ = false;
    bool drawn_ = false;
    std::jthread thread_;
};

}  // namespace ptofix::cli
