#include "text/line_index.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "text/utf8.h"

namespace ptofix::text {
namespace {

/// Offset of the next `byte` at or after `from`, or the text's size.
std::size_t find_byte(std::string_view text, std::size_t from, char byte) {
    if (from >= text.size()) return text.size();
    const void* hit = std::memchr(text.data() + from, byte, text.size() - from);
    return hit == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
}

std::uint32_t units_of(CodePoint point, ColumnUnit unit) {
    switch (unit) {
        case ColumnUnit::utf8:
            return point.size;
        case ColumnUnit::utf16:
            return point.value > 0xFFFFU ? 2 : 1;
        case ColumnUnit::utf32:
            break;
    }
    return 1;
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
    const bool has_bom = text.starts_with(kUtf8Bom);
    starts_.push_back(has_bom ? static_cast<std::uint32_t>(kUtf8Bom.size()) : 0);
    std::size_t next_lf = find_byte(text, 0, '\n');
    std::size_t next_cr = find_byte(text, 0, '\r');
    while (next_lf < text.size() || next_cr < text.size()) {
        std::size_t end = 0;
        if (next_lf < next_cr) {
            end = next_lf + 1;
            next_lf = find_byte(text, end, '\n');
        } else {
            end = next_cr + 1;
            if (end == next_lf && end < text.size()) {
                end = next_lf + 1;
                next_lf = find_byte(text, end, '\n');
            }
            next_cr = find_byte(text, end, '\r');
        }
        starts_.push_back(static_cast<std::uint32_t>(end));
    }
    if (text::is_ascii(has_bom ? text.substr(kUtf8Bom.size()) : text)) return;
    ascii_.reserve(starts_.size());
    for (std::uint32_t line = 1; line <= line_count(); ++line) {
        const Range range = full_line_range(line);
        ascii_.push_back(text::is_ascii(text.substr(range.start, range.size())));
    }
}

std::uint32_t LineIndex::clamp_line(std::uint32_t line) const {
    return std::clamp<std::uint32_t>(line, 1, line_count());
}

std::uint32_t LineIndex::line_of(std::uint32_t offset) const {
    const auto next = std::upper_bound(starts_.begin() + 1, starts_.end(), offset);
    return static_cast<std::uint32_t>(next - starts_.begin());
}

std::uint32_t LineIndex::line_start(std::uint32_t line) const {
    return starts_[clamp_line(line) - 1];
}

Range LineIndex::full_line_range(std::uint32_t line) const {
    line = clamp_line(line);
    const auto end = line < line_count() ? starts_[line] : static_cast<std::uint32_t>(text_.size());
    return {starts_[line - 1], end};
}

Newline LineIndex::newline_of(std::uint32_t line) const {
    line = clamp_line(line);
    if (line == line_count()) return Newline::none;
    const std::uint32_t end = starts_[line];
    if (text_[end - 1] == '\r') return Newline::cr;
    return end - starts_[line - 1] >= 2 && text_[end - 2] == '\r' ? Newline::crlf : Newline::lf;
}

Range LineIndex::line_range(std::uint32_t line) const {
    Range range = full_line_range(line);
    range.end -= static_cast<std::uint32_t>(newline_text(newline_of(line)).size());
    return range;
}

std::string_view LineIndex::line_text(std::uint32_t line) const {
    const Range range = line_range(line);
    return text_.substr(range.start, range.size());
}

bool LineIndex::is_ascii(std::uint32_t line) const {
    return ascii_.empty() || ascii_[clamp_line(line) - 1];
}

Newline LineIndex::prevailing_newline() const {
    std::array<std::uint32_t, 4> count{};
    for (std::uint32_t line = 1; line < line_count(); ++line) ++count[static_cast<std::size_t>(newline_of(line))];
    Newline best = Newline::lf;
    for (const Newline kind : {Newline::crlf, Newline::cr}) {
        if (count[static_cast<std::size_t>(kind)] > count[static_cast<std::size_t>(best)]) best = kind;
    }
    return best;
}

std::string_view LineIndex::newline_for(std::uint32_t offset) const {
    const std::uint32_t line = line_of(offset);
    if (const Newline own = newline_of(line); own != Newline::none) return newline_text(own);
    return line > 1 ? newline_text(newline_of(line - 1)) : newline_text(Newline::lf);
}

std::uint32_t LineIndex::column_units(std::uint32_t line, std::uint32_t offset, ColumnUnit unit) const {
    const Range range = line_range(line);
    const std::uint32_t stop = std::clamp(offset, range.start, range.end);
    if (is_ascii(line)) return stop - range.start;
    std::uint32_t units = 0;
    for (std::uint32_t at = range.start; at < stop;) {
        const CodePoint point = code_point_at(text_, at);
        at += point.size;
        if (at <= stop) units += units_of(point, unit);
    }
    return units;
}

std::uint32_t LineIndex::offset_of_column(std::uint32_t line, std::uint32_t units, ColumnUnit unit) const {
    const Range range = line_range(line);
    if (is_ascii(line)) return range.start + std::min(units, range.size());
    std::uint32_t at = range.start;
    while (at < range.end) {
        const CodePoint point = code_point_at(text_, at);
        const std::uint32_t width = units_of(point, unit);
        if (width > units) break;
        units -= width;
        at += point.size;
    }
    return at;
}

Position LineIndex::position(std::uint32_t offset) const {
    const std::uint32_t line = line_of(offset);
    return {line, column_units(line, offset, ColumnUnit::utf32) + 1};
}

std::uint32_t LineIndex::offset(Position position) const {
    if (position.line > line_count()) return static_cast<std::uint32_t>(text_.size());
    return offset_of_column(clamp_line(position.line), std::max<std::uint32_t>(position.column, 1) - 1,
                            ColumnUnit::utf32);
}

EditorPosition LineIndex::editor_position(std::uint32_t offset, ColumnUnit unit) const {
    const std::uint32_t line = line_of(offset);
    return {line - 1, column_units(line, offset, unit)};
}

std::uint32_t LineIndex::offset(EditorPosition position, ColumnUnit unit) const {
    if (position.line >= line_count()) return static_cast<std::uint32_t>(text_.size());
    return offset_of_column(position.line + 1, position.character, unit);
}

}  // namespace ptofix::text
