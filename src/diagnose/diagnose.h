// From a log and the kernels that were given with it to verdicts, ordered by cause; and the pipeline that finds and
// fixes what they are about, and nothing else.
#pragma once

#include <memory>
#include <vector>

#include "diagnose/case.h"
#include "diagnose/log.h"
#include "diagnose/verdict.h"
#include "fixing/registry.h"

namespace ptofix::diagnose {

/// Is there anything in the log that a verdict could be about?
bool has_anything(const Log& log);

/// The chip whose memory the log speaks of, told by the limits it prints; nullopt: it says nothing of the kind, or no
/// chip has such limits.
std::optional<hardware::Soc> chip_of(const Log& log);

/// What the analyses that are handed to diagnose() are made with: every rule, and what the log adds to them.
fixing::Pipeline pipeline_for(const Log& log, const std::vector<std::string>& kernels = {});

std::vector<Verdict> diagnose(const Case& all);

/// Finds what the verdicts are about.
fixing::Pipeline pipeline_for(const Log& log, std::vector<Verdict> verdicts, hardware::Soc soc);

/// Which of the verdicts a finding belongs to: the first.
std::optional<std::size_t> verdict_for(const std::vector<Verdict>& verdicts, const rules::Finding& finding,
                                       const trace::Trace& trace, hardware::Soc soc);

}  // namespace ptofix::diagnose
