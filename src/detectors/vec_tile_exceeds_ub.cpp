// PTO101: a vector operation whose buffers under the vec tile in force, clipped to the operands, are more than UB. The
// sums are the compiler's own (trace/vector_buffers.h). Runs after the others: what PTO104 found is not said again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "hardware/soc.h"
#include "hardware/tile.h"
#include "trace/axis_flow.h"
#include "trace/certainty.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::BufferBytes;
using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::StepBuffer;
using trace::TileId;
using trace::Trace;
using trace::VectorStep;
using Number = std::int64_t;

/// The operations under one tile call that do not fit.
struct Overflow {
    OpId worst = kNone;
    Number bytes = 0;
    std::set<trace::Site> sites;
    bool unknown = false;  // whether it is one depends on a shape that is not known
    bool certain = false;  // it is compiled in any case
};

std::string extents_of(const StepBuffer& buffer) {
    return fmt::format("{}", fmt::join(buffer.extent, " x "));
}

std::string shown(const StepBuffer& buffer) {
    return fmt::format("({}) {}", fmt::join(buffer.extent, ", "), hardware::pypto_name(buffer.dtype));
}

/// "128 x 512 x 2 + 128 x 512 x 4": the buffers that the compiler adds up.
std::string formula_of(const VectorStep& step) {
    std::vector<std::string> terms;
    for (const StepBuffer& b : step.inputs)
        terms.push_back(fmt::format("{} x {}", extents_of(b), hardware::size_of(b.dtype)));
    if (step.output_counts()) {
        terms.push_back(fmt::format("{} x {}", extents_of(step.output), hardware::size_of(step.output.dtype)));
    }
    if (step.workspace > 0) terms.push_back(std::to_string(step.workspace));
    return fmt::format("{}", fmt::join(terms, " + "));
}

std::string operands_of(const VectorStep& step) {
    std::vector<std::string> inputs;
    for (const StepBuffer& b : step.inputs) inputs.push_back(shown(b));
    return fmt::format("{} -> {}", fmt::join(inputs, ", "), shown(step.output));
}

/// The compiler's own words: for a buffer that is too large by itself, or for the sum.
std::string said_of(const VectorStep& step, Number bytes, Number limit) {
    for (const StepBuffer& b : step.inputs) {
        if (b.least > limit)
            return fmt::format("Alloc tensor [..] size [{}] exceeds MEM_UB size [{}]!", b.least, limit);
    }
    if (step.output.least > limit) {
        return fmt::format("Alloc tensor [..] size [{}] exceeds MEM_UB size [{}]!", step.output.least, limit);
    }
    return fmt::format("OP {}[..] in/output total size [{}] exceeds MEM_UB size [{}]!", step.name, bytes, limit);
}

class Search {
  public:
    Search(const Trace& trace, hardware::Soc soc, std::vector<rules::Finding>& out)
        : trace_(trace), memory_(trace, soc), limit_(hardware::pools(soc).ub), out_(out) {}

    void run() {
        for (OpId id = 0; id < trace_.operations.size(); ++id) {
            const Operation& op = trace_.operations[id];
            if (op.engine != trace::Engine::vector && op.engine != trace::Engine::create) continue;
            if (op.vec_tile == kNone || fits_anyway(op)) continue;
            look_at(id);
        }
        for (const auto& [call, overflow] : overflows_) report(overflow);
    }

  private:
    /// Whatever the shapes are, can the tile not overflow?
    bool fits_anyway(const Operation& op) {
        if (most_.size() <= op.vec_tile) most_.resize(trace_.tiles.size(), -1);
        Number& most = most_[op.vec_tile];
        if (most < 0) most = most_of(trace_.tiles[op.vec_tile]);
        const Number buffers = static_cast<Number>(op.input_count) + 2;  // the result, and work space
        return hardware::saturating_multiply(most, buffers) <= limit_;
    }

    /// What one buffer may take under the tile: of the widest type, and of any rank, its last axis padded to a block.
    static Number most_of(const trace::TileSetting& tile) {
        constexpr Number kWidest = 8;
        if (!tile.known || tile.engine != trace::TileSetting::Engine::vec) return 0;
        Number most = 0, leading = 1;
        for (const trace::Value& v : tile.vec) {
            const Number extent = std::max<Number>(v.as.i, 1);
            const Number row = std::max(hardware::saturating_multiply(extent, kWidest), hardware::kVectorBlockBytes);
            most = std::max(most, hardware::saturating_multiply(leading, row));
            leading = hardware::saturating_multiply(leading, extent);
        }
        return most;
    }

    void look_at(OpId id) {
        const Operation& op = trace_.operations[id];
        const auto bytes = memory_.bytes(op);
        if (!bytes) return look_at_unknown(id);
        if (!bytes->worst || bytes->least <= limit_ || is_explained(id)) return;
        Overflow& overflow = overflows_[trace_.tiles[op.vec_tile].call];
        if (overflow.unknown) overflow = {};
        overflow.sites.insert(op.site);
        const bool certain = trace::is_certain(trace_, op);
        if (std::pair(certain, bytes->least) <= std::pair(overflow.certain, overflow.bytes)) return;
        overflow.certain = certain;
        overflow.worst = id;
        overflow.bytes = bytes->least;
    }

    /// As if every extent that is not known were at least the tile's.
    std::optional<BufferBytes> bytes_unclipped(const Operation& op) const {
        const auto tile = trace::known_tile(trace_, op.vec_tile);
        if (!tile) return std::nullopt;
        return memory_.bytes(op, *tile, [&](trace::TensorId id) -> std::optional<std::vector<Number>> {
            const trace::TensorType& type = trace_.tensors[id].type;
            if (!type.rank_known || type.shape.size() > tile->size()) return std::nullopt;
            std::vector<Number> shape;
            for (std::size_t i = 0; i < type.shape.size(); ++i) {
                shape.push_back(type.shape[i].known() ? type.shape[i].value : (*tile)[i]);
            }
            return shape;
        });
    }

    void look_at_unknown(OpId id) {
        const Operation& op = trace_.operations[id];
        const auto bytes = bytes_unclipped(op);
        if (!bytes || !bytes->worst || bytes->least <= limit_ || is_explained(id)) return;
        Overflow& overflow = overflows_[trace_.tiles[op.vec_tile].call];
        if (overflow.worst != kNone && !overflow.unknown) return;
        overflow.unknown = true;
        overflow.sites.insert(op.site);
        if (bytes->least <= overflow.bytes) return;
        overflow.worst = id;
        overflow.bytes = bytes->least;
    }

    /// Is it what PTO104 has found: the heads of a matmul, taken all at once?
    bool is_explained(OpId id) {
        if (!explained_) {
            explained_.emplace();
            for (const rules::Finding& f : out_) {
                const auto* heads = std::get_if<rules::HeadGroupEvidence>(&f.evidence);
                if (heads == nullptr) continue;
                for (const trace::AxisUse& use : trace::follow_axis(trace_, heads->matmul, heads->head_axis)) {
                    explained_->insert(trace_.operations[use.op].site);
                }
            }
        }
        return explained_->contains(trace_.operations[id].site);
    }

    void report(const Overflow& overflow) {
        const Operation& op = trace_.operations[overflow.worst];
        const trace::TileSetting& tile = trace_.tiles[op.vec_tile];
        const BufferBytes bytes = overflow.unknown ? *bytes_unclipped(op) : *memory_.bytes(op);
        const VectorStep& step = *bytes.worst;
        rules::Finding finding;
        finding.rule = "PTO101";
        finding.severity = overflow.certain ? rules::Severity::error : rules::Severity::info;
        finding.location = location_of(trace_, tile.call);
        rules::Text& message = finding.message;
        message.id = overflow.unknown            ? "PTO101.found.shape_unknown"
                     : overflow.sites.size() > 1 ? "PTO101.found.several"
                                                 : "PTO101.found";
        rules::Data& data = message.data;
        data.set("operation", std::string(trace::info(op.code).name));
        data.set("tile", *trace::known_tile(trace_, op.vec_tile)).set("bytes", bytes.least).set("limit", limit_);
        data.set("step", std::string(step.name)).set("formula", formula_of(step));
        data.set("operations", static_cast<Number>(overflow.sites.size()));
        if (!overflow.unknown) {
            data.set("operands", operands_of(step)).set("compiler", said_of(step, bytes.least, limit_));
        }
        rules::Text related{overflow.unknown ? "PTO101.related.under_it" : "PTO101.related.operation", {}};
        related.data.set("operation", std::string(trace::info(op.code).name)).set("bytes", bytes.least);
        finding.related.push_back({location_of(trace_, op.site), std::move(related)});
        finding.evidence = rules::VecTileEvidence{
            .setting = op.vec_tile, .operation = overflow.worst, .shape_known = !overflow.unknown};
        out_.push_back(std::move(finding));
    }

    const Trace& trace_;
    trace::VectorMemory memory_;
    Number limit_;
    std::vector<rules::Finding>& out_;
    std::vector<Number> most_;  // by TileId; -1: not asked yet
    std::map<trace::Site, Overflow> overflows_;
    std::optional<std::set<trace::Site>> explained_;
};

}  // namespace

void vec_tile_exceeds_ub(const Trace& trace, const Settings& settings, std::vector<rules::Finding>& out) {
    Search(trace, settings.soc, out).run();
}

}  // namespace ptofix::detectors
