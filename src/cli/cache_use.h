// What a run may ask of what earlier runs have kept.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace ptofix::cli {

/// What tells the run from those that look at other files, or for other things.
std::vector<std::string> pack_words(const CheckCommand& command);

/// May files be passed over in which nothing is found? Only where the run is about all of what it finds, and writes
/// nothing: others look at the texts.
bool may_pass_over(const CheckCommand& command);

}  // namespace ptofix::cli
