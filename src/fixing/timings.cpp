#include "fixing/timings.h"

namespace ptofix::fixing {

std::string_view name_of(Stage stage) {
    constexpr std::string_view kNames[] = {"parse", "trace", "detect", "suppress", "rewrite", "apply"};
    return kNames[static_cast<std::size_t>(stage)];
}

void Timings::add(Stage stage, std::string_view rule, std::chrono::nanoseconds time) {
    const std::scoped_lock lock(mutex_);
    auto& [sum, times] = sums_[{stage, rule}];
    sum += time;
    ++times;
}

std::vector<Timings::Entry> Timings::entries() const {
    const std::scoped_lock lock(mutex_);
    std::vector<Entry> entries;
    entries.reserve(sums_.size());
    for (const auto& [key, sum] : sums_) entries.push_back({key.first, key.second, sum.first, sum.second});
    return entries;
}

}  // namespace ptofix::fixing
