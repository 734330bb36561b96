// What each finding's fix would do to its kernel, counted as `pto-fix budget` counts: by tracing the text with and
// without the fix. For reports that show it; it costs a trace for as many fixes as one
// kernel has, and one for each fix that reaches beyond its kernel.
#pragma once

#include <span>
#include <vector>

#include "cli/engine.h"
#include "report/estimate_view.h"
#include "report/view.h"

namespace ptofix::cli {

/// By report and finding. `inputs` have the configurations.
std::vector<report::EstimatesOfFile> estimates_of(std::span<const report::FileReport> reports,
                                                  std::span<const Input> inputs, const EngineOptions& options);

}  // namespace ptofix::cli
