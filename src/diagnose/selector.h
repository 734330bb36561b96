// Picks out of all findings of a text those that a log is about. Asked again in every round of fixing.
#pragma once

#include <span>
#include <vector>

#include "diagnose/verdict.h"
#include "hardware/soc.h"

namespace ptofix::diagnose {

/// One trace's answers for one selector; made once, asked for each finding.
class Selection {
  public:
    Selection(const Selector& selector, const trace::Trace& trace, hardware::Soc soc);
    bool takes(const rules::Finding& finding) const;

  private:
    bool is_about(const rules::Finding& finding) const;
    bool is_about_buffer(const rules::Finding& finding) const;
    bool is_about_cube_tile(const CubeTileRefused& refused, const rules::Finding& finding) const;
    bool is_about_vec_tile(const VecTileRefused& refused, const rules::Finding& finding) const;

    const Selector& selector_;
    const trace::Trace& trace_;
    struct Buffer {
        trace::Site operation, tile_call;
    };
    std::vector<Buffer> buffers_;
    std::vector<trace::LoopId> loops_;
};

}  // namespace ptofix::diagnose
