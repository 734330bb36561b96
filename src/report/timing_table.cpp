#include "report/timing_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/table.h"
#include "rules/messages.h"

namespace ptofix::report {

namespace {

using std::chrono::nanoseconds;

std::string milliseconds(nanoseconds time) {
    return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(time).count());
}

std::string share(nanoseconds part, nanoseconds whole) {
    const auto all = static_cast<double>(std::max<nanoseconds::rep>(whole.count(), 1));
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part.count()) / all);
}

}  // namespace

std::string timing_table(std::span<const TimingRow> rows, const TimingTotals& totals, rules::Language language) {
    const auto words = [&](std::string_view id) { return rules::render({id, {}}, language); };
    const auto count = [&](std::uint64_t times) { return times == 0 ? std::string{} : fmt::format("{}x", times); };
    std::vector<std::string_view> stages;  // in the order of the work
    std::map<std::string_view, TimingRow> by_stage, by_rule;
    nanoseconds known{};
    for (const TimingRow& row : rows) {
        known += row.time;
        if (!by_stage.contains(row.stage)) stages.push_back(row.stage);
        TimingRow& stage = by_stage[row.stage];
        stage.time += row.time;
        if (row.rule.empty()) {
            stage.times += row.times;
        } else {
            by_rule[row.rule].time += row.time;
        }
    }
    Table table({Table::Align::left, Table::Align::right, Table::Align::right, Table::Align::right});
    for (const std::string_view name : stages) {
        const TimingRow& stage = by_stage[name];
        table.row({words(fmt::format("timing.{}", name)), milliseconds(stage.time), share(stage.time, totals.processor),
                   count(stage.times)});
    }
    const nanoseconds rest = std::max(totals.processor - known, nanoseconds{});
    table.row({words("timing.rest"), milliseconds(rest), share(rest, totals.processor), {}});
    table.row({words("timing.processor"), milliseconds(totals.processor), {}, {}});
    table.row({words("timing.wall"), milliseconds(totals.wall), share(totals.wall, totals.processor), {}});
    if (totals.from_cache > 0) table.row({words("timing.from_cache"), fmt::format("{}", totals.from_cache), {}, {}});
    std::string out = table.text();
    if (by_rule.empty()) return out;

    std::vector<std::pair<std::string_view, nanoseconds>> dearest;
    dearest.reserve(by_rule.size());
    for (const auto& [rule, row] : by_rule) dearest.emplace_back(rule, row.time);
    std::ranges::stable_sort(dearest, std::ranges::greater{}, [](const auto& rule) { return rule.second; });
    Table each({Table::Align::left, Table::Align::left, Table::Align::right, Table::Align::right});
    for (const auto& [id, time] : dearest) {
        const rules::Rule* rule = rules::find_rule(id);
        each.row({std::string(id), rule == nullptr ? std::string{} : std::string(rule->name), milliseconds(time),
                  share(time, totals.processor)});
    }
    return out + "\n" + each.text();
}

}  // namespace ptofix::report
