// Where something stands: a node of a file of the project. The currency in which trace, findings and fixes speak of
// source.
#pragma once

#include <cstdint>

#include "syntax/tree.h"

namespace ptofix::trace {

/// Index into Project::files. The file under analysis and every file reached from it by import.
using FileId = std::uint16_t;
inline constexpr FileId kNoFile = UINT16_MAX;

struct Site {
    FileId file = kNoFile;
    syntax::NodeId node = syntax::kNoNode;

    bool known() const { return file != kNoFile && node != syntax::kNoNode; }
    bool operator==(const Site&) const = default;
    auto operator<=>(const Site&) const = default;
};

}  // namespace ptofix::trace
