// `from module import *` and the name of another module: which of the two a name stands for, and what an import that an
// edit adds hands on to those who take all that the file has.
#pragma once

#include <string_view>

#include "rewrites/other_files.h"
#include "trace/project.h"

namespace ptofix::rewrites {

/// May the name by which the file knows the module, or will by require_module(), be given another meaning by a star, or
/// give one to a file that takes all of this one? Without the other files every star may.
bool may_clash_with_star(const trace::SourceFile& file, std::string_view module, OtherFiles* others);

}  // namespace ptofix::rewrites
