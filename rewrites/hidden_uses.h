// Uses of a variable that no identifier shows: its name in a string, and code that finds variables by names which come
// at run time. Where a file has one, who else calls a function of it cannot be told.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "trace/project.h"

namespace ptofix::rewrites {

/// The first place that may reach a variable of the file by one of these names; none where no such place is. What
/// nobody evaluates, a docstring, is passed over, and so is what `__all__` says of its own file.
syntax::NodeId hidden_use(const trace::SourceFile& file, const std::set<std::string>& names, bool all_counts);

/// The first string that says where the name is found: "module.name", "module:name", "from module import name".
syntax::NodeId path_in_string(const trace::SourceFile& file, std::string_view name);

}  // namespace ptofix::rewrites
