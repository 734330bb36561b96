#include "diagnose/selector.h"

#include <algorithm>

#include "diagnose/buffer_match.h"
#include "diagnose/places.h"

namespace ptofix::diagnose {

namespace {

using trace::kNone;

}  // namespace

Selection::Selection(const Selector& selector, const trace::Trace& trace, hardware::Soc soc)
    : selector_(selector), trace_(trace) {
    if (const auto* overflow = std::get_if<PoolOverflow>(&selector.about)) {
        for (const BufferMatch& match : find_buffers(trace, *overflow, soc, selector.kernels).matches) {
            const trace::Site call = match.tile == kNone ? trace::Site{} : trace.tiles[match.tile].call;
            buffers_.push_back({trace.operations[match.op].site, call});
        }
    }
    if (const auto* function = std::get_if<FunctionName>(&selector.about)) loops_ = loops_named(trace, *function);
}

bool Selection::takes(const rules::Finding& finding) const {
    if (selector_.nothing) return false;
    if (std::ranges::find(selector_.rules, finding.rule) == selector_.rules.end()) return false;
    const trace::KernelId kernel = kernel_of(finding, trace_);
    if (!selector_.kernels.empty() && kernel != kNone &&
        std::ranges::find(selector_.kernels, trace_.kernels[kernel].name) == selector_.kernels.end()) {
        return false;
    }
    return is_about(finding);
}

bool Selection::is_about(const rules::Finding& finding) const {
    if (std::holds_alternative<PoolOverflow>(selector_.about)) return is_about_buffer(finding);
    if (const auto* refused = std::get_if<CubeTileRefused>(&selector_.about))
        return is_about_cube_tile(*refused, finding);
    if (const auto* refused = std::get_if<VecTileRefused>(&selector_.about))
        return is_about_vec_tile(*refused, finding);
    if (loops_.empty()) return !selector_.loop_is_given;
    const trace::LoopId loop = loop_of(finding, trace_);
    // What belongs to no loop belongs to the kernel as a whole.
    return loop == kNone || is_near(trace_, loop, loops_);
}

bool Selection::is_about_buffer(const rules::Finding& finding) const {
    if (std::holds_alternative<rules::UnrollSumEvidence>(finding.evidence)) return true;
    const auto is_op = [&](trace::OpId op) {
        return op != kNone && std::ranges::any_of(buffers_, [&](const Buffer& buffer) {
                   return buffer.operation == trace_.operations[op].site;
               });
    };
    const auto is_tile = [&](trace::TileId tile) {
        return tile != kNone && std::ranges::any_of(buffers_, [&](const Buffer& buffer) {
                   return buffer.tile_call.known() && buffer.tile_call == trace_.tiles[tile].call;
               });
    };
    if (const auto* e = std::get_if<rules::VecTileEvidence>(&finding.evidence)) return is_tile(e->setting);
    if (const auto* e = std::get_if<rules::CubeTileEvidence>(&finding.evidence)) return is_tile(e->setting);
    if (const auto* e = std::get_if<rules::HeadGroupEvidence>(&finding.evidence)) {
        return is_op(e->consumer) || is_tile(trace_.operations[e->consumer].vec_tile);
    }
    if (const auto* e = std::get_if<rules::Int8MatmulEvidence>(&finding.evidence)) {
        return is_op(e->matmul) || std::ranges::any_of(e->a_casts, is_op) || std::ranges::any_of(e->b_casts, is_op);
    }
    return false;
}

bool Selection::is_about_cube_tile(const CubeTileRefused& refused, const rules::Finding& finding) const {
    const auto* evidence = std::get_if<rules::CubeTileEvidence>(&finding.evidence);
    if (evidence == nullptr) return false;
    const std::string_view said = plain_sentence(refused.said);
    const auto is_said = [&](std::string_view ours) {
        return said.starts_with(ours) || (refused.is_cut && ours.starts_with(said));
    };
    const rules::DataValue* compiler = finding.message.data.find("compiler");
    const auto* words = compiler == nullptr ? nullptr : std::get_if<std::string>(compiler);
    if (words != nullptr && is_said(plain_sentence(*words))) return true;
    const trace::Site call = trace_.tiles[evidence->setting].call;
    return std::ranges::any_of(cube_refusals(trace_), [&](const CubeRefusal& refusal) {
        return refusal.call == call && is_said(plain_sentence(refusal.said));
    });
}

bool Selection::is_about_vec_tile(const VecTileRefused& refused, const rules::Finding& finding) const {
    trace::OpId op = kNone;
    if (const auto* rank = std::get_if<rules::TileRankEvidence>(&finding.evidence)) {
        if (!rank->refused || refused.fault == VecTileRefused::Fault::multiple) return false;
        if (refused.tensor_axes && static_cast<std::int64_t>(rank->axes) < *refused.tensor_axes) return false;
        op = rank->operation;
    } else if (const auto* tail = std::get_if<rules::TileTailEvidence>(&finding.evidence)) {
        if (!tail->refused || refused.fault == VecTileRefused::Fault::rank) return false;
        if (refused.fault == VecTileRefused::Fault::numbers) {
            const trace::Value& number = trace_.tiles[tail->setting].vec[tail->axis];
            if (number.tag != trace::Tag::integer || number.as.i > 0) return false;
            if (refused.got && *refused.got != number.as.i) return false;
        }
        if (refused.multiple && *refused.multiple != tail->multiple) return false;
        if (refused.axis && *refused.axis != static_cast<std::int64_t>(tail->axis)) return false;
        op = tail->operation;
    } else {
        return false;
    }
    return may_be_named(trace_, op, refused.operation);
}

}  // namespace ptofix::diagnose
