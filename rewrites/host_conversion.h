// The host side of a converted kernel parameter: the argument is converted in the kernel's only call, or the kernel
// goes behind a wrapper that has its name and parameters. Also the parameter's declared dtype. Used by
// host_precompute and host_elementwise.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hardware/dtype.h"
#include "rewrites/other_files.h"
#include "rules/finding.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// What happens to the parameter on its way into the kernel.
struct Conversion {
    std::uint32_t parameter = 0;           // its position
    std::string steps;                     // behind it: ".to(torch.float16).to(torch.float32)", " * scale"
    std::string before;                    // in front of it: "2 - "
    std::string name;                      // of the parameter afterwards
    std::vector<std::string> comments;     // that stood with the operations that went
    std::optional<std::uint32_t> dropped;  // another parameter, that the kernel no longer has
};

/// The call of the kernel that is provably the only one and stands in a host wrapper, with an argument for the
/// parameter that can be edited in place.
struct OnlyCall {
    trace::Site call;
    trace::Site argument;  // the expression to convert
};
std::optional<OnlyCall> only_call(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter);

/// Arguments are evaluated in order: may a later one of the call change what the argument stands for? Then the kernel
/// sees it changed, and what is computed of it where it stands does not.
bool may_change_in_call(const trace::SourceFile& file, syntax::NodeId call, syntax::NodeId argument);

/// Does a decorator besides the jit see the kernel? It may keep it, or ask for its parameters by their names.
bool is_decorated_twice(const trace::Trace& trace, trace::KernelId kernel);

/// Can other files call the kernel? Not where a function makes it.
bool can_be_imported(const trace::Trace& trace, trace::KernelId kernel);

/// Converts the argument: `w` becomes `w.to(torch.float16).to(torch.float32)`. A keyword follows the parameter's new
/// name.
std::vector<rules::FileEdit> convert_argument(const trace::Trace& trace, const OnlyCall& call, trace::KernelId kernel,
                                              const Conversion& conversion);
/// The same for a call in any file, without the comments.
std::vector<rules::FileEdit> convert_argument(const trace::SourceFile& file, trace::FileId id, syntax::NodeId argument,
                                              std::string_view old_name, const Conversion& conversion);
/// Is there a line above which comments can go to stand with the argument?
bool takes_comments(const trace::Trace& trace, const OnlyCall& call);

/// Why the kernel cannot go behind a wrapper, or nothing; null: the other files are not known.
std::optional<rules::Blocked> wrapper_obstacle(const trace::Trace& trace, trace::KernelId kernel, OtherFiles* others);
/// Renames the kernel and puts a function of its old name and parameters behind it, which converts and calls it.
std::vector<rules::FileEdit> add_wrapper(const trace::Trace& trace, trace::KernelId kernel,
                                         const Conversion& conversion);

/// Declares the parameter with another dtype. Nothing to do where no dtype is declared; nullopt when the declaration
/// cannot be edited for this parameter alone.
std::optional<std::vector<rules::FileEdit>> declare_dtype(const trace::Trace& trace, trace::KernelId kernel,
                                                          std::uint32_t parameter, hardware::DType dtype);

}  // namespace ptofix::rewrites
