// PTO302: gives a call of set_vec_tile_shapes the leading numbers that its operations lack, or takes surplus ones off,
// where all of them want the same; else sets a tile of its own for those that differ.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rewrites/fresh_tile.h"
#include "rewrites/lines.h"
#include "rewrites/loop_checks.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_insertion.h"
#include "rewrites/vec_grow.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using rules::FileEdit;
using rules::Fix;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::OpId;
using trace::Site;
using trace::Trace;
using Number = std::int64_t;
using Numbers = std::vector<Number>;

/// Would the tile cut an axis otherwise along which one of the operations adds up? What compiles today may then give
/// other last digits.
bool sums_otherwise(const Trace& trace, std::span<const OpId> operations, std::span<const Number> tile) {
    for (const OpId id : operations) {
        const trace::Operation& op = trace.operations[id];
        if (op.output == trace::kNoTensor) continue;
        const auto old = trace::known_tile(trace, op.vec_tile);
        const auto shape = trace::known_shape(trace, trace::cut_tensor(trace, op));
        if (!old || !shape) return true;
        for (std::size_t axis = 0; axis < std::min({shape->size(), old->size(), tile.size()}); ++axis) {
            const bool same = std::min((*old)[axis], (*shape)[axis]) == std::min(tile[axis], (*shape)[axis]);
            if (!same && adds_up_along(trace, std::span(&id, 1), axis)) return true;
        }
    }
    return false;
}

/// The call of the tile setting that the operation is under, its numbers as they are written.
class CallEdit {
  public:
    CallEdit(const Trace& trace, OpId operation, std::size_t axes, hardware::Soc soc)
        : trace_(trace),
          call_(trace.tiles[trace.operations[operation].vec_tile].call),
          file_(*trace.files[call_.file]),
          axes_(axes),
          memory_(trace, soc),
          pools_(hardware::pools(soc)),
          operations_(operations_of_same_tile(trace, operation)) {}

    const std::vector<OpId>& operations() const { return operations_; }
    /// What was planned.
    const Numbers& tile() const { return shown_; }

    std::optional<Fix> run() {
        for (const OpId id : operations_) {
            if (wanted_axes(trace_, trace_.operations[id]) != axes_) return std::nullopt;
        }
        if (!read_items()) return std::nullopt;
        return plan();
    }

  private:
    const syntax::Tree& tree() const { return file_.tree; }

    /// The arguments, or the items of the one list that is given.
    bool read_items() {
        if (tree().kind(call_.node) != Kind::call) return false;
        NodeId list = tree().child(call_.node, Field::arguments);
        if (list == kNoNode) return false;
        items_ = items_of(list);
        if (items_.size() == 1) {
            const Kind only = tree().kind(items_.front());
            if (only == Kind::list || only == Kind::tuple) items_ = items_of(items_.front());
        }
        return !items_.empty() && std::ranges::none_of(items_, [&](NodeId n) {
            return tree().kind(n) == Kind::keyword_argument || tree().kind(n) == Kind::dictionary_splat;
        });
    }

    std::vector<NodeId> items_of(NodeId list) const {
        std::vector<NodeId> items;
        for (const NodeId c : tree().children(list)) {
            const Kind kind = tree().kind(c);
            if (tree()[c].named && kind != Kind::comment && kind != Kind::line_continuation) items.push_back(c);
        }
        return items;
    }

    bool is_spread(NodeId item) const { return tree().kind(item) == Kind::list_splat; }
    bool is_spread() const {
        return std::ranges::any_of(items_, [&](NodeId n) { return is_spread(n); });
    }

    std::optional<Fix> plan() {
        // What each of the values that the call sets would become: all of them the same way.
        std::optional<Numbers> lead;   // to put in front
        std::optional<Numbers> whole;  // to write in place of everything
        std::optional<std::size_t> before;
        Numbers& shown = shown_;
        for (trace::TileId id = 0; id < trace_.tiles.size(); ++id) {
            const trace::TileSetting& setting = trace_.tiles[id];
            if (setting.call != call_) continue;
            std::vector<OpId> under;
            for (const OpId op : operations_) {
                if (trace_.operations[op].vec_tile == id) under.push_back(op);
            }
            if (under.empty()) continue;
            const std::size_t axes = setting.vec.size();
            if (axes == 0 || (before && *before != axes)) return std::nullopt;
            before = axes;
            const auto numbers = trace::known_tile(trace_, id);
            if (!numbers) {  // one row of each leading axis takes no more memory than before
                if (axes > axes_ || (lead && !std::ranges::all_of(*lead, [](Number n) { return n == 1; })))
                    return std::nullopt;
                lead = Numbers(axes_ - axes, 1);
                continue;
            }
            const std::size_t kept = std::min(axes, axes_);
            const std::span<const Number> tail = std::span(*numbers).last(kept);
            const auto tile = fresh_vec_tile(trace_, memory_, axes_, tail, under, pools_);
            if (!tile) return std::nullopt;
            if (std::ranges::equal(std::span(*tile).last(kept), tail)) {
                const Numbers front(tile->begin(), tile->end() - static_cast<std::ptrdiff_t>(kept));
                if (lead && *lead != front) return std::nullopt;
                lead = front;
            } else {
                if (whole && *whole != *tile) return std::nullopt;
                whole = *tile;
            }
            shown = *tile;
        }
        if (!before || (lead && whole)) return std::nullopt;
        Fix fix;
        const bool extends = *before < axes_;
        fix.description.id = extends ? "PTO302.fix.extend" : "PTO302.fix.trim";
        std::optional<FileEdit> edit;
        if (whole) {
            edit = replaced(*whole);
        } else if (extends) {
            edit = with_front(*lead);
        } else {
            edit = without_front(*before - axes_);
        }
        if (!edit) return std::nullopt;
        fix.description.data.set("proposed", shown.empty() ? fmt::format("({}, ...)", fmt::join(*lead, ", "))
                                                           : fmt::format("({})", fmt::join(shown, ", ")));
        fix.edits.push_back(std::move(*edit));
        return fix;
    }

    FileEdit with_front(const Numbers& lead) const {
        const NodeId first = items_.front();
        // One item a line, where that is how they are written.
        const std::string_view indent = indentation(file_, first);
        const bool leads_line =
            file_.lines.line_start(file_.lines.line_of(tree()[first].start)) + indent.size() == tree()[first].start;
        std::string text;
        for (const Number n : lead) text += leads_line ? fmt::format("{},\n{}", n, indent) : fmt::format("{}, ", n);
        // set_vec_tile_shapes(TILE), a list: spread behind the new numbers
        const bool is_list = items_.size() == 1 && !is_spread(first) && trace_list();
        const std::uint32_t at = tree()[first].start;
        return insertion(call_.file, at, is_list ? text + "*" : text);
    }

    /// Is the only argument a list that was given by name?
    bool trace_list() const {
        const NodeId arguments = tree().child(call_.node, Field::arguments);
        const auto given = items_of(arguments);
        if (given.size() != 1 || given.front() != items_.front()) return false;
        return std::ranges::any_of(trace_.tiles,
                                   [&](const trace::TileSetting& t) { return t.call == call_ && t.vec.size() > 1; });
    }

    std::optional<FileEdit> without_front(std::size_t count) const {
        if (trace_list() && items_.size() == 1 && !is_spread(items_.front())) return sliced(items_.front(), count, "");
        if (items_.size() == 1 && is_spread(items_.front())) {
            const NodeId list = tree().named_child(items_.front(), 0);
            return list == kNoNode ? std::nullopt : sliced(list, count, "");
        }
        if (items_.size() <= count) return std::nullopt;
        for (std::size_t i = 0; i < count; ++i) {
            if (is_spread(items_[i])) return std::nullopt;
        }
        return without_comments({tree()[items_.front()].start, tree()[items_[count]].start}, "");
    }

    /// "TILE[1:]"
    std::optional<FileEdit> sliced(NodeId list, std::size_t count, std::string_view) const {
        const Kind kind = tree().kind(list);
        if (kind != Kind::identifier && kind != Kind::attribute) return std::nullopt;
        return insertion(call_.file, tree()[list].end, fmt::format("[{}:]", count));
    }

    std::optional<FileEdit> replaced(const Numbers& numbers) const {
        if (is_spread() || trace_list()) return std::nullopt;
        const std::size_t kept = std::min(items_.size(), numbers.size());
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < numbers.size(); ++i) {  // what need not change stays as it is written
            const std::size_t from_end = numbers.size() - i;
            std::string text = std::to_string(numbers[i]);
            if (from_end <= kept) {
                const NodeId item = items_[items_.size() - from_end];
                const std::size_t slot = items_.size() - from_end;
                const bool same = std::ranges::all_of(trace_.tiles, [&](const trace::TileSetting& t) {
                    return t.call != call_ || (t.known && slot < t.vec.size() && t.vec[slot].as.i == numbers[i]);
                });
                if (same) text = std::string(file_.text(item));
            }
            texts.push_back(std::move(text));
        }
        return without_comments({tree()[items_.front()].start, tree()[items_.back()].end},
                                fmt::format("{}", fmt::join(texts, ", ")));
    }

    std::optional<FileEdit> without_comments(text::Range range, std::string text) const {
        if (file_.text().substr(range.start, range.size()).find('#') != std::string_view::npos) return std::nullopt;
        return replacement(call_.file, range, std::move(text));
    }

    const Trace& trace_;
    const Site call_;
    const trace::SourceFile& file_;
    const std::size_t axes_;
    const trace::VectorMemory memory_;
    const hardware::Pools& pools_;
    const std::vector<OpId> operations_;
    std::vector<NodeId> items_;
    Numbers shown_;
};

}  // namespace

rules::Rewrite tile_axes(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto& evidence = std::get<rules::TileRankEvidence>(finding.evidence);
    rules::Rewrite rewrite;
    CallEdit at_the_call(trace, evidence.operation, evidence.axes, settings.soc);
    rewrite.fix = at_the_call.run();
    if (rewrite.fix) {
        if (!evidence.refused && sums_otherwise(trace, at_the_call.operations(), at_the_call.tile())) {
            rewrite.fix->applicability = rules::Applicability::unsafe;
            rewrite.blocked = blocked_at(trace, "blocked.adds_up", trace.operations[evidence.operation].site);
        }
        return rewrite;
    }
    auto inserted = insert_vec_tile(trace, evidence.operation, settings.soc);
    if (!inserted) {
        rewrite.blocked = std::move(inserted.error());
        return rewrite;
    }
    Fix fix;
    fix.description.id = "PTO302.fix.insert";
    fix.description.data.set("proposed", fmt::format("({})", fmt::join(inserted->tile, ", ")));
    fix.edits = std::move(inserted->edits);
    if (!evidence.refused && sums_otherwise(trace, inserted->under_it, inserted->tile)) {
        fix.applicability = rules::Applicability::unsafe;
        rewrite.blocked = blocked_at(trace, "blocked.adds_up", trace.operations[evidence.operation].site);
    }
    rewrite.fix = std::move(fix);
    return rewrite;
}

}  // namespace ptofix::rewrites
