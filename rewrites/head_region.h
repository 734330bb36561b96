// The statements that compute and store the heads of a batched matmul: from the matmul to the last store of its result,
// and what of their text changes when they run for some of the heads only. Facts for head_grouping.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/evidence.h"
#include "rules/finding.h"
#include "trace/axis_flow.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// A tensor that goes into the heads' computation whole and must be cut.
struct HeadOperand {
    syntax::NodeId node = syntax::kNoNode;  // the expression in the text
    trace::TensorId tensor = trace::kNoTensor;
    int axis = 0;
};

/// `out[:] = x`, `out[a:b, :] = x`, assemble(x, offsets, out), move(out, x).
struct RegionStore {
    syntax::NodeId node = syntax::kNoNode;  // the call, or the subscript that is written to
    trace::OpId op = trace::kNone;
    int axis = 0;
};

struct HeadRegion {
    syntax::NodeId first = syntax::kNoNode, last = syntax::kNoNode;  // statements of one block
    text::Range lines;                                               // their lines
    std::vector<HeadOperand> operands;
    std::vector<RegionStore> stores;
    std::vector<syntax::NodeId> extents;  // numbers in shape arguments that say how many heads there are
    bool leaks_tiles = false;             // a tile set inside is in force behind it
    bool takes_device_loop = true;        // another device loop may stand inside the loops around them

    std::optional<rules::Blocked> blocked;
};

/// Where an operation stands in the kernel's own text: its site, or the call that leads to the helper it is in; kNoNode
/// when it does not come from there.
syntax::NodeId place_in_kernel(const trace::Trace& trace, const trace::KernelTrace& kernel, const trace::Operation& op);

HeadRegion head_region(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence,
                       const std::vector<trace::AxisUse>& uses);

}  // namespace ptofix::rewrites
