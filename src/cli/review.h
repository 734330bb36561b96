// --review: shows each fix and asks for it, as `git add -p` does. Questions go to stderr, answers come from standard
// input, a line each.
#pragma once

#include <memory>

#include "cli/options.h"
#include "cli/output.h"
#include "fixing/review.h"

namespace ptofix::cli {

/// The end of the input is an answer too: nothing more.
std::unique_ptr<fixing::Reviewer> make_reviewer(const CheckCommand& command, Output& err);

}  // namespace ptofix::cli
