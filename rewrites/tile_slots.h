// Changes numbers of tile settings where they are written: in the call, in a constant, a dataclass, a list that is
// spread into the call, another file. For rewriters of vec and cube tiles.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/tile.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// One number of a tile setting.
struct TileSlot {
    enum class List : std::uint8_t { vec, m, k, n } list = List::vec;
    trace::TileId tile = trace::kNone;
    std::uint32_t index = 0;
    auto operator<=>(const TileSlot&) const = default;
};

const trace::Value& number_of(const trace::Trace& trace, const TileSlot& slot);
std::vector<TileSlot> slots_of(const trace::Trace& trace, trace::TileId tile);

struct TileChange {
    TileSlot slot;
    std::int64_t value = 0;
};

struct TileEdits {
    std::vector<rules::FileEdit> edits;
    std::string read_as;      // Fix::read_as
    bool at_literals = true;  // none replaces an expression
};

/// The changes that turn a cube tile setting into this tile.
void add_cube_changes(const hardware::CubeTile& tile, trace::TileId id, const trace::TileSetting& setting,
                      std::vector<TileChange>& changes);

/// The edits that make all of these changes. A literal is edited where it is written when every tile setting that takes
/// it wants the same number there, and nothing else reads it; else the expression in the call, when every setting made
/// there wants the same. Blocked: who wants another number.
std::expected<TileEdits, rules::Blocked> edit_tiles(const trace::Trace& trace, const std::vector<TileChange>& changes);

/// "16, 576" in place of a list's numbers: for lists of a wrong length.
std::optional<rules::FileEdit> edit_list(const trace::Trace& trace, const trace::Value& list,
                                         const std::vector<std::int64_t>& numbers);

}  // namespace ptofix::rewrites
