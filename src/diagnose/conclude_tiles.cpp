// FC4000, FC4001, F0000C and F00002 of cube tiles; FC1000, FC1001, FC0000 and F4FFFF of vec tiles: the framework names
// the numbers, the kernel tells the line.
#include <algorithm>

#include "diagnose/case.h"
#include "diagnose/clean_line.h"
#include "diagnose/places.h"
#include "diagnose/shared.h"
#include "diagnose/tie.h"
#include "trace/operations.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;
using Number = std::int64_t;

/// Certain when the kernel shows it at one place, likely when at several.
Confidence confidence_of(const std::vector<TakenFinding>& found) {
    if (found.empty()) return Confidence::possible;
    return found.size() == 1 ? Confidence::certain : Confidence::likely;
}

void cap_at_likely(Verdict& verdict) {
    verdict.confidence = std::min(verdict.confidence, Confidence::likely);
}

struct OperationOf {
    trace::OpId operator()(const rules::CubeTileEvidence& e) const { return e.matmul; }
    trace::OpId operator()(const rules::TileTailEvidence& e) const { return e.operation; }
    trace::OpId operator()(const rules::TileRankEvidence& e) const { return e.operation; }
    trace::OpId operator()(const auto&) const { return trace::kNone; }
};

/// The log names no kernel, and its traceback leads to a refused operation: that kernel is it.
void follow_traceback(const Case& all, std::vector<TakenFinding>& found, Verdict& verdict) {
    if (!verdict.selector.kernels.empty()) return;
    for (const TakenFinding& taken : found) {
        const trace::Trace& trace = *all.analyses[taken.analysis].trace;
        const rules::Finding& finding = taken.diagnosis->finding;
        const trace::OpId op = std::visit(OperationOf{}, finding.evidence);
        const trace::KernelId kernel = kernel_of(finding, trace);
        if (op == trace::kNone || kernel == trace::kNone) continue;
        const rules::Location place = location_of(trace, trace.operations[op].site);
        if (!is_in_traceback(all.log, all.analyses[taken.analysis], place)) continue;
        verdict.selector.kernels = {std::string(trace.kernels[kernel].name)};
        found = findings_of(all, verdict.selector);
        return;
    }
}

void tell_findings(const Case& all, Verdict& verdict, std::string_view no_kernel) {
    std::vector<TakenFinding> found = settle(all, verdict);
    follow_traceback(all, found, verdict);
    // A refusal stops compiling at the first kernel that has it: the others need not have failed.
    if (untie_if_ambiguous(all, found, verdict)) return;
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
    if (refused.operation.empty()) return {"diagnose.vec.rank_unnamed", std::move(data)};
    if (!refused.tile_axes) return {"diagnose.vec.rank_untold", std::move(data)};
    if (refused.tile_axes == 0) {
        return {refused.tensor_axes ? "diagnose.vec.none" : "diagnose.vec.none_untold", std::move(data)};
    }
    return {refused.tensor_axes ? "diagnose.vec.rank" : "diagnose.vec.rank_of_tile", std::move(data)};
}

rules::Text multiple_text(const VecTileRefused& refused, Data data) {
    if (!refused.multiple) return {"diagnose.vec.multiple_untold", std::move(data)};
    if (!refused.axis) return {"diagnose.vec.multiple_of", std::move(data)};
    return {refused.got ? "diagnose.vec.multiple" : "diagnose.vec.multiple_of_axis", std::move(data)};
}

}  // namespace

void conclude_cube_tile(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        const auto* refused = std::get_if<CubeTileRefused>(&all.log.events[i].what);
        if (refused == nullptr) continue;
        done[i] = true;
        Verdict verdict = verdict_of(all, i, Kind::cube_tile);
        verdict.stage = "Prepare";
        const std::string said = shortened(refused->said) + (refused->is_cut ? "..." : "");
        verdict.headline = {refused->said.empty() ? "diagnose.cube.untold" : "diagnose.cube.refused",
                            Data().set("code", verdict.code).set("said", said)};
        verdict.no_use.push_back({"diagnose.no_use.refused", {}});
        verdict.selector.rules = {"PTO103"};
        verdict.selector.about = *refused;
        tell_findings(all, verdict, "diagnose.advice.cube_tile");
        // What the log does not say in full, a refusal that the kernel shows may or may not be.
        if (refused->said.empty() || refused->is_cut) cap_at_likely(verdict);
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
        if (refused->tile_axes) data.set("tile_axes", *refused->tile_axes);
        if (refused->tensor_axes) data.set("axes", *refused->tensor_axes);
        if (refused->axis) data.set("axis", *refused->axis);
        if (refused->multiple) data.set("multiple", *refused->multiple);
        if (refused->got) data.set("got", *refused->got);
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
                verdict.headline = multiple_text(*refused, std::move(data));
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
                break;
        }
        verdict.no_use.push_back({"diagnose.no_use.refused", {}});
        if (refused->fault == Fault::numbers) {
            if (!tell_tile_number(all, *refused, verdict)) {
                const bool is_other = all.has_kernels() && !verdict.selector.nothing;
                if (is_other) verdict.reasons.push_back({"diagnose.tile.not_in_kernel", {}});
                verdict.advice.push_back({"diagnose.advice.tile_numbers", {}});
            }
            out.push_back(std::move(verdict));
            continue;
        }
        verdict.selector.about = *refused;
        tell_findings(all, verdict, advice);
        const bool by_rank = refused->fault == Fault::rank || refused->fault == Fault::missing;
        if (by_rank ? refused->operation.empty() : !refused->multiple && refused->fault == Fault::multiple) {
            cap_at_likely(verdict);
        }
        out.push_back(std::move(verdict));
    }
}

}  // namespace ptofix::diagnose
