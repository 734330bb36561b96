// Ties a verdict to places of the given kernels for which no rule has a finding: the operations, loops and options that
// show what the log says.
#pragma once

#include <cstddef>
#include <vector>

#include "diagnose/call_places.h"
#include "diagnose/case.h"
#include "diagnose/verdict.h"

namespace ptofix::diagnose {

struct Tied {
    std::size_t analysis = 0;  // of Case::analyses
    CallPlace place;
};

/// Leaves the places that the traceback leads to, where it leads to any, and makes them the verdict's matches. True:
/// they are in several kernels of which the log names none, and that has been said.
bool settle_places(const Case& all, std::vector<Tied>& places, Verdict& verdict);

/// A vec tile with a number that is not above zero: the operations under it, and the finding that has a fix. False: no
/// given kernel shows it.
bool tell_tile_number(const Case& all, const VecTileRefused& refused, Verdict& verdict);

/// "tile" and "tile_line", as far as they are known.
void set_tile(const fixing::Analysis& analysis, trace::TileId tile, rules::Data& data);

}  // namespace ptofix::diagnose
