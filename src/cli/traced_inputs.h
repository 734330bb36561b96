// The inputs of a command that shows what their kernels hold: read, parsed and traced one by one.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::cli {

class TracedInputs {
  public:
    explicit TracedInputs(const CheckCommand& command) : command_(command) {}

    /// Files, or standard input.
    std::vector<Input> read();
    /// Null when the parser refuses it; then there is a problem. For several threads.
    std::unique_ptr<trace::Trace> trace(trace::Project& project, const Input& input);

    const std::vector<report::Problem>& problems() const { return problems_; }
    /// For standard error: see Inputs.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    std::vector<Input> standard_input();

    const CheckCommand& command_;
    std::mutex mutex_;
    std::vector<report::Problem> problems_;
    std::vector<std::string> notes_;
};

}  // namespace ptofix::cli
