#include "pipeline.h"

#include "rules/catalogue.h"

namespace rule_tests {

using ptofix::fixing::Pipeline;
using ptofix::fixing::RuleEntry;
namespace detectors = ptofix::detectors;
namespace rewrites = ptofix::rewrites;

namespace {

Pipeline build() {
    Pipeline pipeline;
    pipeline.trace = ptofix::trace::trace_file;
    for (const ptofix::rules::Rule& rule : ptofix::rules::catalogue()) {
        RuleEntry entry{rule.id, rule.name};
#if __has_include("detectors/python_loop_in_kernel.cpp")
        if (rule.id == "PTO201") entry.detector = detectors::python_loop_in_kernel;
#endif
#if __has_include("rewrites/batched_matmul.cpp")
        if (rule.id == "PTO201") entry.rewriters.emplace_back(rewrites::batched_matmul);
#endif
#if __has_include("rewrites/pypto_loop.cpp")
        if (rule.id == "PTO201") entry.rewriters.emplace_back(rewrites::pypto_loop);
#endif
#if __has_include("detectors/unroll_single_jump.cpp")
        if (rule.id == "PTO202") entry.detector = detectors::unroll_single_jump;
#endif
#if __has_include("rewrites/progressive_unroll.cpp")
        if (rule.id == "PTO202") entry.rewriters.emplace_back(rewrites::progressive_unroll);
#endif
#if __has_include("detectors/weight_cast_in_loop.cpp")
        if (rule.id == "PTO207") entry.detector = detectors::weight_cast_in_loop;
#endif
#if __has_include("rewrites/host_precompute.cpp")
        if (rule.id == "PTO207") entry.rewriters.emplace_back(rewrites::host_precompute);
#endif
#if __has_include("detectors/matmul_result_exceeds_ub.cpp")
        if (rule.id == "PTO104") entry.detector = detectors::matmul_result_exceeds_ub;
#endif
#if __has_include("rewrites/head_grouping.cpp")
        if (rule.id == "PTO104") entry.rewriters.emplace_back(rewrites::head_grouping);
#endif
#if __has_include("detectors/stitch_with_heavy_compile.cpp")
        if (rule.id == "PTO205") {
            entry.detector = detectors::stitch_with_heavy_compile;
            entry.reads_other_findings = true;
        }
#endif
#if __has_include("rewrites/runtime_options.cpp")
        if (rule.id == "PTO205") entry.rewriters.emplace_back(rewrites::runtime_options);
#endif
        pipeline.rules.push_back(std::move(entry));
    }
    return pipeline;
}

}  // namespace

const Pipeline& pipeline() {
    static const Pipeline stages = build();
    return stages;
}

}  // namespace rule_tests
