// Writes an option into the runtime_options of a kernel that does not name it yet.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// Where the options are written as a dict for this kernel alone; without any, with the decorator or the call that
/// makes the kernel. Blocked: they come from elsewhere.
std::expected<rules::FileEdit, rules::Blocked> add_runtime_option(const trace::Trace& trace,
                                                                  const trace::KernelTrace& kernel,
                                                                  std::string_view key, std::int64_t value);

/// Is this the call that makes the kernel: its decorator, or the jit(options) of jit(options)(function)?
bool makes_kernel(const trace::Trace& trace, const trace::KernelTrace& kernel, trace::Site call);

}  // namespace ptofix::rewrites
