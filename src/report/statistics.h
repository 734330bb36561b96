// --statistics: how often each rule found something, in how many files, and how much of it has a fix.
#pragma once

#include <span>
#include <string>

#include "report/view.h"

namespace ptofix::report {

/// A table, the commonest rule first; empty when nothing was found.
std::string statistics_of(std::span<const FileReport> reports, rules::Language language);

}  // namespace ptofix::report
