// Where a finding points to, and whose memory a tensor is: small questions that several detectors ask the trace.
#pragma once

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::detectors {

/// The whole node.
rules::Location location_of(const trace::Trace& trace, trace::Site site);
/// A compound statement up to the colon before its body; any other node as a whole.
rules::Location header_location(const trace::Trace& trace, trace::Site site);
/// The tensor whose memory this is: follows views and slices to what they are taken from.
trace::TensorId root_of(const trace::Trace& trace, trace::TensorId tensor);

}  // namespace ptofix::detectors
