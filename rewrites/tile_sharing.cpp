#include "rewrites/tile_sharing.h"

#include <algorithm>
#include <map>

#include "rewrites/cube_fit.h"
#include "rewrites/vec_fit.h"
#include "trace/matmul.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using trace::OpId;
using trace::Site;
using trace::TileId;
using trace::TileSetting;
using trace::Trace;
using Number = std::int64_t;
using Numbers = std::map<TileSlot, Number>;

class SharedSettings {
  public:
    SharedSettings(const Trace& trace, hardware::Soc soc) : trace_(trace), soc_(soc), memory_(trace, soc) {}

    bool can_have(TileId id, const Numbers& numbers) {
        return trace_.tiles[id].engine == TileSetting::Engine::vec ? vec(id, numbers) : cube(id, numbers);
    }

  private:
    bool vec(TileId id, const Numbers& numbers) const {
        const auto from = trace::known_tile(trace_, id);
        if (!from) return false;
        std::vector<Number> to = *from;
        for (std::uint32_t i = 0; i < to.size(); ++i) {
            if (const auto at = numbers.find({TileSlot::List::vec, id, i}); at != numbers.end()) to[i] = at->second;
        }
        std::vector<OpId> operations;
        for (OpId op = 0; op < trace_.operations.size(); ++op) {
            if (trace_.operations[op].vec_tile == id) operations.push_back(op);
        }
        return may_become(trace_, memory_, *from, to, operations, hardware::pools(soc_));
    }

    bool cube(TileId id, const Numbers& numbers) {
        TileSetting setting = trace_.tiles[id];
        for (const TileSlot& slot : slots_of(trace_, id)) {
            const auto at = numbers.find(slot);
            if (at == numbers.end()) continue;
            trace::Value* list = setting.m;
            if (slot.list == TileSlot::List::k) list = setting.k;
            if (slot.list == TileSlot::List::n) list = setting.n;
            list[slot.index].as.i = at->second;
        }
        if (setting.k_count == 2) setting.k[2] = setting.k[1];
        const auto tile = trace::cube_tile_of(setting);
        if (!tile) return false;
        if (calls_.empty()) calls_ = trace::cube_tile_calls(trace_);
        for (const trace::CubeTileCall& call : calls_) {
            for (const auto& used : call.settings) {
                if (used.tile == id) return takes_cube_tile(*tile, used.matmuls, hardware::pools(soc_));
            }
        }
        return true;  // nothing is computed under it
    }

    const Trace& trace_;
    const hardware::Soc soc_;
    const trace::VectorMemory memory_;
    std::vector<trace::CubeTileCall> calls_;
};

bool is_changed(const Trace& trace, const TileChange& change) {
    const trace::Value& now = number_of(trace, change.slot);
    return !now.is(trace::Tag::integer) || now.as.i != change.value;
}

/// nullopt: no other number comes of the same literals, or a setting cannot have it.
std::optional<std::vector<TileChange>> with_shared_numbers(const Trace& trace, const std::vector<TileChange>& changes,
                                                           hardware::Soc soc) {
    std::map<Site, Number> wanted;  // of a literal
    Numbers numbers;
    for (const TileChange& change : changes) {
        numbers[change.slot] = change.value;
        const Site literal = number_of(trace, change.slot).origin();
        if (!literal.known() || !is_changed(trace, change)) continue;
        const auto [at, fresh] = wanted.emplace(literal, change.value);
        if (!fresh && change.slot.index == 0) at->second = std::min(at->second, change.value);
    }
    std::vector<TileId> touched;
    for (TileId id = 0; id < trace.tiles.size(); ++id) {
        for (const TileSlot& slot : slots_of(trace, id)) {
            const trace::Value& now = number_of(trace, slot);
            const auto at = wanted.find(now.origin());
            if (at == wanted.end() || !now.is(trace::Tag::integer)) continue;
            const auto known = numbers.find(slot);
            if ((known != numbers.end() ? known->second : now.as.i) == at->second) continue;
            numbers[slot] = at->second;
            if (touched.empty() || touched.back() != id) touched.push_back(id);
        }
    }
    if (touched.empty()) return std::nullopt;
    SharedSettings settings(trace, soc);
    for (const TileId id : touched) {
        if (!settings.can_have(id, numbers)) return std::nullopt;
    }
    std::vector<TileChange> all;
    for (const auto& [slot, value] : numbers) all.push_back({slot, value});
    return all;
}

}  // namespace

std::expected<TileEdits, rules::Blocked> edit_shared_tiles(const Trace& trace, const std::vector<TileChange>& changes,
                                                           hardware::Soc soc) {
    if (const auto shared = with_shared_numbers(trace, changes, soc)) {
        auto edits = edit_tiles(trace, *shared);
        if (edits && edits->at_literals) return edits;
    }
    return edit_tiles(trace, changes);
}

}  // namespace ptofix::rewrites
