// How much a trace knows of what kernels set: vec tiles, cube tiles, unroll lists. A site is a call expression; it may
// be evaluated in many contexts, in the trace of its own file and in those of files that import it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace ptofix::trace {

enum class SettingKind : std::uint8_t { vec_tile, cube_tile, unroll_list };

/// What one evaluation knows of the setting's numbers; a site has the best of its evaluations.
enum class Resolution : std::uint8_t {
    unreached,  // nothing that is traced comes here
    unknown,    // no number of it is known
    run_time,   // no number is known, and each comes from dims, indices or data that only running tells
    in_part,    // some of its numbers are known
    full,       // all of them
};

struct SettingSite {
    SettingKind kind = SettingKind::vec_tile;
    Site call;
    Resolution best = Resolution::unreached;
    std::uint32_t evaluations = 0;    // inside kernels and helpers; a loop traced item by item counts each item
    std::uint32_t full = 0;           // of these, fully known
    std::vector<std::string> values;  // the different ones, in words: "(32, 512)", "m [16, 16] k [?, 256] n [64, 64]"
};

/// The sites of the analysed file, also those that nothing reaches, then those of other files that its trace evaluated.
std::vector<SettingSite> setting_sites(const Trace& trace);

/// The numbers of a setting, "?" for what is not known.
std::string tile_numbers(const Trace& trace, const TileSetting& tile);

}  // namespace ptofix::trace
