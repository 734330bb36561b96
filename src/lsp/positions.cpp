#include "lsp/positions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lsp/client.h"

namespace ptofix::lsp {

namespace {

Json position_of(std::uint32_t offset, const text::LineIndex& lines, text::ColumnUnit unit) {
    const text::EditorPosition position = lines.editor_position(offset, unit);
    return {{"line", position.line}, {"character", position.character}};
}

std::optional<std::uint32_t> number(const Json& value) {
    if (!value.is_number_integer() || value < 0) return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value.get<std::uint64_t>(), INT32_MAX));
}

}  // namespace

Json json_of(text::Range range, const text::LineIndex& lines, text::ColumnUnit unit) {
    return {{"start", position_of(range.start, lines, unit)}, {"end", position_of(range.end, lines, unit)}};
}

std::optional<std::uint32_t> offset_of(const Json& position, const text::LineIndex& lines, text::ColumnUnit unit) {
    const auto line = number(member(position, "line"));
    const auto character = number(member(position, "character"));
    if (!line || !character) return std::nullopt;
    return lines.offset(text::EditorPosition{*line, *character}, unit);
}

std::optional<text::Range> range_of(const Json& range, const text::LineIndex& lines, text::ColumnUnit unit) {
    const auto start = offset_of(member(range, "start"), lines, unit);
    const auto end = offset_of(member(range, "end"), lines, unit);
    if (!start || !end) return std::nullopt;
    return text::Range{std::min(*start, *end), std::max(*start, *end)};
}

}  // namespace ptofix::lsp
