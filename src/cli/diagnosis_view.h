// A verdict as the report shows it: words in one language, paths as they are shown.
#pragma once

#include <span>
#include <string>

#include "diagnose/case.h"
#include "report/diagnosis_view.h"

namespace ptofix::cli {

/// `folder`: the current one.
report::VerdictView verdict_view(const diagnose::Verdict& verdict, const diagnose::Case& all, const std::string& folder,
                                 rules::Language language);

}  // namespace ptofix::cli
