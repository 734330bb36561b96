#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/messages.h"
#include "text/display_width.h"

namespace ptofix::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 400ms;  // who waits less does not wonder
constexpr auto kEvery = 100ms;
constexpr std::uint32_t kBarCells = 24;
constexpr std::uint32_t kUsualWidth = 80;

std::string bar(double share) {
    const auto full = static_cast<std::uint32_t>(share * kBarCells);
    std::string out;
    for (std::uint32_t i = 0; i < kBarCells; ++i) out += i < full ? "━" : "─";
    return out;
}

}  // namespace

std::string progress_line(const ProgressState& state, std::uint32_t width, rules::Language language) {
    const double seconds = std::max(state.elapsed.count(), 1e-3);
    const double rate = static_cast<double>(state.done) / seconds;
    const double left = rate > 0 ? static_cast<double>(state.total - state.done) / rate : 0;
    const double share = state.total == 0 ? 1 : static_cast<double>(state.done) / static_cast<double>(state.total);
    rules::Data data;
    data.set("done", static_cast<std::int64_t>(state.done)).set("total", static_cast<std::int64_t>(state.total));
    data.set("rate", static_cast<std::int64_t>(rate)).set("findings", static_cast<std::int64_t>(state.findings));
    data.set("left", state.done == 0 ? std::string("?") : fmt::format("{:.0f}", left));
    const std::string words = rules::render({"cli.progress", std::move(data)}, language);
    std::string line = bar(share) + "  " + words;
    if (text::display_width(line) > width) line = words;
    return text::display_width(line) > width ? std::string{} : line;
}

Progress::Progress(Output& terminal, std::size_t total, rules::Language language)
    : terminal_(terminal), total_(total), language_(language), thread_([this] {
          std::unique_lock lock(mutex_);
          for (auto wait = std::chrono::milliseconds(kFirst); !ended_.wait_for(lock, wait, [&] { return stopping_; });
               wait = kEvery) {
              draw();
          }
      }) {}

void Progress::draw() {
    const ProgressState state{std::min<std::size_t>(done_, total_), total_, findings_,
                              std::chrono::steady_clock::now() - start_};
    // The last cell stays free: a terminal may go on to the next line when it is filled.
    const std::uint32_t width = terminal_.columns().value_or(kUsualWidth);
    terminal_.write("\r" + progress_line(state, width - 1, language_) + "\x1b[K");
    drawn_ = true;
}

void Progress::stop() {
    {
        const std::scoped_lock lock(mutex_);
        if (stopping_) return;
        stopping_ = true;
    }
    ended_.notify_all();
    thread_.join();
    if (drawn_) terminal_.write("\r\x1b[K");
}

}  // namespace ptofix::cli
