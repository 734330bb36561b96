// A number that several tile settings take from one literal: may all of them have the new one? For rewriters of vec and
// cube tiles.
#pragma once

#include <expected>
#include <vector>

#include "hardware/soc.h"
#include "rewrites/tile_slots.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// `edit_tiles` for these changes, and, where every edit then stands at a literal, for the same change of every other
/// number that the literal gives: if the settings can have it, which is that what is computed under them stays legal
/// and fits. Where one list asks for two values of a literal, that of L0 stands.
std::expected<TileEdits, rules::Blocked> edit_shared_tiles(const trace::Trace& trace,
                                                           const std::vector<TileChange>& changes, hardware::Soc soc);

}  // namespace ptofix::rewrites
