// What the options of a kernel say of stitching: read by the rules about stitch_function_max_num.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "trace/trace.h"

namespace ptofix::detectors {

// 128 is the framework's default and the largest number that the rules' reports name; 8 is what they went down to.
inline constexpr std::int64_t kLargeStitchNumber = 128;
inline constexpr std::int64_t kProposedStitchNumber = 8;

struct StitchNumber {
    trace::Value value;       // known to be an integer; without an origin where the default is in force
    bool is_default = false;  // the options do not name it
    bool in_force = false;    // all options are known, and no workspace bound replaces it
    std::int64_t tasks = 1;   // device_sched_parallelism
};

/// Does one of the files call pypto.set_options or its kind? What it sets holds for kernels that say nothing.
bool sets_options(const trace::Trace& trace);

/// nullopt: it is not known. A default is reported only where all options are known. options_are_set: sets_options() of
/// the trace, which looks through all of the files.
std::optional<StitchNumber> stitch_number(const trace::KernelTrace& kernel, bool options_are_set);

/// max_workspace_kb, where the options name a number above zero.
std::optional<std::int64_t> workspace_bound(const trace::KernelTrace& kernel);

}  // namespace ptofix::detectors
