// The words for what cannot be read, parsed or written: one message for each kind, in the language of the run.
#pragma once

#include <string>

#include "report/json.h"
#include "rules/catalogue.h"
#include "syntax/tree.h"
#include "text/source.h"
#include "text/write_file.h"

namespace ptofix::cli {

report::Problem problem_of(const std::string& path, const text::LoadError& error, rules::Language language);
report::Problem problem_of(const std::string& path, const text::WriteError& error, rules::Language language);
report::Problem problem_of(const std::string& path, const text::Source& source, const text::EncodeError& error,
                           rules::Language language);
/// `kind` names the message "input.<kind>", which says nothing but the path and `detail`.
report::Problem problem_of(const std::string& path, std::string_view kind, std::string_view detail,
                           rules::Language language);
report::Problem problem_of(const std::string& path, syntax::ParseRefusal refusal, rules::Language language);

/// The line that refuses a chip that is not known; empty when it is, or none was given.
std::string soc_fault(const std::string& soc, rules::Language language);

}  // namespace ptofix::cli
