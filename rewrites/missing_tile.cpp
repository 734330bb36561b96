// PTO303: inserts a call of set_vec_tile_shapes, fitted to the operations, where none is in force or only the one from
// before a matmul.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rewrites/rewrites.h"
#include "rewrites/tile_insertion.h"

namespace ptofix::rewrites {

rules::Rewrite missing_tile(const rules::Finding& finding, const trace::Trace& trace, const Settings& settings) {
    const auto& evidence = std::get<rules::TileRankEvidence>(finding.evidence);
    rules::Rewrite rewrite;
    auto inserted = insert_vec_tile(trace, evidence.operation, settings.soc);
    if (!inserted) {
        rewrite.blocked = std::move(inserted.error());
        return rewrite;
    }
    rules::Fix fix;
    fix.description.id = "PTO303.fix.insert";
    fix.description.data.set("proposed", fmt::format("({})", fmt::join(inserted->tile, ", ")));
    fix.edits = std::move(inserted->edits);
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
