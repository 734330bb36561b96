// PTO207: a cast chain of a kernel parameter that stands in a device loop and gives the same in every trip. No pass of
// the compiler moves it out, so each copy of the body expands it again.
#include <algorithm>
#include <optional>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/int8_casts.h"
#include "detectors/places.h"
#include "trace/operations.h"

namespace ptofix::detectors {

namespace {

using hardware::DType;
using trace::Engine;
using trace::KernelTrace;
using trace::kNone;
using trace::kNoTensor;
using trace::LoopId;
using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::SymInt;
using trace::Tensor;
using trace::TensorId;
using trace::Trace;

// The seed's own bound for a weight that is worth the trouble; bias, gamma and scale vectors stay far below it.
constexpr std::int64_t kManyElements = 1'000'000;

struct Chain {
    std::vector<OpId> casts;
    std::uint32_t parameter = kNone;
    LoopId loop = kNone;  // the outermost loop that repeats it without change
};

/// Runtime numbers (an element of a tensor, an unknown argument) may change from trip to trip as far as we know.
bool is_fixed(const Trace& trace, SymInt value) {
    if (value.known()) return true;
    if (!value.symbolic()) return false;
    return std::ranges::all_of(trace.symbols.affine(value).terms, [&](const trace::Affine::Term& term) {
        const trace::Atom& atom = trace.symbols.atom(term.atom);
        switch (atom.kind) {
            case trace::AtomKind::loop_index:
            case trace::AtomKind::dynamic_dim:
            case trace::AtomKind::parameter:
                return true;
            case trace::AtomKind::opaque:
                return false;
        }
        return false;
    });
}

class Search {
  public:
    Search(const Trace& trace, const KernelTrace& kernel, std::uint32_t id, std::vector<rules::Finding>& out)
        : trace_(trace), kernel_(kernel), id_(id), out_(out) {}

    void run() {
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            if (!trace::is(op, Op::cast) || op.input_count == 0) continue;
            if (auto chain = chain_from(id)) report(*chain);
        }
    }

  private:
    const Tensor& tensor(TensorId id) const { return trace_.tensors[id]; }

    /// The chain that begins with this cast of a parameter, or of a part of one that no trip moves.
    std::optional<Chain> chain_from(OpId first) const {
        const Operation& op = trace_.operations[first];
        Chain chain;
        chain.loop = outermost_device_loop(op.loop);
        if (chain.loop == kNone) return std::nullopt;
        TensorId at = trace_.inputs(op)[0];
        while (tensor(at).source == trace::TensorSource::operation && tensor(at).producer != kNone) {
            const Operation& producer = trace_.operations[tensor(at).producer];
            if (producer.input_count == 0) return std::nullopt;
            if (trace::is(producer, Op::cast)) {  // a first step in front of the loop
                if (tensor(at).producer >= trace_.loops[chain.loop].first_op) return std::nullopt;
            } else if (producer.engine != Engine::view || !narrow(chain.loop, op.loop, producer)) {
                return std::nullopt;
            }
            at = trace_.inputs(producer)[0];
        }
        if (tensor(at).source != trace::TensorSource::parameter || tensor(at).parameter == kNone) return std::nullopt;
        chain.parameter = tensor(at).parameter;
        if (written_in(at, chain.loop)) return std::nullopt;
        chain.casts.push_back(first);
        extend(chain);
        return chain;
    }

    /// Follows casts of casts, in the same loop, while nothing else reads what is between them.
    void extend(Chain& chain) const {
        while (true) {
            const OpId last = chain.casts.back();
            std::optional<OpId> next;
            for (OpId id = last + 1; id < kernel_.end_op; ++id) {
                const Operation& op = trace_.operations[id];
                if (std::ranges::find(trace_.inputs(op), trace_.operations[last].output) == trace_.inputs(op).end())
                    continue;
                if (next || !trace::is(op, Op::cast) || op.loop != trace_.operations[last].loop) return;
                next = id;
            }
            if (!next) return;
            chain.casts.push_back(*next);
        }
    }

    LoopId outermost_device_loop(LoopId inner) const {
        LoopId found = kNone;
        for (LoopId id = inner; id != kNone; id = trace_.loops[id].parent) {
            if (trace::is_device(trace_.loops[id].kind)) found = id;
        }
        return found;
    }

    /// Moves `outer` inwards until no loop from it to `inner` moves this view. False when no device loop is left.
    bool narrow(LoopId& outer, LoopId inner, const Operation& view) const {
        std::vector<SymInt> numbers = view.offsets;
        numbers.insert(numbers.end(), view.extent.begin(), view.extent.end());
        if (trace::is(view, Op::view) && view.offsets.empty() && view.extent.empty()) return false;
        for (const SymInt n : numbers) {
            if (!is_fixed(trace_, n)) return false;
        }
        const auto moves = [&](LoopId loop) {
            const trace::AtomId index = trace_.loops[loop].index;
            return index != trace::kNoAtom &&
                   std::ranges::any_of(numbers, [&](SymInt n) { return trace_.symbols.depends_on(n, index); });
        };
        LoopId kept = kNone;
        for (LoopId id = inner; id != kNone; id = trace_.loops[id].parent) {
            if (moves(id)) break;
            if (trace::is_device(trace_.loops[id].kind)) kept = id;
            if (id == outer) break;
        }
        outer = kept;
        return kept != kNone;
    }

    bool written_in(TensorId parameter, LoopId loop) const {
        const trace::Loop& around = trace_.loops[loop];
        for (OpId id = around.first_op; id < around.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            if (op.output != kNoTensor && root_of(trace_, op.output) == parameter && writes(op)) return true;
        }
        return false;
    }

    bool writes(const Operation& op) const { return op.in_place || tensor(op.output).producer != own_id(op); }
    OpId own_id(const Operation& op) const { return static_cast<OpId>(&op - trace_.operations.data()); }

    /// Does the last cast's result become an operand of a matmul, if need be by way of views and transposes?
    bool feeds_matmul(TensorId from) const {
        std::vector<TensorId> reached{from};
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            const bool reads = std::ranges::any_of(
                trace_.inputs(op), [&](TensorId t) { return std::ranges::find(reached, t) != reached.end(); });
            if (!reads) continue;
            if (op.engine == Engine::cube) return true;
            const bool layout = op.engine == Engine::view || trace::is(op, Op::transpose) ||
                                trace::is(op, Op::permute) || trace::is(op, Op::cast);
            if (layout && op.output != kNoTensor) reached.push_back(op.output);
        }
        return false;
    }

    /// Is every reader of the last cast's result a matmul that could take INT8 as it is?
    bool feeds_int8_matmuls_only(TensorId from) const {
        bool any = false;
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const auto inputs = trace_.inputs(trace_.operations[id]);
            if (std::ranges::find(inputs, from) == inputs.end()) continue;
            if (!is_int8_upcast(trace_, trace_.operations[id])) return false;
            any = true;
        }
        return any;
    }

    /// Elements of the operand; the smallest number that they can be when some axes are open.
    std::pair<std::int64_t, bool> elements(const trace::TensorType& type) const {
        if (!type.rank_known) return {0, false};
        std::int64_t product = 1;
        bool known = true;
        for (const SymInt dim : type.shape) {
            known = known && dim.known();
            const auto low = trace_.symbols.bounds(dim).low;
            const std::int64_t at_least = dim.known() ? dim.value : std::max<std::int64_t>(low.value_or(1), 1);
            if (__builtin_mul_overflow(product, at_least, &product)) product = INT64_MAX;
        }
        return {product, known};
    }

    void report(const Chain& chain) {
        const Operation& first = trace_.operations[chain.casts.front()];
        const Operation& last = trace_.operations[chain.casts.back()];
        const Tensor& operand = tensor(trace_.inputs(first)[0]);
        const DType from = operand.type.dtype;
        const DType to = tensor(last.output).type.dtype;
        if (from == DType::unknown || to == DType::unknown) return;
        if (chain.casts.size() == 1 && from == to) return;  // the framework gives the operand itself back
        const auto [count, known] = elements(operand.type);
        const bool large = count > kManyElements;
        if (!large && (known || !feeds_matmul(last.output))) return;
        if (from == DType::int8 && feeds_int8_matmuls_only(last.output)) return;  // PTO105: no cast at all is better

        const trace::KernelParameter& parameter = kernel_.parameters[chain.parameter];
        rules::Finding finding;
        finding.rule = "PTO207";
        finding.severity = large ? rules::Severity::warning : rules::Severity::info;
        finding.location = location_of(trace_, last.site);
        finding.subject = chain.parameter;
        finding.message.id = large ? "PTO207.found" : "PTO207.found.size_unknown";
        auto& data = finding.message.data;
        data.set("parameter", std::string(parameter.name));
        data.set("from", std::string(hardware::pypto_name(from)));
        data.set("to", std::string(hardware::pypto_name(to)));
        if (large) data.set("elements", count);
        data.set("kernel", std::string(kernel_.name));
        finding.related.push_back(
            {header_location(trace_, trace_.loops[chain.loop].site), {"PTO207.related.loop", {}}});
        if (parameter.node != syntax::kNoNode) {
            rules::Text text{"PTO207.related.parameter", {}};
            text.data.set("parameter", std::string(parameter.name));
            finding.related.push_back({location_of(trace_, {kernel_.site.file, parameter.node}), std::move(text)});
        }
        rules::WeightCastEvidence evidence;
        evidence.kernel = id_;
        evidence.loop = chain.loop;
        evidence.chain = chain.casts;
        evidence.parameter = chain.parameter;
        if (known) evidence.elements = count;
        finding.evidence = std::move(evidence);
        // A list walked item by item, or a helper called twice, casts at the same place again.
        for (const rules::Finding& other : out_) {
            const auto* same = std::get_if<rules::WeightCastEvidence>(&other.evidence);
            if (same != nullptr && same->kernel == id_ && same->parameter == chain.parameter) return;
        }
        out_.push_back(std::move(finding));
    }

    const Trace& trace_;
    const KernelTrace& kernel_;
    std::uint32_t id_;
    std::vector<rules::Finding>& out_;
};

}  // namespace

void weight_cast_in_loop(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    for (std::uint32_t id = 0; id < trace.kernels.size(); ++id) {
        const KernelTrace& kernel = trace.kernels[id];
        // What a helper is given by its callers is no kernel parameter for all we know.
        if (!kernel.is_helper) Search(trace, kernel, id, out).run();
    }
}

}  // namespace ptofix::detectors
