#include "fixing/registry.h"

#include <algorithm>
#include <cstdint>

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

constexpr std::string_view kFramework = "pypto";

/// "import pypto" as a statement, or a read of one of the framework's options or types: nothing that a kernel, a device
/// loop or a tile setting could come from. Whatever else the name stands in may give it to another name.
bool is_idle_mention(std::string_view text, std::size_t at, bool sets_tiles) {
    const std::string_view rest = text.substr(at + kFramework.size());
    if (rest.starts_with('.')) {
        std::size_t end = 1;
        while (end < rest.size() && text::is_name_byte(rest[end])) ++end;
        const std::string_view name = rest.substr(1, end - 1);
        return name.starts_with("DT_") || ((name == "options" || name == "set_options") && !sets_tiles);
    }
    return text.substr(0, at).ends_with("import ") && (rest.empty() || rest.front() == '\n' || rest.front() == '\r');
}

bool worth_parsing(std::string_view text) {
    std::size_t mention = text::find_word(text, kFramework);
    if (mention == std::string_view::npos) return false;
    if (text::has_part(text, "pto-fix")) return true;  // comments to the program are read wherever they stand
    // A file is tied to the framework by an import, which holds the word by itself; pypto_pro is another dialect, and
    // most of its files import both. Every rule looks at a kernel, a device loop or a tile setting, and none of these
    // can be written without one of these words: an alias is an import of it.
    const bool sets_tiles = text::has_part(text, "tile_shapes");
    if (!sets_tiles && !text::has_part(text, "jit") && !text::has_word(text, "loop") &&
        !text::has_word(text, "loop_unroll")) {
        return false;
    }
    while (mention != std::string_view::npos && is_idle_mention(text, mention, sets_tiles)) {
        mention = text::find_word(text, kFramework, mention + 1);
    }
    return mention != std::string_view::npos;
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
