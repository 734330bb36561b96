// A budget as the report shows it: places as paths and lines, sizes as text.
#pragma once

#include <string>

#include "budget/budget.h"
#include "report/budget_view.h"
#include "trace/trace.h"

namespace ptofix::cli {

struct BudgetViewOptions {
    std::string path;            // of the analysed file, as it is shown
    std::string current_folder;  // other files are shown relative to it
    hardware::Soc soc = hardware::Soc::a2a3;
};

/// Counts the budgets of the trace's kernels; the trace is given back as it was.
report::BudgetReport budget_view(trace::Trace& trace, const BudgetViewOptions& options);

}  // namespace ptofix::cli
