// PTO107: mL0 x kAL1 or nL0 x kBL1 of a cube tile is more than L1. As information: more of K in L1 than the K table of
// the experience notes has, where it fits.
#include "detectors/cube_budget.h"
#include "detectors/detectors.h"

namespace ptofix::detectors {

void k_tile_exceeds_l1(const trace::Trace& trace, const Settings& settings, std::vector<rules::Finding>& out) {
    const hardware::Pools& pools = hardware::pools(settings.soc);
    for (const trace::CubeTileCall& call : trace::cube_tile_calls(trace)) {
        if (const auto overflow = cube_overflow(trace, call, pools)) {
            if (overflow->pool == CubePool::l1_a || overflow->pool == CubePool::l1_b) {
                out.push_back(cube_overflow_finding(trace, call, *overflow, "PTO107", "PTO107.found"));
            }
        } else if (const auto found = long_k(trace, call, pools); found && !is_one_long_level(*found)) {
            out.push_back(long_k_finding(trace, call, *found, "PTO107", "PTO107.found.above_table"));
        }
    }
}

}  // namespace ptofix::detectors
