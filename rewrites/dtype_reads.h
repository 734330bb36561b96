// Does a kernel ask for the dtype of one of its tensor parameters, by any name, or in a function that it calls? Asked
// by parameter_casts: what the kernel does with the answer would change with the declared dtype.
#pragma once

#include <span>
#include <string_view>

#include "trace/trace.h"

namespace ptofix::rewrites {

class DTypeReads {
  public:
    /// `raw`: the parameter's tensor and the views of it.
    DTypeReads(const trace::Trace& trace, const trace::KernelTrace& kernel, std::string_view parameter,
               std::span<const trace::TensorId> raw)
        : trace_(trace), kernel_(kernel), parameter_(parameter), raw_(raw) {}

    /// The first place where the dtype that is read may be the parameter's; unknown when there is none.
    trace::Site find() const;

  private:
    trace::Site in_kernel() const;
    trace::Site in_helpers() const;
    bool may_be_parameter(syntax::NodeId expression, int depth = 0) const;
    bool name_may_be_parameter(syntax::NodeId identifier, int depth) const;

    const trace::Trace& trace_;
    const trace::KernelTrace& kernel_;
    std::string_view parameter_;
    std::span<const trace::TensorId> raw_;
};

}  // namespace ptofix::rewrites
