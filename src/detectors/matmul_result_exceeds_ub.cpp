// PTO104: a batched matmul over heads whose result a vector operation takes with more heads at once than fit UB. The
// cause is the vec tile, which spans the heads; the cure is to compute fewer heads at a time.
#include <algorithm>
#include <optional>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "hardware/soc.h"
#include "trace/axis_flow.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::detectors {

namespace {

using trace::AxisUse;
using trace::kNone;
using trace::kNoTensor;
using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::SymInt;
using trace::TensorType;
using trace::Trace;

constexpr std::size_t kMatrixAxes = 2;

/// The result of a batched matmul: [..., heads, ..., M, N].
struct Batched {
    OpId op = kNone;
    int axis = 0;
    std::int64_t heads = 0;
    SymInt rows;
    std::int64_t columns = 0;
};

std::optional<Batched> batched_matmul(const Trace& trace, OpId id) {
    const Operation& op = trace.operations[id];
    if (!trace::is(op, Op::matmul) || op.output == kNoTensor) return std::nullopt;
    const TensorType& type = trace.tensors[op.output].type;
    if (!type.rank_known || type.shape.size() <= kMatrixAxes || !type.shape.back().known()) return std::nullopt;
    Batched found;
    found.op = id;
    found.rows = type.shape[type.shape.size() - kMatrixAxes];
    found.columns = type.shape.back().value;
    for (std::size_t i = 0; i + kMatrixAxes < type.shape.size(); ++i) {
        if (!type.shape[i].known()) return std::nullopt;
        if (type.shape[i].value > found.heads) {
            found.heads = type.shape[i].value;
            found.axis = static_cast<int>(i);
        }
    }
    if (found.heads < 2) return std::nullopt;
    return found;
}

class Search {
  public:
    Search(const Trace& trace, const Settings& settings, std::uint32_t kernel, std::vector<rules::Finding>& out)
        : trace_(trace), soc_(settings.soc), limit_(hardware::pools(settings.soc).ub), kernel_(kernel), out_(out) {}

    void run() {
        const std::size_t first = out_.size();
        search();
        std::vector<rules::HeadGroupEvidence> found;
        for (std::size_t i = first; i < out_.size(); ++i) {
            found.push_back(std::get<rules::HeadGroupEvidence>(out_[i].evidence));
        }
        std::ranges::sort(found, {}, [&](const auto& evidence) { return site_of(evidence); });
        for (std::size_t i = first; i < out_.size(); ++i) {
            auto& own = std::get<rules::HeadGroupEvidence>(out_[i].evidence);
            const auto is_earlier = [&](const auto& other) { return site_of(other) < site_of(own); };
            std::ranges::copy_if(found, std::back_inserter(own.found_before), is_earlier);
        }
    }

  private:
    trace::Site site_of(const rules::HeadGroupEvidence& evidence) const {
        return trace_.operations[evidence.matmul].site;
    }

    void search() {
        const trace::KernelTrace& kernel = trace_.kernels[kernel_];
        for (OpId id = kernel.first_op; id < kernel.end_op; ++id) {
            const auto matmul = batched_matmul(trace_, id);
            if (!matmul || is_reported(trace_.operations[id].site)) continue;
            for (const AxisUse& use : trace::follow_axis(trace_, id, matmul->axis)) {
                if (check(*matmul, use)) break;
            }
        }
    }

    bool is_reported(trace::Site matmul) const {
        return std::ranges::any_of(out_, [&](const rules::Finding& f) {
            const auto* e = std::get_if<rules::HeadGroupEvidence>(&f.evidence);
            return e != nullptr && e->kernel == kernel_ && trace_.operations[e->matmul].site == matmul;
        });
    }
    bool consumer_is_reported(OpId consumer) const {
        return std::ranges::any_of(out_, [&](const rules::Finding& f) {
            const auto* e = std::get_if<rules::HeadGroupEvidence>(&f.evidence);
            return e != nullptr && e->kernel == kernel_ &&
                   trace_.operations[e->consumer].site == trace_.operations[consumer].site;
        });
    }

    bool check(const Batched& matmul, const AxisUse& use) {
        const Operation& op = trace_.operations[use.op];
        if (op.engine != trace::Engine::vector) return false;
        const auto tile = trace::known_tile(trace_, op.vec_tile);
        if (!tile || tile->size() <= static_cast<std::size_t>(use.axis)) return false;
        // A buffer may hold the heads of several matmuls.
        const SymInt extent = trace_.tensors[use.tensor].type.shape[static_cast<std::size_t>(use.axis)];
        if (!extent.known()) return false;
        const std::int64_t together = std::min((*tile)[static_cast<std::size_t>(use.axis)], extent.value);
        if (together < 2) return false;  // one head at a time: no matter of heads
        if (const auto bytes = trace::vector_buffers(trace_, op, soc_)) {
            if (bytes->least <= limit_) return false;
            if (!consumer_is_reported(use.op)) report(matmul, use, together, bytes->least, std::nullopt);
            return true;
        }
        if (!matmul.rows.symbolic()) return false;
        const auto rows = first_bad_rows(matmul, op, *tile);
        if (!rows) return false;
        if (!consumer_is_reported(use.op)) report(matmul, use, together, 0, rows);
        return true;
    }

    /// From how many rows on the operation does not fit; nullopt when it always does, or more than M is unknown.
    std::optional<std::int64_t> first_bad_rows(const Batched& matmul, const Operation& op,
                                               const std::vector<std::int64_t>& tile) const {
        const std::int64_t most = *std::ranges::max_element(tile);
        const auto bytes_with = [&](std::int64_t rows) -> std::optional<std::int64_t> {
            const auto bytes = trace::vector_buffers(
                trace_, op, tile,
                [&](trace::TensorId id) {
                    std::optional<std::vector<std::int64_t>> shape;
                    const TensorType& type = trace_.tensors[id].type;
                    if (!type.rank_known) return shape;
                    shape.emplace();
                    for (const SymInt dim : type.shape) {
                        if (!dim.known() && dim != matmul.rows) return std::optional<std::vector<std::int64_t>>{};
                        shape->push_back(dim.known() ? dim.value : rows);
                    }
                    return shape;
                },
                soc_);
            return bytes ? std::optional(bytes->least) : std::nullopt;
        };
        const auto fits = [&](std::int64_t rows) {
            const auto bytes = bytes_with(rows);
            return !bytes || *bytes <= limit_;
        };
        if (most < 1 || fits(most)) return std::nullopt;
        std::int64_t low = 0;  // fits
        std::int64_t high = most;
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (fits(middle) ? low : high) = middle;
        }
        return high;
    }

    void report(const Batched& matmul, const AxisUse& use, std::int64_t together, std::int64_t bytes,
                std::optional<std::int64_t> bad_rows) {
        const Operation& op = trace_.operations[matmul.op];
        const Operation& consumer = trace_.operations[use.op];
        const std::string name(trace::info(consumer.code).name);
        rules::Finding finding;
        finding.rule = "PTO104";
        finding.severity = bad_rows ? rules::Severity::info : rules::Severity::error;
        finding.location = location_of(trace_, op.site);
        finding.message.id = bad_rows ? "PTO104.found.rows_unknown" : "PTO104.found";
        auto& data = finding.message.data;
        data.set("heads", matmul.heads);
        if (bad_rows) {
            data.set("rows", std::string("M"));
        } else {
            data.set("rows", matmul.rows.value);
        }
        data.set("columns", matmul.columns);
        data.set("dtype", std::string(hardware::pypto_name(trace_.tensors[op.output].type.dtype)));
        data.set("tile_heads", together);
        data.set("consumer", name);
        if (bad_rows) {
            data.set("first_bad_rows", *bad_rows);
        } else {
            data.set("bytes", bytes);
        }
        data.set("limit", limit_);
        if (!bad_rows) {
            rules::Text text{"PTO104.related.consumer", {}};
            text.data.set("consumer", name).set("bytes", bytes);
            finding.related.push_back({location_of(trace_, consumer.site), std::move(text)});
        }
        finding.related.push_back(
            {location_of(trace_, trace_.tiles[consumer.vec_tile].call), {"PTO104.related.tile", {}}});
        rules::HeadGroupEvidence evidence;
        evidence.kernel = kernel_;
        evidence.matmul = matmul.op;
        evidence.consumer = use.op;
        evidence.head_axis = matmul.axis;
        evidence.heads = matmul.heads;
        evidence.rows = bad_rows ? 0 : matmul.rows.value;
        evidence.columns = matmul.columns;
        evidence.bytes = bytes;
        evidence.limit = limit_;
        finding.evidence = evidence;
        out_.push_back(std::move(finding));
    }

    const Trace& trace_;
    hardware::Soc soc_;
    std::int64_t limit_;
    std::uint32_t kernel_;
    std::vector<rules::Finding>& out_;
};

}  // namespace

void matmul_result_exceeds_ub(const Trace& trace, const Settings& settings, std::vector<rules::Finding>& out) {
    for (std::uint32_t id = 0; id < trace.kernels.size(); ++id) Search(trace, settings, id, out).run();
}

}  // namespace ptofix::detectors
