#include "rewrites/head_tiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "hardware/tile.h"
#include "rewrites/names.h"
#include "trace/operations.h"
#include "trace/tile_estimate.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;
using trace::Engine;
using trace::kNone;
using trace::Loop;
using trace::LoopId;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::SourceFile;
using trace::Tag;
using trace::TensorId;
using trace::tile_operations;
using trace::TileId;
using trace::Trace;
using trace::Value;

class Planner {
  public:
    Planner(const Trace& trace, LoopId id, const HeadBatch& batch, std::span<const NodeId> flattened, hardware::Soc soc)
        : trace_(trace),
          loop_(trace.loops[id]),
          batch_(batch),
          flattened_(flattened),
          soc_(soc),
          file_(*trace.files[loop_.site.file]),
          tree_(file_.tree),
          body_(tree_.child(loop_.site.node, Field::body)) {}

    std::optional<HeadTiles> plan() {
        if (!set_tiles() || !compiles()) return std::nullopt;
        return std::move(tiles_);
    }

  private:
    void add_axis(NodeId arguments) {
        const std::uint32_t at = tree_[arguments].start + 1;
        tiles_.edits.push_back({loop_.site.file, {at, at}, "1, "});
    }

    std::vector<std::int64_t> tile_numbers(TileId id) const {
        std::vector<std::int64_t> out;
        if (id == kNone || !trace_.tiles[id].known) return out;
        for (const Value& v : trace_.tiles[id].vec) out.push_back(v.as.i);
        return out;
    }
    /// The arguments of a tile call as they are written; empty when they are not all written there, one by one.
    std::string tile_arguments(TileId id) const {
        const Site call = trace_.tiles[id].call;
        if (call.file != loop_.site.file) return {};
        const NodeId arguments = tree_.child(call.node, Field::arguments);
        if (arguments == kNoNode || tree_.named_child_count(arguments) != trace_.tiles[id].vec.size()) return {};
        for (NodeId a : tree_.children(arguments)) {
            const Kind kind = tree_.kind(a);
            if (kind == Kind::list_splat || kind == Kind::keyword_argument || kind == Kind::comment ||
                kind == Kind::list)
                return {};
        }
        return std::string(file_.text().substr(tree_[arguments].start + 1, tree_.range(arguments).size() - 2));
    }
    bool is_in_body(Site site) const { return site.file == loop_.site.file && tree_.is_inside(site.node, body_); }
    std::string tile_call(TileId id, std::string_view first) const {
        const NodeId callee = tree_.child(trace_.tiles[id].call.node, Field::function);
        const bool same_function = tree_.enclosing(trace_.tiles[id].call.node, Kind::function_definition) ==
                                   tree_.enclosing(loop_.site.node, Kind::function_definition);
        std::string arguments = same_function ? tile_arguments(id) : std::string{};
        if (arguments.empty()) arguments = fmt::format("{}", fmt::join(tile_numbers(id), ", "));
        const std::string name =
            trace_.tiles[id].call.file == loop_.site.file
                ? std::string(file_.text(callee))
                : framework_module(file_, loop_.site.file, loop_.site.node).text + ".set_vec_tile_shapes";
        return fmt::format("{}({}{})", name, first, arguments);
    }

    /// Vector operations get a third axis: one head a tile where the tile in force has two axes.
    bool set_tiles() {
        std::set<TileId> in_body;
        TileId before = kNone;
        for (OpId id : batch_.vectors) {
            const Operation& op = trace_.operations[id];
            const std::vector<std::int64_t> tile = tile_numbers(op.vec_tile);
            if ((tile.size() != 2 && tile.size() != 3) || !fits(op, tile)) return false;
            if (tile.size() == 3) continue;
            if (is_in_body(trace_.tiles[op.vec_tile].call)) {
                if (tile_arguments(op.vec_tile).empty()) return false;
                in_body.insert(op.vec_tile);
            } else {
                before = op.vec_tile;
            }
        }
        std::set<NodeId> changed_calls;
        for (TileId id : in_body) {
            const NodeId arguments = tree_.child(trace_.tiles[id].call.node, Field::arguments);
            if (!changed_calls.insert(arguments).second) continue;
            add_axis(arguments);
        }
        const bool is_changed = before != kNone || !in_body.empty();
        const OpId end = trace_.kernels[loop_.kernel].end_op;
        bool is_used_later = false;
        for (OpId id = loop_.end_op; id < end; ++id) {
            const Operation& op = trace_.operations[id];
            if (op.engine == Engine::cube || op.engine == Engine::scalar) continue;
            if (in_body.contains(op.vec_tile)) return false;
            is_used_later = is_used_later || (before != kNone && op.vec_tile == before);
        }
        if (before != kNone && !is_used_later && serves_batch_only(before)) {
            const NodeId arguments = tree_.child(trace_.tiles[before].call.node, Field::arguments);
            add_axis(arguments);
        } else if (before != kNone) {
            tiles_.before = tile_call(before, "1, ");
            if (is_used_later) tiles_.after = tile_call(before, "");
        }
        // What is flattened for the store has two axes again.
        if (!flattened_.empty() && is_changed) {
            if (before == kNone || flattened_.size() != 1) return false;
            for (OpId id : batch_.vectors) {  // all of them must stand before that statement
                const Operation& op = trace_.operations[id];
                if (op.site.node >= flattened_[0]) return false;
            }
            tiles_.flat = tile_call(before, "");
            tiles_.after.clear();
        } else if (!flattened_.empty()) {
            const Operation& store = trace_.operations[batch_.stores[0].op];
            if (tile_numbers(store.vec_tile).size() < trace_.tensors[store.output].type.shape.size()) return false;
        }
        return true;
    }
    /// Does no other operation run under this setting, so that the call itself can get the third axis?
    bool serves_batch_only(TileId id) const {
        if (tile_arguments(id).empty()) return false;
        const NodeId call = trace_.tiles[id].call.node;
        if (tree_.enclosing(call, Kind::function_definition) !=
            tree_.enclosing(loop_.site.node, Kind::function_definition))
            return false;
        const auto same_call = [&](TileId t) { return t != kNone && trace_.tiles[t].call == trace_.tiles[id].call; };
        for (OpId at = 0; at < trace_.operations.size(); ++at) {
            const Operation& op = trace_.operations[at];
            if (op.engine == Engine::cube || op.engine == Engine::scalar || op.engine == Engine::view ||
                !same_call(op.vec_tile))
                continue;
            if (at < loop_.first_op || at >= loop_.end_op) return false;
        }
        return true;
    }

    /// Do inputs and outputs of the operation on all heads fit UB? A tile of two axes gets one head in front.
    bool fits(const Operation& op, std::vector<std::int64_t> tile) const {
        if (tile.size() == 2) tile.insert(tile.begin(), 1);
        std::set<TensorId> tensors(trace_.inputs(op).begin(), trace_.inputs(op).end());
        tensors.insert(op.output);
        std::int64_t bytes = 0;
        for (TensorId t : tensors) {
            const HeadValue& head = batch_.values.at(t);
            const std::vector<std::int64_t> shape{batch_.heads, head.rows, head.columns};
            hardware::DType dtype = trace_.tensors[t].type.dtype;
            // 16-bit arithmetic runs in FP32.
            if (dtype == hardware::DType::fp16 || dtype == hardware::DType::bf16) dtype = hardware::DType::fp32;
            const auto part = hardware::vec_tile_bytes(tile, shape, dtype);
            if (!part) return false;
            bytes += *part;
        }
        return bytes <= hardware::pools(soc_).ub;
    }

    /// A batched matmul is compiled head by head; it must stay within what a compile takes.
    bool compiles() const {
        constexpr std::int64_t kPerHead = 5;  // cutting the operands, putting the result together
        std::int64_t per_head = 0;
        std::int64_t total = 0;
        for (OpId id : batch_.matmuls) {
            // A batched matmul cannot split K.
            const TileId tile = trace_.operations[id].cube_tile;
            if (tile == kNone) return false;
            const Value& split = trace_.tiles[tile].split_k;
            const bool given = split.origin().known() || split.tag != Tag::unknown;
            if (given && split.tag != Tag::none && (split.tag != Tag::boolean || split.as.b)) {
                return false;
            }
            const auto cost = tile_operations(trace_, trace_.operations[id]);
            if (!cost) return false;
            per_head += *cost + kPerHead;
        }
        for (OpId id : batch_.vectors) {
            const Operation& op = trace_.operations[id];
            const HeadValue& head = batch_.values.at(op.output);
            std::vector<std::int64_t> tile = tile_numbers(op.vec_tile);
            if (tile.size() == 2) tile.insert(tile.begin(), 1);
            const std::vector<std::int64_t> shape{batch_.heads, head.rows, head.columns};
            const auto tiles = hardware::vec_tile_count(tile, shape);
            if (!tiles) return false;
            total += *tiles * (2 + static_cast<std::int64_t>(op.input_count));
        }
        total += per_head * batch_.heads;
        return total <= rules::kCompileBudget;
    }

    const Trace& trace_;
    const Loop& loop_;
    const HeadBatch& batch_;
    const std::span<const NodeId> flattened_;
    const hardware::Soc soc_;
    const SourceFile& file_;
    const Tree& tree_;
    const NodeId body_;
    HeadTiles tiles_;
};

}  // namespace

std::optional<HeadTiles> plan_tiles(const Trace& trace, LoopId loop, const HeadBatch& batch,
                                    std::span<const NodeId> flattened, hardware::Soc soc) {
    return Planner(trace, loop, batch, flattened, soc).plan();
}

}  // namespace ptofix::rewrites
