#include "cli/budget_run.h"

#include <fmt/format.h>

#include "cli/budget_view.h"
#include "cli/problems.h"
#include "cli/shown.h"
#include "cli/traced_inputs.h"
#include "cli/version.h"
#include "report/json.h"

namespace ptofix::cli {

int run_budget(const BudgetCommand& command, Output& out, Output& err) {
    const CheckCommand& what = command.inputs;
    if (const std::string fault = soc_fault(what.soc, what.language); !fault.empty()) {
        err.write(fault);
        return kExitError;
    }
    const report::BudgetTextOptions style{what.language, use_colour(what.colour, out), table_width(out)};
    TracedInputs inputs(what);
    std::vector<report::BudgetReport> reports;
    trace::Project project;
    const std::string folder = current_folder();
    bool first = true;
    const std::vector<Input> files = inputs.read();
    for (const std::string& note : inputs.notes()) err.write(note + "\n");
    for (const Input& input : files) {
        const auto traced = inputs.trace(project, input);
        if (traced == nullptr) continue;
        const std::string& soc = what.soc.empty() ? input.config->soc : what.soc;
        const BudgetViewOptions options{input.path, folder, hardware::soc_of_name(soc).value_or(hardware::Soc::a2a3)};
        report::BudgetReport report = budget_view(*traced, options);
        if (what.format == Format::json) {
            reports.push_back(std::move(report));
            continue;
        }
        // Of many files those that have no kernel are passed over.
        if (report.kernels.empty() && !(what.paths.size() == 1 && what.paths.front() == input.path)) continue;
        if (!first) out.write("\n");
        first = false;
        out.write(report::text_of(report, style));
        if (out.closed()) break;
    }
    if (what.format == Format::json) {
        out.write(report::json_of(kVersion, reports, inputs.problems()));
    } else {
        for (const Problem& problem : inputs.problems()) err.write(fmt::format("pto-fix: {}\n", problem.message));
    }
    return inputs.problems().empty() ? kExitClean : kExitError;
}

}  // namespace ptofix::cli
