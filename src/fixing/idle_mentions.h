// Which files that mention the framework hold nothing that a rule could look at, told from the text alone: parsing them
// is most of what a run over a repository costs.
#pragma once

#include <string_view>

namespace ptofix::fixing {

/// May the text hold a kernel, a device loop or a tile setting? Every rule looks at one of these. Never false where it
/// does hold one that the tracer would see.
bool may_hold_kernels(std::string_view text);

}  // namespace ptofix::fixing
