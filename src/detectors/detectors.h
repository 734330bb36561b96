// The detectors, one file for each family. A detector reads a trace and the options and appends findings; it makes no
// text and knows no rewriter.
#pragma once

#include <string>
#include <vector>

#include "hardware/soc.h"
#include "rules/finding.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::detectors {

struct Settings {
    hardware::Soc soc = hardware::Soc::a2a3;
};

using Detector = void (*)(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);

void cube_tile_relation(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);        // PTO103
void int8_matmul_upcast(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);        // PTO105
void k_tile_exceeds_l0b(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);        // PTO106
void k_tile_exceeds_l1(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);         // PTO107
void cube_tile_exceeds_l0(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);      // PTO108
void python_loop_in_kernel(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);     // PTO201
void unroll_single_jump(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);        // PTO202
void unroll_heavy_body(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);         // PTO203
void unroll_thin_tile(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);          // PTO204
void tile_count_explosion(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);      // PTO206
void weight_cast_in_loop(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);       // PTO207
void matmul_result_exceeds_ub(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);  // PTO104
void stitch_workspace(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);          // PTO208
void compile_cost(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);              // PTO209
void vec_tile_tail(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);             // PTO301
void vec_tile_missing(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);          // PTO303
/// These run after the others: they ask what they found.
void vec_tile_exceeds_ub(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);        // PTO101
void stitch_with_heavy_compile(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);  // PTO205
void vec_tile_rank(const trace::Trace&, const Settings&, std::vector<rules::Finding>& out);              // PTO302

struct LogFacts;  // detectors/log_facts.h
/// These are found from a compile log alone, or by what it adds.
void unroll_accumulates_ub(const trace::Trace&, const LogFacts&, std::vector<rules::Finding>& out);    // PTO102
void stitch_workspace_in_log(const trace::Trace&, const LogFacts&, std::vector<rules::Finding>& out);  // PTO208

}  // namespace ptofix::detectors
