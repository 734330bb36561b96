// A log and the kernels that were given with it, analysed by every rule. Read by what concludes verdicts from them.
#pragma once

#include <span>

#include "diagnose/log.h"
#include "diagnose/verdict.h"
#include "fixing/analysis.h"
#include "hardware/soc.h"

namespace ptofix::diagnose {

struct Case {
    const Log& log;
    std::span<const fixing::Analysis> analyses;
    hardware::Soc soc = hardware::Soc::a2a3;

    bool has_kernels() const {
        for (const fixing::Analysis& analysis : analyses) {
            if (analysis.trace == nullptr) continue;
            for (const trace::KernelTrace& kernel : analysis.trace->kernels) {
                if (kernel.first_op != kernel.end_op) return true;
            }
        }
        return false;
    }
};

/// The failed kernels of the log that are among the given ones, by name; empty: it names none of them.
std::vector<std::string> failed_kernels(const Case& all);

// One verdict or more for each kind of message; `done` marks the events that were taken.
void conclude_cube_tile(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);
void conclude_vec_tile(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);
void conclude_call(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);
void conclude_memory(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);
void conclude_compile_time(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);
void conclude_workspace(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);
void conclude_other(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out);

}  // namespace ptofix::diagnose
