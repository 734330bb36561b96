// --timing: where the processor's time went, as a table for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rules/catalogue.h"

namespace ptofix::report {

struct TimingRow {
    std::string_view stage;
    std::string_view rule;  // empty: of the stage itself
    std::chrono::nanoseconds time{};
    std::uint64_t times = 0;  // how often
};

struct TimingTotals {
    std::chrono::nanoseconds processor{}, wall{};
    std::uint32_t from_cache = 0;  // files whose result was kept from an earlier run
};

/// The stages, what no row accounts for (reading, reporting, writing), the sums; then the rules, the dearest first.
std::string timing_table(std::span<const TimingRow> rows, const TimingTotals& totals, rules::Language language);

}  // namespace ptofix::report
