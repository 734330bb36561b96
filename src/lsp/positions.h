// Byte ranges as the protocol's positions, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "text/line_index.h"
#include "text/range.h"

namespace ptofix::lsp {

nlohmann::json json_of(text::Range range, const text::LineIndex& lines, text::ColumnUnit unit);

/// Nothing for what is no position or no range. A position outside the text is clamped as the protocol says; a range
/// whose end is before its start is turned around.
std::optional<std::uint32_t> offset_of(const nlohmann::json& position, const text::LineIndex& lines,
                                       text::ColumnUnit unit);
std::optional<text::Range> range_of(const nlohmann::json& range, const text::LineIndex& lines, text::ColumnUnit unit);

}  // namespace ptofix::lsp
