#include "fixing/registry.h"

#include <algorithm>
#include <cstdint>

#include "fixing/analysis.h"
#include "fixing/idle_mentions.h"
#include "rules/catalogue.h"
#include "text/words.h"

namespace ptofix::fixing {

namespace {

// What stands in the kernel; then the tiles, which must fit what is left of it; then unroll lists, whose length follows
// from what a body then costs; at last the workspace. A rule that reads what others found does so before they are gone.
enum Phase : std::uint8_t { kCode, kTiles, kLists, kOptions };

struct Stages {
    std::string_view id;
    Phase phase;
    Detector detector;
    bool reads_other_findings = false;
    std::vector<Rewriter> rewriters;
};

// A rule of the catalogue that is not named here is found from a compile log or by the suppressions.
std::vector<Stages> stages() {
    return {
        {"PTO101", kTiles, detectors::vec_tile_exceeds_ub, true, {rewrites::vec_tile_shapes}},
        {"PTO102", kLists, {}, false, {rewrites::fewer_levels}},
        {"PTO103", kTiles, detectors::cube_tile_relation, false, {rewrites::cube_tile_shapes}},
        {"PTO104", kCode, detectors::matmul_result_exceeds_ub, false, {rewrites::head_grouping}},
        {"PTO105", kCode, detectors::int8_matmul_upcast, false, {rewrites::int8_matmul}},
        {"PTO106", kTiles, detectors::k_tile_exceeds_l0b, false, {rewrites::cube_tile_shapes}},
        {"PTO107", kTiles, detectors::k_tile_exceeds_l1, false, {rewrites::cube_tile_shapes}},
        {"PTO108", kTiles, detectors::cube_tile_exceeds_l0, false, {rewrites::cube_tile_shapes}},
        {"PTO201", kCode, detectors::python_loop_in_kernel, false, {rewrites::batched_matmul, rewrites::pypto_loop}},
        {"PTO202", kLists, detectors::unroll_single_jump, false, {rewrites::progressive_unroll}},
        {"PTO203", kLists, detectors::unroll_heavy_body, false, {rewrites::remove_unroll}},
        {"PTO204", kLists, detectors::unroll_thin_tile, false, {rewrites::thin_tile}},
        {"PTO205", kCode, detectors::stitch_with_heavy_compile, true, {rewrites::runtime_options}},
        {"PTO206", kCode, detectors::tile_count_explosion, false, {rewrites::host_elementwise}},
        {"PTO207", kCode, detectors::weight_cast_in_loop, false, {rewrites::host_precompute}},
        {"PTO208", kOptions, detectors::stitch_workspace, true, {rewrites::stitch_workspace}},
        {"PTO209", kCode, detectors::compile_cost, false, {}},
        {"PTO301", kTiles, detectors::vec_tile_tail, false, {rewrites::tail_multiple}},
        {"PTO302", kTiles, detectors::vec_tile_rank, true, {rewrites::tile_axes}},
        {"PTO303", kTiles, detectors::vec_tile_missing, false, {rewrites::missing_tile}},
    };
}

/// Comments to the program are read wherever they stand.
bool worth_parsing(std::string_view text) {
    return may_hold_kernels(text) || (mentions_pypto(text) && text::has_part(text, "pto-fix"));
}

Pipeline build_default() {
    Pipeline pipeline;
    pipeline.trace = trace::trace_file;
    pipeline.worth_parsing = worth_parsing;
    std::vector<Stages> all = stages();
    for (const rules::Rule& rule : rules::catalogue()) {
        RuleEntry entry{rule.id, rule.name};
        const auto found = std::find_if(all.begin(), all.end(), [&](const Stages& s) { return s.id == rule.id; });
        if (found != all.end()) {
            entry.detector = std::move(found->detector);
            entry.reads_other_findings = found->reads_other_findings;
            entry.rewriters = std::move(found->rewriters);
            entry.phase = found->phase;
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
