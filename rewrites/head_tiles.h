// Tile shapes for a batched matmul: its vector operations work on [heads, rows, columns], and the setting in force was
// made for one head. Also holds the whole against what a compile takes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hardware/soc.h"
#include "rewrites/head_batch.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct HeadTiles {
    std::vector<rules::FileEdit> edits;  // in calls that set tile shapes
    // Calls to be put in lines of their own, without indentation; empty: none.
    std::string before;  // ahead of the statements
    std::string flat;    // ahead of the statement that stores a result with two axes
    std::string after;   // behind the statements, for the code that follows
};

/// flattened: the statements whose value is reshaped for the store. Nothing where no tiles serve, or the whole is too
/// much.
std::optional<HeadTiles> plan_tiles(const trace::Trace& trace, trace::LoopId loop, const HeadBatch& batch,
                                    std::span<const syntax::NodeId> flattened, hardware::Soc soc);

}  // namespace ptofix::rewrites
