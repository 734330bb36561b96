// PTO106: kL0 x nL0 of a cube tile is more than L0B. As information: one level of K of 1024 or more where K goes on;
// the experience notes take it for the same, the compiler does not.
#include "detectors/cube_budget.h"
#include "detectors/detectors.h"

namespace ptofix::detectors {

void k_tile_exceeds_l0b(const trace::Trace& trace, const Settings& settings, std::vector<rules::Finding>& out) {
    const hardware::Pools& pools = hardware::pools(settings.soc);
    for (const trace::CubeTileCall& call : trace::cube_tile_calls(trace)) {
        if (const auto overflow = cube_overflow(trace, call, pools)) {
            if (overflow->pool == CubePool::l0b) {
                out.push_back(cube_overflow_finding(trace, call, *overflow, "PTO106", "PTO106.found"));
            }
        } else if (const auto found = long_k(trace, call, pools); found && is_one_long_level(*found)) {
            out.push_back(long_k_finding(trace, call, *found, "PTO106", "PTO106.found.long_level"));
        }
    }
}

}  // namespace ptofix::detectors
