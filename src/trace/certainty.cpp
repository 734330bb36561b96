#include "trace/certainty.h"

namespace ptofix::trace {

namespace {

bool is_decided(const Trace& trace, BranchId branch) {
    for (; branch != kNone; branch = trace.branches[branch].parent) {
        if (!trace.branches[branch].device) return false;
    }
    return true;
}

}  // namespace

bool is_certain(const Trace& trace, const Operation& op) {
    return is_decided(trace, op.branch) && is_decided(trace, trace.kernels[op.kernel].call_branch);
}

}  // namespace ptofix::trace
