// What a question about a whole workspace is about: the files that a run over its folders would look at, without
// notebooks, whose text is not the one that an editor counts lines in.
#pragma once

#include <string>
#include <vector>

namespace ptofix::lsp {

/// Absolute paths.
std::vector<std::string> python_files(const std::vector<std::string>& roots);

}  // namespace ptofix::lsp
