#include "report/fix_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "text/cell_place.h"

namespace ptofix::report {

namespace {

using Kind = DiffLine::Kind;

/// Cells of the table that compares two runs of lines; larger ones are shown as replaced whole.
constexpr std::size_t kMostCells = 1U << 18U;

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t end = text.find_first_of("\r\n");
        std::size_t next = end;
        if (end == std::string_view::npos) {
            end = next = text.size();
        } else {
            next = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
        }
        lines.push_back(text.substr(0, end));
        text.remove_prefix(next);
    }
    return lines;
}

/// Same, removed and added lines in order, by a longest common subsequence.
std::vector<DiffLine> compare(std::span<const std::string_view> before, std::span<const std::string_view> after) {
    std::vector<DiffLine> out;
    const auto put = [&](Kind kind, std::string_view line) { out.push_back({kind, std::string(line)}); };
    if ((before.size() + 1) * (after.size() + 1) > kMostCells) {
        for (const std::string_view line : before) put(Kind::removed, line);
        for (const std::string_view line : after) put(Kind::added, line);
        return out;
    }
    const std::size_t width = after.size() + 1;
    std::vector<std::uint32_t> common((before.size() + 1) * width);
    for (std::size_t i = before.size(); i-- > 0;) {
        for (std::size_t j = after.size(); j-- > 0;) {
            common[i * width + j] = before[i] == after[j]
                                        ? common[(i + 1) * width + j + 1] + 1
                                        : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
        }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before[i] == after[j]) {
            put(Kind::same, before[i]);
            ++i;
            ++j;
        } else if (i < before.size() &&
                   (j == after.size() || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
            put(Kind::removed, before[i++]);
        } else {
            put(Kind::added, after[j++]);
        }
    }
    return out;
}

/// Appends the changes of `lines` as hunks; line numbers of both texts start at `old_line` and `new_line`.
void append_hunks(std::vector<DiffLine>& out, std::span<const DiffLine> lines, std::uint32_t context,
                  std::uint32_t old_line, std::uint32_t new_line) {
    std::size_t at = 0;
    while (true) {
        const auto changed = [](const DiffLine& line) { return line.kind != Kind::same; };
        const std::size_t first = static_cast<std::size_t>(
            std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), changed) - lines.begin());
        if (first == lines.size()) return;
        const std::size_t start = first - std::min<std::size_t>(first - at, context);
        std::size_t end = first;
        for (std::size_t i = first; i < lines.size() && i <= end + 2UL * context; ++i) {
            if (changed(lines[i])) end = i + 1;
        }
        end = std::min(lines.size(), end + context);
        old_line += static_cast<std::uint32_t>(start - at);
        new_line += static_cast<std::uint32_t>(start - at);
        std::uint32_t removed = 0;
        std::uint32_t added = 0;
        for (std::size_t i = start; i < end; ++i) {
            removed += lines[i].kind != Kind::added;
            added += lines[i].kind != Kind::removed;
        }
        out.push_back({Kind::hunk, fmt::format("@@ -{},{} +{},{} @@", old_line, removed, new_line, added)});
        out.insert(out.end(), lines.begin() + static_cast<std::ptrdiff_t>(start),
                   lines.begin() + static_cast<std::ptrdiff_t>(end));
        old_line += removed;
        new_line += added;
        at = end;
    }
}

}  // namespace

std::vector<DiffLine> diff_lines(const text::Source& source, std::span<const text::Edit> edits, std::uint32_t context) {
    const text::LineIndex& lines = source.lines();
    std::vector<DiffLine> out;
    std::int64_t shift = 0;  // lines that earlier groups added
    std::uint32_t top = 1;   // in a notebook the first line of the cell, from which its lines are counted
    for (std::size_t at = 0; at < edits.size();) {
        // Edits whose surroundings touch are one group.
        const std::uint32_t first = lines.line_of(edits[at].range.start);
        std::uint32_t last = lines.line_of(edits[at].range.end);
        std::size_t end = at + 1;
        // A group ends at its cell, whose lines are counted from its own start.
        const auto cell = text::cell_of_edit(source, edits[at].range);
        const std::uint32_t bottom = cell ? cell->last_line : lines.line_count();
        while (end < edits.size() && lines.line_of(edits[end].range.start) <= last + 2 * context + 1) {
            const auto next = text::cell_of_edit(source, edits[end].range);
            if (cell && next && next->number != cell->number) break;
            last = std::max(last, lines.line_of(edits[end].range.end));
            ++end;
        }
        // What ends at the line behind the cell's last one ends in the cell; what reaches further is shown whole.
        const bool ends_there = cell && last == bottom + 1 && lines.line_start(last) == edits[end - 1].range.end;
        if (ends_there) last = bottom;
        if (cell && cell->first_line != top) {
            top = cell->first_line;
            shift = 0;
        }
        const std::uint32_t from = std::min(first, first >= context + top ? first - context : top);
        const std::uint32_t to = std::max(last, std::min(bottom, last + context));
        const std::uint32_t start = lines.line_start(from);
        const std::string_view before = source.text().substr(start, lines.full_line_range(to).end - start);
        std::vector<text::Edit> moved(edits.begin() + static_cast<std::ptrdiff_t>(at),
                                      edits.begin() + static_cast<std::ptrdiff_t>(end));
        for (text::Edit& edit : moved) {
            edit.range.start -= start;
            edit.range.end -= start;
        }
        const std::string after = text::apply(before, moved);
        const auto old_lines = split_lines(before);
        const auto new_lines = split_lines(after);
        append_hunks(out, compare(old_lines, new_lines), context, from - top + 1,
                     static_cast<std::uint32_t>(from - top + 1 + shift));
        shift += static_cast<std::int64_t>(new_lines.size()) - static_cast<std::int64_t>(old_lines.size());
        at = end;
    }
    return out;
}

}  // namespace ptofix::report
