// A constant that several files of a run read is changed only if each of them wants the same change. One analysis sees
// the file it is about and what that imports; here the analyses of a run are held against each other.
#pragma once

#include <span>

#include "fixing/analysis.h"

namespace ptofix::fixing {

/// Fixes that change what another analysed file reads become suggestions that name the file, unless that file has the
/// very same fix. Where an alternative keeps from others what they read, it takes the place of the fix.
void hold_back_fixes_that_others_read(std::span<Analysis> analyses);

}  // namespace ptofix::fixing
