// Takes the casts of a parameter, or another operation that it alone goes through, out of a kernel's text. Where the
// result had a name of its own the parameter takes that name, so the rest of the kernel reads as before; elsewhere each
// cast gives way to what it cast.
#pragma once

#include <string>
#include <vector>

#include "rewrites/parameter_casts.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

struct CastRemoval {
    std::vector<rules::FileEdit> edits;
    std::string parameter;              // the parameter's name afterwards
    std::vector<std::string> comments;  // that stood with the casts; for the place of the conversion
};

/// takes_comments: there is a place for the comments that stand with the casts.
CastRemoval remove_casts(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter,
                         const ParameterCasts& casts, bool takes_comments);

}  // namespace ptofix::rewrites
