// Sizes that the user assumes (the table `assume`) may be others in the next call. A fix that changes what is computed
// must not rest on them unseen; called by analysis.cpp.
#pragma once

#include "fixing/analysis.h"

namespace ptofix::fixing {

/// Makes unsafe what is safe by an assumption alone, and says so. `without`: the same file, nothing assumed.
void hold_back_assumed(Analysis& analysis, const Analysis& without);
/// Is there a fix that this could concern?
bool may_rest_on_assumptions(const Analysis& analysis);

}  // namespace ptofix::fixing
