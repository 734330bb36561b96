// Calls of an attribute of something that no import names: `def run(module): module.kernel(x, w, out)`. Used by
// outer_calls.
#pragma once

#include <functional>
#include <string_view>

#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// May the call reach the kernel? It has as many arguments as the kernel takes, and what it asks for the attribute is
/// neither what an import names (which is followed in another way), nor a class of the file that has a method of that
/// name, nor the `self` of one.
bool may_be_call_of(const trace::KernelTrace& kernel, const trace::SourceFile& file, syntax::NodeId call,
                    const std::function<bool(std::string_view name)>& is_imported);

}  // namespace ptofix::rewrites
