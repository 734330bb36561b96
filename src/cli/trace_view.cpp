#include "cli/trace_view.h"

#include <algorithm>
#include <set>

#include "cli/shown.h"
#include "rules/messages.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/trace_text.h"

namespace ptofix::cli {

namespace {

using report::KernelView;
using report::LoopView;
using report::Number;
using report::OperationView;
using report::Place;
using report::TensorView;
using report::UnknownView;
using rules::Data;
using trace::kNone;
using trace::SymInt;
using trace::Trace;
using trace::Value;

std::string_view engine_name(trace::Engine engine) {
    using trace::Engine;
    switch (engine) {
        case Engine::vector:
            return "vector";
        case Engine::cube:
            return "cube";
        case Engine::movement:
            return "movement";
        case Engine::view:
            return "view";
        case Engine::create:
            return "create";
        case Engine::control:
            return "control";
        case Engine::scalar:
            break;
    }
    return "scalar";
}

class Builder {
  public:
    Builder(const Trace& trace, const TraceViewOptions& options) : trace_(trace), options_(options) {}

    report::TraceReport build() {
        report::TraceReport out;
        out.path = options_.path;
        for (trace::KernelId id = 0; id < trace_.kernels.size(); ++id) out.kernels.push_back(kernel(id));
        if (options_.all_unknowns) out.all_unknowns = all_unknowns();
        return out;
    }

  private:
    std::string words(std::string_view id, Data data = {}) const {
        return rules::render({id, std::move(data)}, options_.language);
    }

    Place place(trace::Site site) const { return place_of(trace_, site, options_.path, options_.current_folder); }

    Number number(SymInt n) const {
        if (n.known()) return {n.value, trace_.symbols.text(n)};
        if (n.unknown()) return {std::nullopt, "?"};
        note(n);
        return {std::nullopt, trace_.symbols.text(n)};
    }
    Number number(const Value& v) const {
        if (v.tag == trace::Tag::unknown) note(v);
        if (v.tag == trace::Tag::tensor) {  // an argument without annotation that no call gives is taken for a tensor
            const trace::Tensor& t = trace_.tensors[v.as.tensor];
            add({place(t.site), std::string(t.name), words("trace.why.parameter")});
        }
        return number(v.sym());
    }

    TensorView tensor(trace::TensorId id) const {
        const trace::Tensor& t = trace_.tensors[id];
        TensorView out;
        out.name = t.name;
        out.rank_known = t.type.rank_known;
        for (const SymInt dim : t.type.shape) out.shape.push_back(number(dim));
        out.dtype = hardware::pypto_name(t.type.dtype);
        return out;
    }

    report::TileView tile(trace::TileId id) const {
        const trace::TileSetting& t = trace_.tiles[id];
        report::TileView out = tile_view(t, [&](const Value& v) { return number(v); });
        if (is_set_by_call(trace_, t)) out.set_at = place(t.call);
        return out;
    }

    OperationView operation(const trace::Operation& op, const trace::KernelTrace& kernel) const {
        OperationView out;
        out.place = place(op.site);
        out.name = trace::info(op.code).name;
        out.engine = engine_name(op.engine);
        for (const trace::TensorId id : trace_.inputs(op)) out.operands.push_back(tensor(id));
        if (op.output != trace::kNoTensor) {
            out.result = tensor(op.output);
            if (!out.result->rank_known) shape_unknown(op);
        }
        if (op.engine == trace::Engine::cube) {
            if (op.cube_tile != kNone) out.tile = tile(op.cube_tile);
        } else if (op.engine != trace::Engine::view && op.engine != trace::Engine::scalar && op.vec_tile != kNone) {
            out.tile = tile(op.vec_tile);
        }
        if (op.loop != kNone && op.loop >= kernel.first_loop) out.loop = op.loop - kernel.first_loop;
        return out;
    }

    LoopView loop(trace::LoopId id, const trace::KernelTrace& kernel) const {
        const trace::Loop& l = trace_.loops[id];
        LoopView out;
        if (l.parent != kNone && l.parent >= kernel.first_loop) out.parent = l.parent - kernel.first_loop;
        out.kind = trace::loop_name(l.kind);
        out.place = place(l.site);
        if (l.index != trace::kNoAtom) out.index = trace_.symbols.atom(l.index).name;
        out.trips = number(l.trips);
        out.unroll = l.unroll;
        out.unroll_known = l.unroll_known || !trace::is_device(l.kind);
        if (!out.unroll_known && l.spec != nullptr && l.spec->unroll_given) note(l.spec->unroll_list);
        out.first = l.first_op - kernel.first_op;
        out.end = l.end_op - kernel.first_op;
        return out;
    }

    KernelView kernel(trace::KernelId id) {
        const trace::KernelTrace& k = trace_.kernels[id];
        notes_.clear();
        noted_.clear();
        KernelView out;
        out.name = k.name;
        out.is_helper = k.is_helper;
        out.place = place(k.site);
        here_ = out.place;
        if (k.call.known()) out.call = place(k.call);
        out.legacy_frontend = k.legacy_frontend;
        out.complete = k.complete;
        for (const trace::KernelParameter& p : k.parameters) {
            report::ParameterView view{std::string(p.name), {}, {}};
            if (p.value.tag == trace::Tag::tensor) {
                view.tensor = tensor(p.value.as.tensor);
                view.tensor->name.clear();
            } else {
                view.value = trace::value_text(trace_, p.value);
            }
            out.parameters.push_back(std::move(view));
        }
        for (trace::LoopId l = k.first_loop; l < k.end_loop; ++l) out.loops.push_back(loop(l, k));
        for (trace::OpId o = k.first_op; o < k.end_op; ++o) {
            here_ = place(trace_.operations[o].site);
            out.operations.push_back(operation(trace_.operations[o], k));
        }
        out.unknowns = std::move(notes_);
        return out;
    }

    /// Remembers once a kernel why something that is shown is not known.
    void add(UnknownView unknown) const {
        if (noted_.insert({unknown.what, unknown.why}).second) notes_.push_back(std::move(unknown));
    }
    void note(const Value& v) const {
        if (v.tag != trace::Tag::unknown || v.as.reason == nullptr || !v.as.reason->site.known()) return;
        add({place(v.as.reason->site), v.as.reason->detail,
             reason_text(v.as.reason->why, v.as.reason->detail, options_.language)});
    }
    void note(SymInt value, int depth = 0) const {
        constexpr int kMaxDepth = 6;
        if (!value.symbolic() || depth > kMaxDepth) return;
        for (const trace::Affine::Term& term : trace_.symbols.affine(value).terms) {
            const trace::Atom& atom = trace_.symbols.atom(term.atom);
            switch (atom.kind) {
                case trace::AtomKind::loop_index:
                    break;
                case trace::AtomKind::dynamic_dim:
                    add({here_, atom.name, words("trace.why.dynamic_dim")});
                    break;
                case trace::AtomKind::parameter:
                    add({here_, atom.name, words("trace.why.parameter")});
                    break;
                case trace::AtomKind::opaque:
                    note(atom.left, depth + 1);
                    note(atom.right, depth + 1);
                    break;
            }
        }
    }
    void shape_unknown(const trace::Operation& op) const {
        for (const trace::TensorId id : trace_.inputs(op)) {
            if (!trace_.tensors[id].type.rank_known) return;  // said where it comes from
        }
        add({place(op.site), std::string(trace::info(op.code).name), words("trace.why.shape")});
    }

    std::vector<UnknownView> all_unknowns() const {
        std::vector<UnknownView> out;
        std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::string>> seen;
        for (const trace::Unknown& u : trace_.unknowns) {
            if (!u.site.known()) continue;
            UnknownView view{place(u.site), u.detail, reason_text(u.why, u.detail, options_.language)};
            if (!seen.insert({view.place.path, view.place.cell, view.place.line, view.place.column, view.why}).second)
                continue;
            out.push_back(std::move(view));
        }
        std::ranges::stable_sort(
            out, {}, [](const UnknownView& u) { return std::tie(u.place.path, u.place.cell, u.place.line); });
        return out;
    }

    const Trace& trace_;
    const TraceViewOptions& options_;
    Place here_;
    mutable std::vector<UnknownView> notes_;
    mutable std::set<std::pair<std::string, std::string>> noted_;
};

}  // namespace

report::TraceReport view_of(const Trace& trace, const TraceViewOptions& options) {
    return Builder(trace, options).build();
}

}  // namespace ptofix::cli
