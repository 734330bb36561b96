#include "report/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "report/table.h"
#include "rules/messages.h"

namespace ptofix::report {

namespace {

struct Row {
    std::string_view rule, name;
    std::int64_t findings = 0, safe = 0, unsafe = 0;
    std::set<std::string_view> files;
};

void add(Row& row, const FileReport& report, const FindingView& finding) {
    row.rule = finding.rule;
    row.name = finding.name;
    ++row.findings;
    row.files.insert(report.paths[finding.primary.file]);
    if (!finding.fix) return;
    row.safe += finding.fix->applicability == rules::Applicability::safe;
    row.unsafe += finding.fix->applicability == rules::Applicability::unsafe;
}

}  // namespace

std::string statistics_of(std::span<const FileReport> reports, rules::Language language) {
    std::map<std::string_view, Row> by_rule;
    for (const FileReport& report : reports) {
        for (const FindingView& finding : report.findings) {
            if (is_shown(finding)) add(by_rule[finding.rule], report, finding);
        }
    }
    if (by_rule.empty()) return {};
    std::vector<Row> rows;
    for (const auto& [rule, row] : by_rule) rows.push_back(row);
    std::ranges::stable_sort(rows, std::ranges::greater{}, &Row::findings);
    const auto words = [&](std::string_view id) { return rules::render({id, {}}, language); };
    Table table(
        {Table::Align::right, Table::Align::right, Table::Align::right, Table::Align::right, Table::Align::left});
    table.row({words("report.statistics.findings"), words("report.statistics.safe"), words("report.statistics.unsafe"),
               words("report.statistics.files"), words("docs.rule")});
    for (const Row& row : rows) {
        table.row({rules::show(row.findings), rules::show(row.safe), rules::show(row.unsafe),
                   rules::show(static_cast<std::int64_t>(row.files.size())), fmt::format("{} {}", row.rule, row.name)});
    }
    return table.text();
}

}  // namespace ptofix::report
