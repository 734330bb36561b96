// PTO301: a number of the vec tile that an operation's own check refuses (FC1001, FC1000), or that every operation does
// because it is 0 or less (F0000A); and the rule of thumb that the last axis of a tile is whole blocks of 32 bytes,
// which the compiler keeps by padding everywhere else.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "detectors/tile_ranks.h"
#include "hardware/tile.h"
#include "trace/certainty.h"
#include "trace/operations.h"
#include "trace/tile_checks.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::CheckedMultiple;
using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::Trace;
using Number = std::int64_t;
using By = CheckedMultiple::By;

struct Found {
    OpId operation = 0;
    CheckedMultiple checked;
    bool refused = false;  // else the compiler pads
    bool empty = false;    // the number is 0 or less
    bool certain = false;
    std::set<trace::Site> sites;
};

std::string code_of(By by) {
    switch (by) {
        case By::sort:
        case By::bit_mask:
            return "FC1001";
        case By::online_softmax:
            return "FC1000";
        case By::copy:
            break;
    }
    return "CHECK FAILED";
}

std::string said_of(const CheckedMultiple& checked, Number number, Number bytes) {
    switch (checked.by) {
        case By::sort:
            return fmt::format("The size of the tile shape along axis {} must be a multiple of 32. Got {}.",
                               checked.axis, number);
        case By::bit_mask:
            return "The tileShape of last axis need to 8 align!";
        case By::online_softmax:
            return "ONLINE_SOFTMAX_UPDATE requires vec tile last dim to be FP32 32-byte aligned.";
        case By::copy:
            break;
    }
    return fmt::format(
        "FwkOp tile shape's last dim is not aligned. Creating FwkOp: TILE_REGISTER_COPY, Last dim bytes: {}", bytes);
}

std::string said_of_empty(std::string_view opcode, std::size_t axis, Number number) {
    return fmt::format("Operation: {} Input operand (name: ..)  at dimension[{}] has invalid shape value: {}.", opcode,
                       axis, number);
}

/// The tail of the tile in blocks of 32 bytes, for the narrowest tensor that it cuts; nullopt: nothing is cut.
std::optional<CheckedMultiple> padded(const Trace& trace, const Operation& op, const std::vector<Number>& tile) {
    if (op.engine != trace::Engine::vector || op.output == trace::kNoTensor) return std::nullopt;
    const trace::ShapeRule rule = trace::info(op.code).shape;
    std::vector<trace::TensorId> tensors(trace.inputs(op).begin(), trace.inputs(op).end());
    // A reduction leaves its axis, of one element, and a reshape takes it away.
    if (rule != trace::ShapeRule::reduce || op.keepdim) tensors.push_back(op.output);
    const std::size_t axes = trace.tensors[op.output].type.shape.size();
    std::optional<CheckedMultiple> result;
    for (const trace::TensorId id : tensors) {
        const trace::TensorType& type = trace.tensors[id].type;
        if (!type.shape_known() || type.shape.empty() || type.shape.size() > tile.size()) return std::nullopt;
        // An operand of fewer axes is stretched to those of the result, from the last one on.
        const bool is_stretched =
            rule == trace::ShapeRule::broadcast && type.shape.size() < axes && axes <= tile.size();
        const std::size_t tail = (is_stretched ? axes : type.shape.size()) - 1;
        const Number element = hardware::size_of(type.dtype);
        if (element < 2) continue;  // masks and bytes are cut as what they belong to is
        if (tile[tail] >= type.shape.back().value || tile[tail] * element % hardware::kVectorBlockBytes == 0) continue;
        const Number multiple = hardware::kVectorBlockBytes / element;
        if (!result || result->multiple < multiple) result = CheckedMultiple{By::copy, tail, multiple};
    }
    return result;
}

using Tile = std::optional<std::vector<Number>>;

/// nullopt: not known, or no tile at all.
Tile positive_tile(const Trace& trace, trace::TileId id) {
    Tile tile = trace::known_tile(trace, id);
    if (tile && !std::ranges::all_of(*tile, [](Number n) { return n > 0; })) tile.reset();
    return tile;
}

}  // namespace

void vec_tile_tail(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    std::map<trace::Site, Found> by_call;
    const ReadResults results(trace);
    std::vector<std::optional<Tile>> tiles;  // those that were asked for
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const Operation& op = trace.operations[id];
        if (!trace::works_on_vec_tile(op) || results.is_dropped(id) || trace::may_be_another_tile(trace, op)) continue;
        if (op.vec_tile == kNone) continue;
        std::optional<CheckedMultiple> checked;
        const auto empty = trace::empty_axis(trace, op);
        bool refused = empty.has_value();
        if (empty) {
            checked = CheckedMultiple{.axis = *empty};
        } else {
            if (tiles.empty()) tiles.resize(trace.tiles.size());
            std::optional<Tile>& known = tiles[op.vec_tile];
            if (!known) known = positive_tile(trace, op.vec_tile);
            const Tile& tile = *known;
            if (!tile) continue;
            if (const auto rank = trace::checked_rank(trace, op); rank && rank->axes > tile->size())
                continue;  // PTO302
            checked = trace::checked_multiple(trace, op, tile->size());
            refused = checked && (*tile)[checked->axis] % checked->multiple != 0;
            if (!refused) checked = trace::surplus_axes_multiply(trace, op) ? std::nullopt : padded(trace, op, *tile);
            if (!checked) continue;
        }
        // Of operations without a verifier it is not known what they would do with nothing.
        const bool proven = !empty || trace::checked_rank(trace, op);
        const bool certain = refused && proven && trace::is_certain(trace, op);
        Found& found = by_call[trace.tiles[op.vec_tile].call];
        found.sites.insert(op.site);
        const std::tuple weight(certain, refused, empty.has_value(), checked->multiple);
        if (found.sites.size() > 1 &&
            weight <= std::tuple(found.certain, found.refused, found.empty, found.checked.multiple)) {
            continue;
        }
        found.operation = id;
        found.checked = *checked;
        found.refused = refused;
        found.empty = empty.has_value();
        found.certain = certain;
    }
    for (const auto& [call, found] : by_call) {
        const Operation& op = trace.operations[found.operation];
        const Number number = trace.tiles[op.vec_tile].vec[found.checked.axis].as.i;
        const trace::TensorId operand = op.input_count > 0 ? trace.inputs(op).front() : op.output;
        const hardware::DType dtype = trace.tensors[operand].type.dtype;
        rules::Finding finding;
        finding.rule = "PTO301";
        finding.severity = found.certain ? rules::Severity::error : rules::Severity::info;
        finding.location = location_of(trace, call);
        rules::Text& message = finding.message;
        message.id = found.empty ? "PTO301.found.empty" : found.refused ? "PTO301.found" : "PTO301.found.padded";
        const Number bytes = number * hardware::size_of(dtype);
        message.data.set("operation", std::string(trace::info(op.code).name))
            .set("tile", shown_tile(trace, op.vec_tile))
            .set("axis", static_cast<Number>(found.checked.axis))
            .set("number", number);
        if (!found.empty) message.data.set("multiple", found.checked.multiple);
        if (found.empty) {
            if (const auto rank = trace::checked_rank(trace, op)) {
                message.data.set("code", std::string("F0000A"));
                message.data.set("compiler", said_of_empty(rank->opcode, found.checked.axis, number));
            }
        } else if (found.refused) {
            message.data.set("code", code_of(found.checked.by)).set("compiler", said_of(found.checked, number, bytes));
        }
        rules::Text related{"PTO301.related.operation", {}};
        related.data.set("operation", std::string(trace::info(op.code).name));
        finding.related.push_back({location_of(trace, op.site), std::move(related)});
        finding.evidence = rules::TileTailEvidence{.setting = op.vec_tile,
                                                   .operation = found.operation,
                                                   .axis = static_cast<std::uint32_t>(found.checked.axis),
                                                   .multiple = found.checked.multiple,
                                                   .refused = found.refused};
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
