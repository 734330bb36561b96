// PTO108: a cube tile that takes more of L0A, L0C, the bias table or the fixpipe buffer than there is.
#include "detectors/cube_budget.h"
#include "detectors/detectors.h"

namespace ptofix::detectors {

void cube_tile_exceeds_l0(const trace::Trace& trace, const Settings& settings, std::vector<rules::Finding>& out) {
    const hardware::Pools& pools = hardware::pools(settings.soc);
    for (const trace::CubeTileCall& call : trace::cube_tile_calls(trace)) {
        const auto overflow = cube_overflow(trace, call, pools);
        if (!overflow || overflow->pool < CubePool::l0a) continue;
        out.push_back(cube_overflow_finding(trace, call, *overflow, "PTO108", "PTO108.found"));
    }
}

}  // namespace ptofix::detectors
