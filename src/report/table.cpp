#include "report/table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "text/display_width.h"

namespace ptofix::report {

namespace {

constexpr std::string_view kGap = "  ";

std::vector<std::string_view> lines_of(std::string_view cell) {
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = cell.find('\n');
        lines.push_back(cell.substr(0, end));
        if (end == std::string_view::npos) return lines;
        cell.remove_prefix(end + 1);
    }
}

/// Cells on the screen: colours take none.
std::uint32_t width_of(std::string_view line) {
    std::uint32_t width = 0;
    for (std::size_t at = line.find('\x1b'); at != std::string_view::npos; at = line.find('\x1b')) {
        width += text::display_width(line.substr(0, at));
        const std::size_t end = line.find('m', at);
        if (end == std::string_view::npos) return width;
        line.remove_prefix(end + 1);
    }
    return width + text::display_width(line);
}

void end_line(std::string& out) {
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back({std::move(cells), false});
}

void Table::line(std::string text) {
    rows_.push_back({{std::move(text)}, true});
}

std::vector<std::uint32_t> Table::widths() const {
    std::vector<std::uint32_t> widths(columns_.size(), 0);
    for (const Row& row : rows_) {
        if (row.across) continue;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            for (const std::string_view line : lines_of(row.cells[i])) {
                widths[i] = std::max(widths[i], width_of(line));
            }
        }
    }
    return widths;
}

std::uint32_t Table::width() const {
    const std::vector<std::uint32_t> each = widths();
    const auto gaps = static_cast<std::uint32_t>(each.empty() ? 0 : (each.size() - 1) * kGap.size());
    return std::accumulate(each.begin(), each.end(), gaps);
}

std::string Table::text(std::string_view indent) const {
    const std::vector<std::uint32_t> widths = this->widths();
    std::string out;
    for (const Row& row : rows_) {
        std::vector<std::vector<std::string_view>> cells;
        std::size_t height = 0;
        for (const std::string& cell : row.cells) {
            cells.push_back(lines_of(cell));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t at = 0; at < height; ++at) {
            out += indent;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string_view line = at < cells[i].size() ? cells[i][at] : std::string_view();
                const std::uint32_t width = width_of(line);
                const std::string pad(row.across || width >= widths[i] ? 0 : widths[i] - width, ' ');
                if (i > 0) out += kGap;
                if (!row.across && columns_[i] == Align::right) out += pad;
                out += line;
                if (!row.across && columns_[i] == Align::left) out += pad;
            }
            end_line(out);
        }
    }
    return out;
}

}  // namespace ptofix::report
