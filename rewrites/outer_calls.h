// The calls of a kernel in the files of a run: by the name that an import gives it, by its module's name, and through
// packages that hand it on. For fixes that change what the kernel takes.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rewrites/other_files.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// Why a fix that edits the calls is not safe: there may be others.
inline constexpr std::string_view kUnseenCallers = "blocked.unseen_callers";

struct OuterCall {
    std::shared_ptr<const trace::SourceFile> file;
    trace::FileId id = 0;
    syntax::NodeId call = 0;
};

struct OuterCalls {
    std::vector<OuterCall> calls;  // of every file of the run, the kernel's own included
    bool elsewhere = false;        // another file knows the kernel
    bool in_wrapper = false;       // one of them stands in a function that others call in the kernel's place
    /// A place that uses it in a way that no edit of an argument serves, or a file that may.
    std::optional<rules::Blocked> obstacle;
};

/// Null where no other file of the run knows the kernel, or no other file can, or the files are not known.
std::optional<OuterCalls> outer_calls(const trace::Trace& trace, trace::KernelId kernel, OtherFiles* others);

/// What the call hands over for a parameter; none when that can't be told.
syntax::NodeId argument_of(const OuterCall& call, const trace::KernelTrace& kernel, std::uint32_t parameter);

/// A call that does not show the argument is an obstacle.
void require_argument(OuterCalls& calls, const trace::KernelTrace& kernel, std::uint32_t parameter);

}  // namespace ptofix::rewrites
