#include "rewrites/tile_insertion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "rewrites/fresh_tile.h"
#include "rewrites/imports.h"
#include "rewrites/lines.h"
#include "rewrites/loop_checks.h"
#include "rewrites/names.h"
#include "rewrites/variables.h"
#include "trace/operations.h"
#include "trace/tile_checks.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::Trace;
using Number = std::int64_t;

constexpr std::string_view kSetTile = "set_vec_tile_shapes";

/// The places in the text through which the operation is reached: its own, then the calls around it, up to the kernel.
std::vector<Site> way_to(const Trace& trace, const Operation& op) {
    std::vector<Site> way{op.site};
    for (trace::FrameId f = op.frame; f != kNone && trace.frames[f].parent != kNone; f = trace.frames[f].parent) {
        way.push_back(trace.frames[f].call);
    }
    return way;
}

NodeId function_around(const Trace& trace, Site site) {
    return trace.files[site.file]->tree.enclosing(site.node, Kind::function_definition);
}

class Insertion {
  public:
    Insertion(const Trace& trace, OpId first, hardware::Soc soc)
        : trace_(trace),
          op_(trace.operations[first]),
          memory_(trace, soc),
          pools_(hardware::pools(soc)),
          same_tile_(operations_of_same_tile(trace, first)) {}

    std::expected<TileInsertion, Blocked> run() {
        if (auto no = find_statement()) return std::unexpected(std::move(*no));
        if (auto no = find_axes()) return std::unexpected(std::move(*no));
        extend();
        if (auto no = check_other_tiles()) return std::unexpected(std::move(*no));
        const bool restores = is_needed_behind();
        std::vector<OpId> covered;
        for (const OpId id : same_tile_) {
            const std::size_t at = position(trace_.operations[id]);
            if ((at >= first_ && at <= last_) || !restores) covered.push_back(id);
        }
        std::erase_if(covered, [&](OpId id) { return wanted_axes(trace_, trace_.operations[id]) > axes_; });
        const auto tile = fresh_vec_tile(trace_, memory_, axes_, {}, covered, pools_);
        if (!tile) return std::unexpected(blocked_at(trace_, "blocked.no_vec_tile", op_.site));
        TileInsertion out;
        out.tile = *tile;
        out.under_it = covered;
        const std::string callee = tile_callee(trace_, {anchor_.file, statements_[first_]}, out.edits);
        const std::string indent(indentation(file(), statements_[first_]));
        if (const NodeId arguments = restores ? arguments_in_front() : kNoNode; arguments != kNoNode) {
            const text::Range inner{tree()[arguments].start + 1, tree()[arguments].end - 1};
            out.edits.push_back(replacement(anchor_.file, inner, fmt::format("{}", fmt::join(*tile, ", "))));
        } else if (!begins_its_line(file(), statements_[first_])) {
            out.edits.push_back(insertion(anchor_.file, tree()[statements_[first_]].start,
                                          fmt::format("{}({}); ", callee, fmt::join(*tile, ", "))));
        } else {
            out.edits.push_back(insertion(anchor_.file, start_of(statements_[first_]),
                                          fmt::format("{}{}({})\n", indent, callee, fmt::join(*tile, ", "))));
        }
        if (restores) {
            const auto old = old_numbers();
            if (!old)
                return std::unexpected(blocked_at(trace_, "blocked.tile_unknown", trace_.tiles[op_.vec_tile].call));
            if (goes_on_behind()) {
                out.edits.push_back(
                    insertion(anchor_.file, tree()[statements_[last_]].end, fmt::format("; {}({})", callee, *old)));
                return out;
            }
            const std::uint32_t at = end_of_lines(file(), statements_[last_]);
            const bool is_open = at > 0 && file().text()[at - 1] != '\n' && file().text()[at - 1] != '\r';
            out.edits.push_back(
                insertion(anchor_.file, at,
                          fmt::format("{}{}{}({}){}", is_open ? "\n" : "", indent, callee, *old, is_open ? "" : "\n")));
        }
        return out;
    }

  private:
    const trace::SourceFile& file() const { return *trace_.files[anchor_.file]; }
    const syntax::Tree& tree() const { return file().tree; }

    Blocked not_followed(Site site) const {
        return blocked_at(trace_, "blocked.not_followed", site, "what", shown(trace_, site));
    }

    /// The statement to put it in front of: in the function that set the tile in force, else in the kernel itself,
    /// there as far out as its operation is.
    std::optional<Blocked> find_statement() {
        const std::vector<Site> way = way_to(trace_, op_);
        anchor_ = way.back();
        if (op_.vec_tile != kNone) {
            const Site call = trace_.tiles[op_.vec_tile].call;
            const NodeId setter = function_around(trace_, call);
            const auto at = std::ranges::find_if(
                way, [&](Site s) { return s.file == call.file && function_around(trace_, s) == setter; });
            if (at != way.end()) anchor_ = *at;
        }
        function_ = function_around(trace_, anchor_);
        NodeId statement = tree().statement_of(anchor_.node);
        if (function_ == kNoNode || statement == kNoNode) return not_followed(anchor_);
        if (op_.vec_tile == kNone) {
            const NodeId body = tree().child(function_, Field::body);
            while (tree().parent(statement) != body) {
                const NodeId outer = tree().parent(statement);
                if (outer == kNoNode) return not_followed(anchor_);
                statement = tree().statement_of(outer);
            }
        }
        const NodeId block = tree().parent(statement);
        for (const NodeId c : tree().children(block)) {
            if (tree()[c].named && tree().kind(c) != Kind::comment && tree().kind(c) != Kind::line_continuation) {
                if (c == statement) first_ = statements_.size();
                statements_.push_back(c);
            }
        }
        last_ = first_;
        return std::nullopt;
    }

    /// Does the line of the last statement hold more of the block, or the header that the block belongs to?
    bool goes_on_behind() const {
        const bool header = !begins_its_line(file(), statements_.front());
        return header || (last_ + 1 < statements_.size() && !begins_its_line(file(), statements_[last_ + 1]));
    }

    /// Which of the block's statements makes the operation; npos: none.
    std::size_t position(const Operation& op) const {
        for (const Site site : way_to(trace_, op)) {
            if (site.file != anchor_.file || function_around(trace_, site) != function_) continue;
            const auto behind = std::ranges::upper_bound(statements_, site.node);  // they are in reading order
            if (behind == statements_.begin() || !tree().is_inside(site.node, *(behind - 1))) continue;
            return static_cast<std::size_t>(behind - statements_.begin()) - 1;
        }
        return kOutside;
    }

    std::optional<Blocked> find_axes() {
        std::set<std::size_t> exact;
        for (const OpId id : same_tile_) {
            const Operation& op = trace_.operations[id];
            if (position(op) != first_) continue;
            const std::size_t wanted = wanted_axes(trace_, op);
            if (op_.vec_tile != kNone || axes_ == 0 || is_simple()) axes_ = std::max(axes_, wanted);
            if (const auto checked = trace::checked_rank(trace_, op); checked && checked->exactly)
                exact.insert(checked->axes);
        }
        if (axes_ == 0) axes_ = wanted_axes(trace_, op_);
        if (axes_ == 0) return not_followed(op_.site);
        if (is_simple() && !exact.empty() && (exact.size() > 1 || *exact.begin() != axes_)) {
            return blocked_at(trace_, "blocked.ranks_in_one_statement", {anchor_.file, statements_[first_]});
        }
        return std::nullopt;
    }

    /// A statement without statements in it.
    bool is_simple() const {
        const NodeId s = statements_[first_];
        for (NodeId n = s; n < tree()[s].subtree_end; ++n) {
            if (tree().kind(n) == Kind::block) return false;
        }
        return true;
    }

    /// To the statements behind it whose operations want the same.
    void extend() {
        for (std::size_t at = first_ + 1; at < statements_.size(); ++at) {
            bool any = false;
            for (const OpId id : same_tile_) {
                const Operation& op = trace_.operations[id];
                if (position(op) != at) continue;
                if (wanted_axes(trace_, op) != axes_) return;
                any = true;
            }
            if (any) last_ = at;
        }
    }

    /// Code that is reached with several tiles of other calls keeps them.
    std::optional<Blocked> check_other_tiles() const {
        for (const Operation& op : trace_.operations) {
            if (!trace::works_on_vec_tile(op) || op.vec_tile == op_.vec_tile) continue;
            const std::size_t at = position(op);
            if (at == kOutside || at < first_ || at > last_) continue;
            const bool same = std::ranges::any_of(same_tile_, [&](OpId id) { return &trace_.operations[id] == &op; });
            if (same) continue;
            if (op.vec_tile != kNone) {
                const Site call = trace_.tiles[op.vec_tile].call;
                const bool inside = call.file == anchor_.file &&
                                    std::ranges::any_of(std::span(statements_).subspan(first_, last_ - first_ + 1),
                                                        [&](NodeId s) { return tree().is_inside(call.node, s); });
                if (inside) continue;
                // set by a function that one of the statements calls
                if (function_around(trace_, call) != function_ || call.file != anchor_.file) continue;
            }
            return blocked_at(trace_, "blocked.several_tiles", op.site);
        }
        return std::nullopt;
    }

    std::vector<trace::LoopId> loops_around(const Operation& op) const {
        std::vector<trace::LoopId> loops;
        for (trace::LoopId l = op.loop; l != kNone; l = trace_.loops[l].parent) loops.push_back(l);
        return loops;
    }
    bool is_around_anchor(trace::LoopId l) const {
        const Site site = trace_.loops[l].site;
        return site.file == anchor_.file && tree().is_inside(anchor_.node, site.node);
    }

    /// Does anything that runs after the statements, in the scope of a tile set there, need the old tile?
    bool is_needed_behind() const {
        if (op_.vec_tile == kNone) return false;
        const bool legacy = trace_.kernels[op_.kernel].legacy_frontend;
        const Site setter = trace_.tiles[op_.vec_tile].call;
        // A device loop of the new frontend keeps what is set in it.
        std::optional<trace::LoopId> scope;
        bool repeats = false;
        for (const trace::LoopId l : loops_around(op_)) {
            if (!is_around_anchor(l)) continue;
            const bool scoped = trace::is_device(trace_.loops[l].kind) && !legacy;
            const bool set_inside =
                setter.file == anchor_.file && tree().is_inside(setter.node, trace_.loops[l].site.node);
            if (scoped) {
                scope = l;
                break;
            }
            repeats = repeats || !set_inside;
        }
        return std::ranges::any_of(same_tile_, [&](OpId id) {
            const Operation& op = trace_.operations[id];
            const std::size_t at = position(op);
            if (at != kOutside && at >= first_ && at <= last_) return false;
            if (scope) {
                const auto loops = loops_around(op);
                if (std::ranges::find(loops, *scope) == loops.end()) return false;
            }
            const bool behind = at != kOutside ? at > last_ : is_behind(op);
            return behind || repeats;
        });
    }

    /// By the text where both stand in one function, else by the order of the trace.
    bool is_behind(const Operation& op) const {
        for (const Site site : way_to(trace_, op)) {
            if (site.file == anchor_.file && function_around(trace_, site) == function_) {
                return site.node > statements_[last_];
            }
        }
        return &op > &op_;
    }

    /// The arguments of the call that set the tile, where it is a statement in front and nothing has used it yet: then
    /// it is this call that changes.
    NodeId arguments_in_front() const {
        const Site call = trace_.tiles[op_.vec_tile].call;
        if (call.file != anchor_.file || tree().kind(call.node) != Kind::call) return kNoNode;
        const NodeId statement = tree().statement_of(call.node);
        const auto at = std::ranges::find(statements_, statement);
        if (at == statements_.end() || tree().parent(call.node) != statement) return kNoNode;
        const auto index = static_cast<std::size_t>(at - statements_.begin());
        if (index >= first_) return kNoNode;
        const bool is_used = std::ranges::any_of(same_tile_, [&](OpId id) {
            const std::size_t position_of = position(trace_.operations[id]);
            return position_of != kOutside && position_of < first_;
        });
        const NodeId arguments = tree().child(call.node, Field::arguments);
        return is_used || file().text(arguments).find('#') != std::string_view::npos ? kNoNode : arguments;
    }

    /// The old tile as it is written, or its numbers.
    std::optional<std::string> old_numbers() const {
        std::set<std::vector<Number>> values;
        for (const OpId id : same_tile_) {
            const auto numbers = trace::known_tile(trace_, trace_.operations[id].vec_tile);
            values.insert(numbers.value_or(std::vector<Number>{}));
        }
        const Site call = trace_.tiles[op_.vec_tile].call;
        if (call.file == anchor_.file && function_around(trace_, call) == function_ &&
            tree().kind(call.node) == Kind::call) {
            const NodeId arguments = tree().child(call.node, Field::arguments);
            const std::string_view text = file().text(arguments);
            const auto is_rebound = [&](NodeId n) {
                if (tree().kind(n) != Kind::identifier) return false;
                const auto uses = variable_uses(file(), function_, file().text(n));
                return std::ranges::any_of(uses, [&](NodeId use) { return use > call.node && binds(tree(), use); });
            };
            bool stable = text.size() > 2 && text.find('\n') == std::string_view::npos;
            for (NodeId n = arguments; n < tree()[arguments].subtree_end; ++n) {
                stable = stable && !is_rebound(n) && tree().kind(n) != Kind::call &&
                         tree().kind(n) != Kind::keyword_argument;
            }
            if (stable) return std::string(text.substr(1, text.size() - 2));
        }
        if (values.size() != 1 || values.begin()->empty()) return std::nullopt;
        return fmt::format("{}", fmt::join(*values.begin(), ", "));
    }

    /// Where a line in front of the statement starts: above the comments on top of it, whoever they are for.
    std::uint32_t start_of(NodeId statement) const {
        std::uint32_t line = file().lines.line_of(tree()[statement].start);
        const std::string_view indent = indentation(file(), statement);
        while (line > 1) {
            const std::string_view above = file().lines.line_text(line - 1);
            if (!above.starts_with(indent) || !above.substr(indent.size()).starts_with('#')) break;
            --line;
        }
        return file().lines.line_start(line);
    }

    static constexpr std::size_t kOutside = SIZE_MAX;

    const Trace& trace_;
    const Operation& op_;
    const trace::VectorMemory memory_;
    const hardware::Pools& pools_;
    const std::vector<OpId> same_tile_;
    Site anchor_;                     // what makes the operation, in the function that the call goes into
    NodeId function_ = kNoNode;       // that function
    std::vector<NodeId> statements_;  // of the block
    std::size_t first_ = 0, last_ = 0;
    std::size_t axes_ = 0;
};

}  // namespace

std::expected<TileInsertion, Blocked> insert_vec_tile(const Trace& trace, OpId operation, hardware::Soc soc) {
    return Insertion(trace, operation, soc).run();
}

std::vector<OpId> operations_of_same_tile(const Trace& trace, OpId operation) {
    const Operation& first = trace.operations[operation];
    std::vector<OpId> out;
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const Operation& op = trace.operations[id];
        if (!trace::works_on_vec_tile(op) || trace::is(op, trace::Op::tensor)) continue;
        if (first.vec_tile == kNone) {
            if (op.vec_tile != kNone || trace.kernels[op.kernel].site != trace.kernels[first.kernel].site) continue;
        } else if (op.vec_tile == kNone || trace.tiles[op.vec_tile].call != trace.tiles[first.vec_tile].call) {
            continue;
        }
        out.push_back(id);
    }
    return out;
}

std::string tile_callee(const Trace& trace, Site at, std::vector<rules::FileEdit>& edits) {
    const trace::SourceFile& file = *trace.files[at.file];
    const FrameworkNames names(file);
    const NodeId function = file.tree.enclosing(at.node, Kind::function_definition);
    // As the function does it, else as the file does.
    std::string_view in_file;
    for (NodeId n = 0; n < file.tree.nodes().size(); ++n) {
        if (file.tree.kind(n) != Kind::call) continue;
        const NodeId callee = file.tree.child(n, Field::function);
        if (callee == kNoNode || names.function(callee) != kSetTile) continue;
        NodeId root = callee;
        while (file.tree.kind(root) == Kind::attribute) root = file.tree.child(root, Field::object);
        if (is_shadowed(file, at.node, file.text(root), {})) continue;
        if (function != kNoNode && file.tree.is_inside(n, function)) return std::string(file.text(callee));
        in_file = file.text(callee);
    }
    if (!in_file.empty()) return std::string(in_file);
    ModuleName module = framework_module(file, at.file, at.node);
    if (module.import) edits.push_back(std::move(*module.import));
    return fmt::format("{}.{}", module.text, kSetTile);
}

}  // namespace ptofix::rewrites
