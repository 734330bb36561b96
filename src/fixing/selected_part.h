// Fixes of selected rules where others are left out: `--select PTO202 --apply`. A tile or a list is written as it is in
// the text that all rules together lead to, so that rules selected one after the other end in one text, whatever the
// order.
#pragma once

#include <vector>

#include "fixing/fixpoint.h"

namespace ptofix::fixing {

/// Is a rule of a later phase selected, and one of an earlier phase not?
bool leaves_out_earlier_phases(const Config& config, const Pipeline& pipeline);

/// What Fixpoint does with these arguments, save that a fix of a later phase is worked out on what the fixes of all
/// rules of earlier phases would leave, and carried over to the text as it is. Where those fixes take the finding away,
/// it stays as it is and says so.
FixResult fix_selected(const FixContext& context, std::vector<Analysis> inputs, std::vector<const Config*> configs);

}  // namespace ptofix::fixing
