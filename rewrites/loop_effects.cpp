// What a loop's body does to tensors that are older than the trip: the trips must not depend on one another.
#include <algorithm>
#include <map>

#include "rewrites/loop_checks.h"
#include "rewrites/slice_length.h"
#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Affine;
using trace::Atom;
using trace::AtomId;
using trace::AtomKind;
using trace::Bounds;
using trace::Engine;
using trace::Frame;
using trace::FrameId;
using trace::info;
using trace::is;
using trace::KernelTrace;
using trace::kNone;
using trace::kNoTensor;
using trace::Loop;
using trace::LoopId;
using trace::Op;
using trace::OpaqueOp;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::SourceFile;
using trace::Symbols;
using trace::SymInt;
using trace::Tag;
using trace::Tensor;
using trace::TensorId;
using trace::TensorSource;
using trace::TileId;
using trace::TileSetting;
using trace::Trace;
using trace::Value;

/// A part of a tensor: where it starts on each axis and how long it is. Empty: not known.
struct Part {
    TensorId root = kNoTensor;
    std::vector<SymInt> offsets, extent;
};

/// An offset as this loop sees it: coefficient * index + fixed + something within [low, high] that changes within a
/// trip.
struct Offset {
    std::int64_t coefficient = 0;
    SymInt fixed;
    std::int64_t low = 0, high = 0;
};

class Effects {
  public:
    Effects(const Trace& trace, LoopId id) : trace_(trace), id_(id), loop_(trace.loops[id]), symbols_(trace.symbols) {
        const SourceFile& file = *trace.files[loop_.site.file];
        for (const Frame& frame : trace.frames) {
            if (frame.parent != loop_.frame || frame.function == nullptr || !frame.call.known()) continue;
            const bool inside =
                frame.call.file == loop_.site.file && file.tree.is_inside(frame.call.node, loop_.site.node);
            (inside ? called_inside_ : called_outside_).push_back(frame.function->site);
        }
        for (OpId at = trace.kernels[loop_.kernel].first_op; at < loop_.first_op; ++at)
            note_older(trace.operations[at]);
    }

    std::optional<Blocked> writes() {
        std::map<TensorId, std::vector<const Operation*>> written;
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            if (!writes(op)) continue;
            const TensorId target = target_of(op);
            if (target == kNoTensor) {
                return blocked_at(trace_, "blocked.not_followed", op.site, "what", shown(trace_, op.site));
            }
            const TensorId root = root_of(target);
            if (!made_inside(root)) written[root].push_back(&op);
        }
        for (const auto& [root, ops] : written) {
            if (!disjoint(ops)) {
                return blocked_at(trace_, "PTO201.blocked.writes_overlap", ops.front()->site, "name", name_of(root));
            }
        }
        if (written.empty()) return std::nullopt;
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            for (TensorId input : trace_.inputs(op)) {
                const TensorId root = root_of(input);
                if (trace_.tensors[root].source == TensorSource::unknown) {
                    return blocked_at(trace_, "blocked.not_followed", op.site, "what", shown(trace_, op.site));
                }
                if (written.contains(root)) {
                    return blocked_at(trace_, "PTO201.blocked.reads_what_it_writes", op.site, "name", name_of(root));
                }
            }
        }
        return std::nullopt;
    }

    /// Buffers of the kernel that the loop fills and later operations read.
    std::optional<Blocked> buffers_read_later() {
        std::vector<TensorId> filled;
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            if (!writes(op)) continue;
            const TensorId root = root_of(target_of(op));
            if (!made_inside(root)) filled.push_back(root);
        }
        const OpId end = trace_.kernels[loop_.kernel].end_op;
        for (OpId at = loop_.end_op; at < end; ++at) {
            const Operation& op = trace_.operations[at];
            for (TensorId input : trace_.inputs(op)) {
                const TensorId root = root_of(input);
                if (std::ranges::find(filled, root) == filled.end()) continue;
                return blocked_at(trace_, "PTO201.blocked.buffer_read_later", op.site, "name", name_of(root));
            }
        }
        return std::nullopt;
    }

    std::optional<Blocked> negative_subscripts() {
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            const SourceFile& file = *trace_.files[op.site.file];
            if (file.tree.kind(op.site.node) != Kind::subscript) continue;
            for (SymInt offset : op.offsets) {
                if (!offset.symbolic() || !symbols_.depends_on(offset, loop_.index)) continue;
                const Bounds bounds = symbols_.bounds(offset);
                if (bounds.low && *bounds.low >= 0 && !negates(file, op.site.node)) continue;
                return blocked_at(trace_, "PTO201.blocked.negative_index", op.site);
            }
        }
        return std::nullopt;
    }

    /// The index among an operation's numbers: only places may be given by one that is known at run time.
    std::optional<Blocked> index_operands() const {
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            for (const auto& [name, value] : op.arguments) {
                if (name == "offsets" || name == "valid_shape" || value.tag != Tag::symbol) continue;
                if (!symbols_.depends_on(value.sym(), loop_.index)) continue;
                return blocked_at(trace_, "PTO201.blocked.index_as_operand", op.site, "name",
                                  std::string(info(op.code).name));
            }
        }
        return std::nullopt;
    }

    /// Slices whose length PyPTO may not see to be a number.
    std::optional<Blocked> uncertain_slices() const {
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            const SourceFile& file = *trace_.files[op.site.file];
            if (!is(op, Op::view) || file.tree.kind(op.site.node) != Kind::subscript) continue;
            std::vector<NodeId> keys;
            bool by_axis = true;  // without ...
            for (NodeId key : file.tree.children(op.site.node)) {
                if (file.tree[key].field != syntax::Field::subscript) continue;
                by_axis = by_axis && file.tree.kind(key) != Kind::ellipsis;
                keys.push_back(key);
            }
            for (std::size_t i = 0; i < keys.size(); ++i) {
                if (file.tree.kind(keys[i]) != Kind::slice) continue;
                const auto depends = [&](SymInt o) { return o.symbolic() && symbols_.depends_on(o, loop_.index); };
                const bool concerned = by_axis ? i < op.offsets.size() && depends(op.offsets[i])
                                               : std::ranges::any_of(op.offsets, depends);
                if (concerned && !has_plain_length(file, keys[i])) {
                    return blocked_at(trace_, "PTO201.blocked.slice_length", {op.site.file, keys[i]});
                }
            }
        }
        return std::nullopt;
    }

  private:
    static bool writes(const Operation& op) { return op.in_place || !info(op.code).written.empty(); }
    static TensorId target_of(const Operation& op) {
        if (op.in_place) return op.output;
        const std::string_view parameter = info(op.code).written;
        for (const auto& [name, value] : op.arguments) {
            if (name == parameter) return value.tag == Tag::tensor ? value.as.tensor : kNoTensor;
        }
        return kNoTensor;
    }

    void note_older(const Operation& op) {
        const auto note = [&](TensorId t) {
            if (t != kNoTensor) newest_older_ = newest_older_ == kNoTensor ? t : std::max(newest_older_, t);
        };
        for (TensorId t : trace_.inputs(op)) note(t);
        note(op.output);
    }

    TensorId root_of(TensorId t) const {
        while (trace_.tensors[t].base != kNoTensor) t = trace_.tensors[t].base;
        return t;
    }

    /// Does each trip make this tensor anew?
    bool made_inside(TensorId root) const {
        const Tensor& tensor = trace_.tensors[root];
        if (tensor.source == TensorSource::operation)
            return tensor.producer >= loop_.first_op && tensor.producer < loop_.end_op;
        if (tensor.source != TensorSource::buffer) return false;
        if (newest_older_ != kNoTensor && root <= newest_older_) return false;
        if (!tensor.site.known()) return false;
        const syntax::Tree& tree = trace_.files[tensor.site.file]->tree;
        if (tensor.site.file == loop_.site.file && tree.is_inside(tensor.site.node, loop_.site.node)) return true;
        // In a function that the body calls, and that nothing else here calls.
        const auto holds = [&](Site function) {
            return function.file == tensor.site.file && tree.is_inside(tensor.site.node, function.node);
        };
        return std::ranges::any_of(called_inside_, holds) && std::ranges::none_of(called_outside_, holds);
    }

    std::string name_of(TensorId t) const {
        const Tensor& tensor = trace_.tensors[t];
        if (!tensor.name.empty()) return std::string(tensor.name);
        return tensor.site.known() ? shown(trace_, tensor.site) : std::string("?");
    }

    /// What the operation writes, as a part of the tensor that owns the memory.
    Part part_of(const Operation& op) {
        Part part;
        TensorId t = target_of(op);
        part.offsets = op.offsets;
        part.extent = op.extent;
        if (part.offsets.empty() && trace_.tensors[t].type.rank_known) {  // all of it
            part.offsets.assign(trace_.tensors[t].type.shape.size(), SymInt::of(0));
            part.extent = trace_.tensors[t].type.shape;
            if (!op.in_place && !is(op, Op::move)) part.extent.clear();  // an offset that was not understood
        }
        while (trace_.tensors[t].base != kNoTensor) {
            const Tensor& view = trace_.tensors[t];
            if (view.offsets.size() != part.offsets.size()) return {};
            for (std::size_t i = 0; i < view.offsets.size(); ++i) {
                part.offsets[i] = symbols_.add(part.offsets[i], view.offsets[i]);
            }
            t = view.base;
        }
        if (part.extent.size() != part.offsets.size()) return {};
        part.root = t;
        return part;
    }

    bool is_inside_loop(LoopId inner) const {
        for (LoopId l = inner; l != kNone; l = trace_.loops[l].parent) {
            if (l == id_) return true;
        }
        return false;
    }

    /// Can the atom have several values within one trip, or values we know nothing of?
    bool changes(AtomId id) {
        const Atom& atom = symbols_.atom(id);
        switch (atom.kind) {
            case AtomKind::loop_index:
                return atom.owner >= trace_.loops.size() || is_inside_loop(atom.owner);
            case AtomKind::dynamic_dim:
            case AtomKind::parameter:
                return false;
            case AtomKind::opaque:
                break;
        }
        if (atom.op == OpaqueOp::other || atom.op == OpaqueOp::none) return true;
        const SymInt left = atom.left;
        const SymInt right = atom.right;
        return changes(left) || changes(right);
    }
    bool changes(SymInt e) {
        if (e.unknown()) return true;
        if (e.known()) return false;
        const Affine affine = symbols_.affine(e);
        return std::ranges::any_of(affine.terms, [&](const Affine::Term& term) { return changes(term.atom); });
    }

    std::optional<Offset> read_offset(SymInt e) {
        if (e.unknown()) return std::nullopt;
        Offset offset;
        offset.fixed = e;
        if (e.known()) return offset;
        const auto split = symbols_.split(e, loop_.index);
        if (!split) return std::nullopt;
        offset.coefficient = split->coefficient;
        offset.fixed = split->rest;
        if (!split->rest.symbolic()) return offset;
        const Affine rest = symbols_.affine(split->rest);
        for (const Affine::Term& term : rest.terms) {
            if (!changes(term.atom)) continue;
            const SymInt part = symbols_.multiply(symbols_.of_atom(term.atom), SymInt::of(term.coefficient));
            const Bounds bounds = symbols_.bounds(part);
            if (!bounds.low || !bounds.high) return std::nullopt;
            offset.low += *bounds.low;
            offset.high += *bounds.high;
            offset.fixed = symbols_.subtract(offset.fixed, part);
        }
        return offset;
    }

    /// Is there an axis on which the parts that one trip writes lie within the stretch that belongs to this trip?
    bool disjoint(const std::vector<const Operation*>& ops) {
        std::vector<Part> parts;
        for (const Operation* op : ops) {
            parts.push_back(part_of(*op));
            if (parts.back().root == kNoTensor) return false;
        }
        for (std::size_t axis = 0; axis < parts.front().offsets.size(); ++axis) {
            if (disjoint_on(parts, axis)) return true;
        }
        return false;
    }

    bool disjoint_on(const std::vector<Part>& parts, std::size_t axis) {
        const auto first = read_offset(parts.front().offsets[axis]);
        if (!first || first->coefficient == 0) return false;
        std::int64_t low = INT64_MAX;
        std::int64_t high = INT64_MIN;
        for (const Part& part : parts) {
            if (part.offsets.size() <= axis) return false;
            const auto offset = read_offset(part.offsets[axis]);
            if (!offset || offset->coefficient != first->coefficient) return false;
            const SymInt shift = symbols_.subtract(offset->fixed, first->fixed);
            const Bounds extent = symbols_.bounds(part.extent[axis]);
            if (!shift.known() || !extent.high) return false;
            low = std::min(low, shift.value + offset->low);
            high = std::max(high, shift.value + offset->high + *extent.high);
        }
        if (!loop_.step.known()) return false;
        const std::int64_t stretch = std::abs(first->coefficient) * std::abs(loop_.step.value);
        return high - low <= stretch;
    }

    /// Is there a minus sign before something in the subscript?
    static bool negates(const SourceFile& file, NodeId subscript) {
        for (NodeId n = subscript + 1; n < file.tree[subscript].subtree_end; ++n) {
            if (file.tree.kind(n) == Kind::unary_operator && file.tree.has_token(n, Kind::minus)) return true;
        }
        return false;
    }

    const Trace& trace_;
    const LoopId id_;
    const Loop& loop_;
    Symbols symbols_;
    TensorId newest_older_ = kNoTensor;
    std::vector<Site> called_inside_, called_outside_;
};

bool same_setting(const TileSetting& a, const TileSetting& b) {
    if (!a.known || !b.known || a.engine != b.engine) return false;
    const auto equal = [](const Value& x, const Value& y) { return x.as.i == y.as.i; };
    if (a.engine == TileSetting::Engine::vec) return std::ranges::equal(a.vec, b.vec, equal);
    return std::ranges::equal(a.m, b.m, equal) && std::ranges::equal(a.k, b.k, equal) &&
           std::ranges::equal(a.n, b.n, equal) && a.split_k.tag == b.split_k.tag &&
           (a.split_k.tag != Tag::boolean || a.split_k.as.b == b.split_k.as.b);
}

}  // namespace

std::optional<Blocked> check_writes(const Trace& trace, LoopId loop) {
    return Effects(trace, loop).writes();
}

std::optional<Blocked> check_index_places(const Trace& trace, LoopId loop) {
    Effects effects(trace, loop);
    if (auto operand = effects.index_operands()) return operand;
    return effects.negative_subscripts();
}

std::optional<Blocked> doubt_places(const Trace& trace, LoopId loop) {
    Effects effects(trace, loop);
    if (auto buffer = effects.buffers_read_later()) return buffer;
    return effects.uncertain_slices();
}

std::optional<Blocked> check_tiles_after(const Trace& trace, LoopId id, const LoopRegion& region) {
    const Loop& loop = trace.loops[id];
    const KernelTrace& kernel = trace.kernels[loop.kernel];
    // In force where the loop begins; a setting that an operation before it used already is older than the loop.
    TileId before_vec = kNone;
    TileId before_cube = kNone;
    TileId newest_before = kNone;
    for (OpId at = kernel.first_op; at < loop.first_op; ++at) {
        const Operation& op = trace.operations[at];
        before_vec = op.vec_tile;
        before_cube = op.cube_tile;
        for (TileId t : {op.vec_tile, op.cube_tile}) {
            if (t != kNone && (newest_before == kNone || t > newest_before)) newest_before = t;
        }
    }
    const auto set_inside = [&](TileId t) {
        if (t == kNone || (newest_before != kNone && t <= newest_before)) return false;
        return region.contains(trace, trace.tiles[t].call);
    };
    // The first operation of the body tells more: what it runs under is what was set before, when no call inside set
    // it.
    if (loop.first_op < loop.end_op) {
        const Operation& op = trace.operations[loop.first_op];
        if (!set_inside(op.vec_tile)) before_vec = op.vec_tile;
        if (!set_inside(op.cube_tile)) before_cube = op.cube_tile;
    }
    const auto changed = [&](TileId now, TileId before) {
        if (!set_inside(now)) return false;
        return before == kNone || !same_setting(trace.tiles[now], trace.tiles[before]);
    };
    for (OpId at = loop.end_op; at < kernel.end_op; ++at) {
        const Operation& op = trace.operations[at];
        const bool vec = op.engine == Engine::vector || op.engine == Engine::movement || op.engine == Engine::create;
        if ((vec && changed(op.vec_tile, before_vec)) ||
            (op.engine == Engine::cube && changed(op.cube_tile, before_cube))) {
            return blocked_at(trace, "PTO201.blocked.tile_after_loop", op.site);
        }
    }
    return std::nullopt;
}

}  // namespace ptofix::rewrites
