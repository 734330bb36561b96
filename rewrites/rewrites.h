// The rewriters, one file each. A rewriter is a function from a finding's evidence and the trace it came from to edits
// on the original text, or the reason why there are none. It never detects.
#pragma once

#include "hardware/soc.h"
#include "rules/finding.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

class OtherFiles;

struct Settings {
    hardware::Soc soc = hardware::Soc::a2a3;
    OtherFiles* others = nullptr;  // the files of the run, where they are known
    bool edit_callers = false;     // in these files, if all that they show can be edited: others may call, too
};

using Rewriter = rules::Rewrite (*)(const rules::Finding&, const trace::Trace&, const Settings&);

rules::Rewrite batched_matmul(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite pypto_loop(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite progressive_unroll(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite fewer_levels(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite remove_unroll(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite thin_tile(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite stitch_workspace(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite host_elementwise(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite larger_tile(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite runtime_options(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite host_precompute(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite vec_tile_shapes(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite int8_matmul(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite cube_tile_shapes(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite head_grouping(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite tail_multiple(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite tile_axes(const rules::Finding&, const trace::Trace&, const Settings&);
rules::Rewrite missing_tile(const rules::Finding&, const trace::Trace&, const Settings&);

}  // namespace ptofix::rewrites
