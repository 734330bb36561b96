// The language server on a pair of descriptors, until the client says `exit`, closes the stream or dies.
#pragma once

#include <string>

#include "rules/catalogue.h"

namespace ptofix::lsp {

/// The exit code: 0 after `shutdown`, else 1.
int serve(int input, int output, rules::Language language, const std::string& version);

}  // namespace ptofix::lsp
