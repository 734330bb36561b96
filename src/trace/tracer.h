// The symbolic tracer: executes a file as Python and PyPTO's record mode would, on the syntax tree, and writes down
// what its kernels do. Entry point of everything that asks what a kernel does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::trace {

/// What the user says of a size that the code leaves open: `M = 8`, `x.shape[0] = 16`. What the code tells is stronger.
struct Assumption {
    std::string name;                  // of a variable, or of the tensor
    std::optional<std::int64_t> axis;  // of the tensor's dim; below zero from the end
    std::int64_t value = 0;
    bool operator==(const Assumption&) const = default;
};

struct TraceOptions {
    /// Evaluation steps: a share of each of the module's code, each imported module's, and each kernel's. Who needs
    /// more is traced in part and says so (KernelTrace::complete, Trace::cut_short).
    std::uint32_t step_budget = 400'000;
    /// Steps for one function of host code that nothing calls: a wrapper or test calls its kernel within a few
    /// hundred steps; what goes on for longer prepares data.
    std::uint32_t host_steps = 4'000;
    /// Steps for all kernels, for all imported modules, for all host functions.
    std::uint32_t kernels_budget = 4'000'000;
    std::uint32_t imports_budget = 1'200'000;
    std::uint32_t hosts_budget = 400'000;
    bool keep_unknowns = false;      // fill Trace::unknowns
    bool legacy_frontend = false;    // the config's frontend = "legacy"
    std::vector<Assumption> assume;  // the config's table
};

/// Traces every kernel of the file, in every context its own host code calls it in, and the functions with PyPTO
/// operations that no kernel of the file reaches. Never fails: what can't be followed is unknown in the trace.
std::unique_ptr<Trace> trace_file(Project& project, std::shared_ptr<const SourceFile> file,
                                  const TraceOptions& options);

}  // namespace ptofix::trace
