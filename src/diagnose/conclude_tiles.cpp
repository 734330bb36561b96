// FC4000, FC4001, F0000C and F00002 of cube tiles; FC1000, FC1001, FC0000 and F4FFFF of vec tiles: the framework names
// the numbers, the kernel tells the line.
#include <algorithm>

#include "diagnose/case.h"
#include "diagnose/clean_line.h"
#include "diagnose/shared.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;
using Number = std::int64_t;

/// Certain when the kernel shows it at one place, likely when at several.
Confidence confidence_of(const std::vector<TakenFinding>& found) {
    if (found.empty()) return Confidence::possible;
    return found.size() == 1 ? Confidence::certain : Confidence::likely;
}

void tell_findings(const Case& all, Verdict& verdict, std::string_view no_kernel) {
    const std::vector<TakenFinding> found = settle(all, verdict);
    verdict.confidence = confidence_of(found);
    for (const std::string_view rule : verdict.selector.rules) verdict.advice.push_back(direction_of(rule));
    if (!found.empty()) return;
    if (all.has_kernels()) {
        if (!verdict.selector.nothing) verdict.reasons.push_back({"diagnose.tile.not_in_kernel", {}});
        if (no_kernel == "diagnose.advice.cube_tile") no_kernel = "diagnose.advice.cube_tile_given";
    }
    verdict.advice.push_back({no_kernel, {}});
}

rules::Text rank_text(const VecTileRefused& refused, Data data) {
    if (refused.tile_axes == 0) return {"diagnose.vec.none", std::move(data)};
    return {"diagnose.vec.rank", std::move(data)};
}

}  // namespace

void conclude_cube_tile(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        const auto* refused = std::get_if<CubeTileRefused>(&all.log.events[i].what);
        if (refused == nullptr) continue;
        done[i] = true;
        Verdict verdict = verdict_of(all, i, Kind::cube_tile);
        verdict.stage = "Prepare";
        verdict.headline = {"diagnose.cube.refused",
                            Data().set("code", verdict.code).set("said", shortened(refused->said))};
        verdict.no_use.push_back({"diagnose.no_use.refused", {}});
        verdict.selector.rules = {"PTO103"};
        verdict.selector.about = *refused;
        tell_findings(all, verdict, "diagnose.advice.cube_tile");
        out.push_back(std::move(verdict));
    }
}

void conclude_vec_tile(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    using Fault = VecTileRefused::Fault;
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        const auto* refused = std::get_if<VecTileRefused>(&all.log.events[i].what);
        if (refused == nullptr) continue;
        done[i] = true;
        Verdict verdict = verdict_of(all, i, Kind::vec_tile);
        Data data;
        data.set("code", verdict.code).set("operation", refused->operation);
        data.set("tile_axes", refused->tile_axes.value_or(0)).set("axes", refused->tensor_axes.value_or(0));
        data.set("axis", refused->axis.value_or(0)).set("multiple", refused->multiple.value_or(0));
        data.set("got", refused->got.value_or(0));
        std::string_view advice = "diagnose.advice.tile_axes";
        switch (refused->fault) {
            case Fault::rank:
                verdict.headline = rank_text(*refused, std::move(data));
                verdict.pass = "ExpandFunction";
                verdict.stage = "Pass";
                verdict.selector.rules = {"PTO302", "PTO303"};
                break;
            case Fault::missing:
                verdict.headline = {"diagnose.vec.missing", std::move(data)};
                verdict.selector.rules = {"PTO303", "PTO302"};
                break;
            case Fault::multiple:
                verdict.headline = {refused->got ? "diagnose.vec.multiple" : "diagnose.vec.multiple_of",
                                    std::move(data)};
                verdict.selector.rules = {"PTO301"};
                advice = "diagnose.advice.tail";
                break;
            case Fault::bytes:
                verdict.headline = {"diagnose.vec.bytes", std::move(data)};
                verdict.selector.rules = {"PTO301"};
                advice = "diagnose.advice.tail";
                break;
            case Fault::numbers:
                verdict.headline = {"diagnose.vec.numbers", std::move(data)};
                advice = "diagnose.advice.tile_numbers";
                break;
        }
        verdict.no_use.push_back({"diagnose.no_use.refused", {}});
        verdict.selector.about = *refused;
        tell_findings(all, verdict, advice);
        out.push_back(std::move(verdict));
    }
}

}  // namespace ptofix::diagnose
