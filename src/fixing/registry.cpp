#include "fixing/registry.h"

#include <algorithm>

#include "rules/catalogue.h"

namespace ptofix::fixing {

namespace {

struct Stages {
    std::string_view id;
    Detector detector;
    bool reads_other_findings = false;
    std::vector<Rewriter> rewriters;
};

// A rule of the catalogue that is not named here is found from a compile log or by the suppressions.
std::vector<Stages> stages() {
    return {
        {"PTO104", detectors::matmul_result_exceeds_ub, false, {rewrites::head_grouping}},
        {"PTO201", detectors::python_loop_in_kernel, false, {rewrites::batched_matmul, rewrites::pypto_loop}},
        {"PTO202", detectors::unroll_single_jump, false, {rewrites::progressive_unroll}},
        {"PTO205", detectors::stitch_with_heavy_compile, true, {rewrites::runtime_options}},
        {"PTO207", detectors::weight_cast_in_loop, false, {rewrites::host_precompute}},
    };
}

Pipeline build_default() {
    Pipeline pipeline;
    pipeline.trace = trace::trace_file;
    std::vector<Stages> all = stages();
    for (const rules::Rule& rule : rules::catalogue()) {
        RuleEntry entry{rule.id, rule.name};
        const auto found = std::find_if(all.begin(), all.end(), [&](const Stages& s) { return s.id == rule.id; });
        if (found != all.end()) {
            entry.detector = std::move(found->detector);
            entry.reads_other_findings = found->reads_other_findings;
            entry.rewriters = std::move(found->rewriters);
        }
        pipeline.rules.push_back(std::move(entry));
    }
    return pipeline;
}

}  // namespace

const Pipeline& default_pipeline() {
    static const Pipeline pipeline = build_default();
    return pipeline;
}

}  // namespace ptofix::fixing
