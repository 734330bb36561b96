// Whether an operation is compiled whenever its kernel is, and its kernel as it was traced: what an error needs to be a
// proof. Asked by detectors.
#pragma once

#include "trace/trace.h"

namespace ptofix::trace {

/// False under a condition of Python that could not be decided, in the kernel or in the host code around the call that
/// gave the kernel its shapes. The arms of a device condition are compiled, all of them.
bool is_certain(const Trace& trace, const Operation& op);

}  // namespace ptofix::trace
