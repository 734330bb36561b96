// PTO201: Python loops that a kernel runs while it is recorded, and so copies into its graph. One finding for a nest of
// loops, at the outermost loop whose trips matter.
#include <algorithm>
#include <map>
#include <vector>

#include "detectors/detectors.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"

namespace ptofix::detectors {

namespace {

using trace::Affine;
using trace::Atom;
using trace::AtomKind;
using trace::Branch;
using trace::BranchId;
using trace::Engine;
using trace::FrameId;
using trace::is_device;
using trace::KernelId;
using trace::KernelTrace;
using trace::kNone;
using trace::Loop;
using trace::LoopId;
using trace::LoopKind;
using trace::OpaqueOp;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::SymInt;
using trace::tile_operations;
using trace::Trace;

// What a copy weighs, and how much is too much: kernels that ship stay below 700, those that were reported to hang
// start at 1,664.
constexpr std::int64_t kMatmulNodes = 10;
constexpr std::int64_t kHeavyNodes = 1000;
// Or by tile operations, when a device loop would leave at most this part of them.
constexpr std::int64_t kHeavyTileOperations = 5000;
constexpr std::int64_t kReduction = 8;
// A loop of fewer trips is not the one to change when a longer one stands inside it.
constexpr std::int64_t kTripsThatMatter = 8;

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}
std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

std::int64_t nodes_of(const Operation& op) {
    switch (op.engine) {
        case Engine::cube:
            return kMatmulNodes;
        case Engine::vector:
        case Engine::movement:
        case Engine::create:
        case Engine::view:
            return 1;
        case Engine::control:
        case Engine::scalar:
            return 0;
    }
    return 0;
}

struct Work {
    std::int64_t nodes = 0;
    std::int64_t tile_operations = 0;
    bool tiles_known = true;
    bool computes = false;  // more than moving data
    bool gathers = false;   // reads at a place that is known only at run time

    void add(const Work& other) {
        nodes = saturating_add(nodes, other.nodes);
        tile_operations = saturating_add(tile_operations, other.tile_operations);
        tiles_known = tiles_known && other.tiles_known;
        computes = computes || other.computes;
        gathers = gathers || other.gathers;
    }
};

/// The Python loops of one kernel at one place in the text: a loop in a helper that is called twice, or inside a loop
/// that was traced item by item, was traced more than once.
struct Place {
    Site site;
    std::vector<LoopId> loops;
    std::vector<std::size_t> inner;  // indices of the places directly inside
    bool is_root = true;             // no Python loop of known trips around it
    bool is_block = true;            // as many trips as the factor of the loop_unroll around it, whatever that is
    std::int64_t copies = 0;         // of the body
    Work work;
};

class KernelLoops {
  public:
    KernelLoops(const Trace& trace, KernelId kernel) : trace_(trace), kernel_(kernel), about_(trace.kernels[kernel]) {}

    void find(std::vector<rules::Finding>& out) {
        for (LoopId id = about_.first_loop; id < about_.end_loop; ++id) {
            if (copies_body(id)) add_loop(id);
        }
        const std::size_t first = out.size();
        for (const Place& place : places_) {
            if (place.is_root) report(place, out);
        }
        const auto loop_of = [](const rules::Finding& f) -> auto& {
            return std::get<rules::PythonLoopEvidence>(f.evidence);
        };
        for (std::size_t i = first; i < out.size(); ++i) {
            auto& evidence = std::get<rules::PythonLoopEvidence>(out[i].evidence);
            for (std::size_t j = first; j < out.size(); ++j) {
                const std::uint32_t other = loop_of(out[j]).loop;
                if (trace_.loops[other].site < trace_.loops[evidence.loop].site) evidence.found_before.push_back(other);
            }
            std::ranges::sort(evidence.found_before, {}, [&](std::uint32_t loop) { return trace_.loops[loop].site; });
        }
    }

  private:
    bool is_python(LoopId id) const { return !is_device(trace_.loops[id].kind); }
    std::optional<std::int64_t> trips(LoopId id) const {
        const SymInt t = trace_.loops[id].trips;
        return t.known() ? std::optional(t.value) : std::nullopt;
    }
    bool copies_body(LoopId id) const { return is_python(id) && trips(id) > 1; }
    LoopId python_parent(LoopId id) const {
        do id = trace_.loops[id].parent;
        while (id != kNone && !is_python(id));
        return id;
    }
    /// How often one record of the loop's body stands in the graph: its own trips and those of the loops around it, as
    /// far as they are known; a loop that was traced item by item has its copies recorded one by one.
    std::int64_t copies_of_record(LoopId id) const {
        std::int64_t copies = 1;
        for (; id != kNone; id = python_parent(id)) {
            const auto t = trips(id);
            if (!t) break;
            if (!trace_.loops[id].per_item) copies = saturating_multiply(copies, *t);
        }
        return copies;
    }
    std::int64_t copies_of_body(LoopId id) const {
        const Loop& loop = trace_.loops[id];
        return saturating_multiply(copies_of_record(id), loop.per_item ? loop.trips.value : 1);
    }

    /// A body in a device loop that is unrolled is recorded once for each factor, but each factor is a function of its
    /// own: only the first one counts.
    bool is_repeated_factor(LoopId id) const {
        for (LoopId at = id; trace_.loops[at].parent != kNone; at = trace_.loops[at].parent) {
            const LoopId around = trace_.loops[at].parent;
            if (trace_.loops[around].kind != LoopKind::device_unroll) continue;
            for (LoopId earlier = about_.first_loop; earlier < at; ++earlier) {
                if (trace_.loops[earlier].parent == around && trace_.loops[earlier].site == trace_.loops[at].site) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The device loop around it that has an unroll list. No other device loop may stand inside.
    LoopId unrolled_around(LoopId id) const {
        for (LoopId at = trace_.loops[id].parent; at != kNone; at = trace_.loops[at].parent) {
            const Loop& around = trace_.loops[at];
            if (is_device(around.kind) && !around.unroll.empty() && around.unroll.front() > 1) return at;
        }
        return kNone;
    }

    /// "for row in range(factor)": the list says how much is compiled at once, and how often this body.
    bool has_trips_of_factor(LoopId id) const {
        const LoopId around = unrolled_around(id);
        if (around == kNone) return false;
        const std::vector<std::uint32_t>& starts = trace_.loops[around].factor_starts;
        const auto next = std::ranges::upper_bound(starts, trace_.loops[id].first_op);
        if (next == starts.begin()) return false;
        const auto place = static_cast<std::size_t>(next - starts.begin()) - 1;
        const std::int64_t factor = trace_.loops[around].unroll[place];
        const SymInt step = trace_.loops[around].step;  // the body is given the factor times the step
        return trips(id) == factor || (step.known() && trips(id) == saturating_multiply(factor, step.value));
    }

    void add_loop(LoopId id) {
        const Loop& loop = trace_.loops[id];
        const auto known = index_.find(loop.site);
        std::size_t at = 0;
        if (known == index_.end()) {
            at = places_.size();
            index_.emplace(loop.site, at);
            places_.push_back({.site = loop.site, .loops = {}, .inner = {}, .work = {}});
        } else {
            at = known->second;
        }
        for (LoopId around = python_parent(id); around != kNone; around = python_parent(around)) {
            if (!trips(around)) break;
            if (!copies_body(around)) continue;
            places_[at].is_root = false;
            const std::size_t outer = index_.at(trace_.loops[around].site);
            auto& inner = places_[outer].inner;
            if (outer != at && std::ranges::find(inner, at) == inner.end()) inner.push_back(at);
            break;
        }
        places_[at].is_block = places_[at].is_block && has_trips_of_factor(id);
        places_[at].loops.push_back(id);
        if (is_repeated_factor(id)) return;
        places_[at].copies = saturating_add(places_[at].copies, copies_of_body(id));
        places_[at].work.add(work_of(id));
    }

    Work work_of_operation(const Operation& op, LoopId around) const {
        Work work;
        for (LoopId at = op.loop; at != kNone && at != around; at = trace_.loops[at].parent) {
            if (is_python(at) && !trips(at)) return work;  // perhaps never run
        }
        const std::int64_t copies = copies_of_record(is_python(op.loop) ? op.loop : python_parent(op.loop));
        work.nodes = saturating_multiply(copies, nodes_of(op));
        const auto tiles = tile_operations(trace_, op);
        work.tiles_known = tiles.has_value();
        work.tile_operations = saturating_multiply(copies, tiles.value_or(0));
        work.computes = op.engine == Engine::vector || op.engine == Engine::cube;
        if (op.engine == Engine::view) {
            work.gathers =
                std::ranges::any_of(op.offsets, [&](SymInt o) { return o.unknown() || is_runtime_value(o); });
        }
        return work;
    }

    bool is_runtime_value(SymInt value) const {
        if (!value.symbolic()) return false;
        std::vector<SymInt> open{value};
        for (int bound = 64; !open.empty() && bound > 0; --bound) {
            const SymInt at = open.back();
            open.pop_back();
            if (!at.symbolic()) continue;
            for (const Affine::Term& term : trace_.symbols.affine(at).terms) {
                const Atom& atom = trace_.symbols.atom(term.atom);
                if (atom.kind != AtomKind::opaque) continue;
                if (atom.op == OpaqueOp::other) return true;
                open.push_back(atom.left);
                open.push_back(atom.right);
            }
        }
        return false;
    }

    /// The operations recorded inside. Of the arms of a condition that could not be decided, and that Python decides,
    /// the heaviest counts.
    Work work_of(LoopId id) const {
        const Loop& loop = trace_.loops[id];
        std::map<BranchId, Work> by_branch;
        Work plain;
        for (OpId at = loop.first_op; at < loop.end_op; ++at) {
            const Operation& op = trace_.operations[at];
            const Work work = work_of_operation(op, id);
            const BranchId arm = python_arm(op.branch);
            (arm == kNone ? plain : by_branch[arm]).add(work);
        }
        if (by_branch.empty()) return plain;
        // An inner arm has a higher number than the arm that holds it, so it is complete when its outer arm is reached;
        // the arms of a condition are numbered down to 0.
        std::map<std::pair<BranchId, Site>, Work> heaviest;
        const auto add_to = [&](BranchId outer, const Work& work) {
            outer = python_arm(outer);
            (outer == kNone ? plain : by_branch[outer]).add(work);
        };
        for (BranchId arm = by_branch.rbegin()->first;; --arm) {
            const Branch& branch = trace_.branches[arm];
            if (!branch.device) {
                const auto condition = std::pair(branch.parent, branch.site);
                if (const auto work = by_branch.find(arm); work != by_branch.end()) {
                    Work& most = heaviest[condition];
                    if (work->second.nodes >= most.nodes) most = work->second;
                    by_branch.erase(work);
                }
                if (const auto most = heaviest.find(condition); branch.arm == 0 && most != heaviest.end()) {
                    add_to(branch.parent, most->second);
                    heaviest.erase(most);
                }
            }
            if (arm == 0) break;
        }
        return plain;
    }
    /// The branch itself or the nearest one around it whose condition Python decides.
    BranchId python_arm(BranchId branch) const {
        while (branch != kNone && trace_.branches[branch].device) branch = trace_.branches[branch].parent;
        return branch;
    }

    static bool is_heavy(const Place& place, std::int64_t trips) {
        if (!place.work.computes && place.work.gathers) return false;  // blocks of a paged cache
        if (place.work.nodes >= kHeavyNodes) return true;
        return place.work.tile_operations >= kHeavyTileOperations && trips >= kReduction;
    }

    std::int64_t trips_of(const Place& place) const {
        std::int64_t most = 0;
        for (LoopId id : place.loops) most = std::max(most, trace_.loops[id].trips.value);
        return most;
    }

    void report(const Place& place, std::vector<rules::Finding>& out) const {
        const std::int64_t own_trips = trips_of(place);
        if (own_trips < kTripsThatMatter || place.is_block) {
            bool inside = false;
            for (std::size_t i : place.inner) {
                if (!is_heavy(places_[i], trips_of(places_[i]))) continue;
                inside = true;
                report(places_[i], out);
            }
            if (inside || place.is_block) return;
        }
        if (is_heavy(place, own_trips)) out.push_back(finding(place, own_trips));
    }

    rules::Finding finding(const Place& place, std::int64_t own_trips) const {
        const bool by_nodes = place.work.nodes >= kHeavyNodes;
        rules::Finding finding;
        finding.rule = "PTO201";
        // What a device loop would leave is no measure where none can stand.
        const bool has_place = by_nodes || unrolled_around(place.loops.front()) == kNone;
        finding.severity = has_place ? rules::Severity::warning : rules::Severity::info;
        finding.location = header(place.site);
        finding.message.id = by_nodes    ? "PTO201.found"
                             : has_place ? "PTO201.found.tiles"
                                         : "PTO201.found.tiles.unrolled";
        rules::PythonLoopEvidence evidence;
        evidence.loop = place.loops.front();
        evidence.kernel = kernel_;
        evidence.trips = own_trips;
        evidence.copies = place.copies;
        evidence.nodes = place.work.nodes;
        finding.message.data.set("kernel", std::string(about_.name))
            .set("trips", own_trips)
            .set("copies", place.copies)
            .set("nodes", place.work.nodes);
        if (place.work.tiles_known || !by_nodes) {
            evidence.tile_operations = place.work.tile_operations;
            finding.message.data.set("tile_operations", place.work.tile_operations);
            if (has_place) {
                finding.message.data.set("loop_tile_operations",
                                         (place.work.tile_operations + own_trips - 1) / own_trips);
            }
        }
        finding.evidence = evidence;
        add_related(place, finding);
        return finding;
    }

    void add_related(const Place& place, rules::Finding& finding) const {
        const LoopId first = place.loops.front();
        for (LoopId around = python_parent(first); around != kNone; around = python_parent(around)) {
            if (!copies_body(around)) continue;
            rules::Text text{"PTO201.related.outer", {}};
            text.data.set("trips", trace_.loops[around].trips.value);
            finding.related.push_back({header(trace_.loops[around].site), std::move(text)});
        }
        const FrameId frame = trace_.loops[first].frame;
        if (frame == kNone || trace_.frames[frame].parent == kNone || !trace_.frames[frame].call.known()) return;
        const Site call = trace_.frames[frame].call;
        finding.related.push_back(
            {{call.file, trace_.files[call.file]->tree.range(call.node)}, {"PTO201.related.call", {}}});
    }

    /// "for h in range(128)" of a statement, the whole of a comprehension.
    rules::Location header(Site site) const {
        const syntax::Tree& tree = trace_.files[site.file]->tree;
        text::Range range = tree.range(site.node);
        const bool is_for = tree.kind(site.node) == syntax::Kind::for_statement;
        const syntax::NodeId end = tree.child(site.node, is_for ? syntax::Field::right : syntax::Field::condition);
        if ((is_for || tree.kind(site.node) == syntax::Kind::while_statement) && end != syntax::kNoNode) {
            range.end = tree.range(end).end;
        }
        return {site.file, range};
    }

    const Trace& trace_;
    const KernelId kernel_;
    const KernelTrace& about_;
    std::vector<Place> places_;
    std::map<Site, std::size_t> index_;
};

}  // namespace

void python_loop_in_kernel(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    for (KernelId kernel = 0; kernel < trace.kernels.size(); ++kernel) {
        if (!trace.kernels[kernel].is_helper) KernelLoops(trace, kernel).find(out);
    }
}

}  // namespace ptofix::detectors
