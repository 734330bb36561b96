#include "rewrites/tile_slots.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "rewrites/lines.h"
#include "rewrites/literal.h"
#include "rewrites/loop_checks.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Site;
using trace::SourceFile;
using trace::TileId;
using trace::TileSetting;
using trace::Trace;
using trace::Value;
using List = TileSlot::List;

constexpr std::string_view kListNames[] = {"", "m", "k", "n"};  // by List

std::vector<NodeId> items_of(const syntax::Tree& tree, NodeId list) {
    std::vector<NodeId> items;
    for (const NodeId c : tree.children(list)) {
        const Kind kind = tree.kind(c);
        if (tree[c].named && kind != Kind::comment && kind != Kind::line_continuation) items.push_back(c);
    }
    return items;
}

bool is_display(Kind kind) {
    return kind == Kind::list || kind == Kind::tuple || kind == Kind::expression_list;
}

bool is_spread(const syntax::Tree& tree, const std::vector<NodeId>& items) {
    return std::ranges::any_of(items, [&](NodeId item) {
        return tree.kind(item) == Kind::list_splat || tree.kind(item) == Kind::dictionary_splat ||
               tree.kind(item) == Kind::keyword_argument;
    });
}

const Value& list_of(const TileSetting& setting, List list) {
    return list == List::m ? setting.m_list : list == List::k ? setting.k_list : setting.n_list;
}

class Editor {
  public:
    Editor(const Trace& trace, const std::vector<TileChange>& changes) : trace_(trace) {
        for (const TileChange& change : changes) wanted_[change.slot] = change.value;
        counts_.resize(trace.tiles.size());
        for (const trace::Operation& op : trace.operations) {
            for (const TileId id : {op.vec_tile, op.cube_tile}) {
                if (id != trace::kNone) counts_[id] = true;
            }
        }
        for (TileId id = 0; id < trace.tiles.size(); ++id) {
            if (trace.tiles[id].known) counts_[id] = true;
            if (counts_[id] && trace.tiles[id].call.known()) by_call_[trace.tiles[id].call].push_back(id);
        }
    }

    std::expected<TileEdits, Blocked> run() {
        for (const auto& [slot, value] : wanted_) {
            if (auto no = edit(slot, value)) return std::unexpected(std::move(*no));
        }
        for (const auto& [site, value] : edits_) {
            const text::Range range = trace_.files[site.file]->tree.range(site.node);
            out_.edits.push_back(replacement(site.file, range, std::to_string(value)));
        }
        return std::move(out_);
    }

  private:
    const SourceFile& file(Site site) const { return *trace_.files[site.file]; }

    std::optional<std::int64_t> wants(const TileSlot& slot) const {
        const auto at = wanted_.find(slot);
        if (at != wanted_.end()) return at->second;
        const Value& now = number_of(trace_, slot);
        return now.is(trace::Tag::integer) ? std::optional(now.as.i) : std::nullopt;
    }

    std::optional<Blocked> edit(const TileSlot& slot, std::int64_t value) {
        const Value& now = number_of(trace_, slot);
        if (now.is(trace::Tag::integer) && now.as.i == value) return std::nullopt;
        std::optional<Blocked> blocked = edit_literal(now, value);
        if (!blocked) return std::nullopt;
        if (edit_place(slot, value)) return std::nullopt;
        return blocked;
    }

    // ---- the literal, wherever it stands

    std::optional<Blocked> edit_literal(const Value& now, std::int64_t value) {
        const Site literal = now.origin();
        if (!literal.known()) return Blocked{{"blocked.literal_unknown", {}}, std::nullopt};
        if (const auto known = edits_.find(literal); known != edits_.end() && known->second == value)
            return std::nullopt;
        const Kind kind = file(literal).tree.kind(literal.node);
        if (kind != Kind::integer && kind != Kind::unary_operator) {
            return Blocked{{"blocked.literal_computed", {}}, location_of(trace_, literal)};
        }
        const std::vector<LiteralUse> uses = uses_of_literal(trace_, literal);
        for (const LiteralUse& use : uses) {
            // One call may set the tile several times, each with wishes of its own.
            const std::size_t least = use.call.known() ? 2 : 1;
            if (!agrees(use, literal, value))
                return used_elsewhere(trace_, literal, use.site, std::max(uses.size(), least));
        }
        for (TileId id = 0; id < trace_.tiles.size(); ++id) {  // also what the search lost sight of
            for (const TileSlot& slot : slots_of(trace_, id)) {
                if (number_of(trace_, slot).origin() == literal && wants(slot) != value) {
                    return used_elsewhere(trace_, literal, trace_.tiles[id].call,
                                          std::max<std::size_t>(uses.size(), 2));
                }
            }
        }
        edits_[literal] = value;
        const std::string shared = shared_name_of_literal(trace_, literal);
        if (out_.read_as.empty()) out_.read_as = shared;
        return std::nullopt;
    }

    /// Does whoever uses the literal here want this number?
    bool agrees(const LiteralUse& use, Site literal, std::int64_t value) const {
        if (!use.call.known()) return false;
        const auto settings = by_call_.find(use.call);
        if (settings == by_call_.end()) return false;
        for (const TileId id : settings->second) {
            const TileSetting& setting = trace_.tiles[id];
            // A helper by itself, whose *tile nobody knows.
            if (setting.engine == TileSetting::Engine::vec && setting.vec.empty()) continue;
            const auto slot = slot_of(use, id);
            if (!slot) return false;
            // A setting that got another number got it under the same name.
            if (number_of(trace_, *slot).origin() == literal && wants(*slot) != value) return false;
        }
        return true;
    }

    /// The number of this setting that the argument gives.
    std::optional<TileSlot> slot_of(const LiteralUse& use, TileId id) const {
        const TileSetting& t = trace_.tiles[id];
        const auto index = [&](std::size_t depth) -> std::optional<std::uint32_t> {
            std::uint32_t number = 0;
            if (use.path.size() != depth + 1 || !use.path[depth].starts_with('#')) return std::nullopt;
            const std::string& key = use.path[depth];
            const auto [end, error] = std::from_chars(key.data() + 1, key.data() + key.size(), number);
            return error == std::errc{} ? std::optional(number) : std::nullopt;
        };
        if (t.engine == TileSetting::Engine::vec) {
            if (!use.keyword.empty()) return std::nullopt;
            std::optional<std::uint32_t> at = static_cast<std::uint32_t>(use.position);
            if (!use.path.empty()) at = use.position == 0 ? index(0) : std::nullopt;
            if (!at || *at >= t.vec.size()) return std::nullopt;
            return TileSlot{List::vec, id, *at};
        }
        std::size_t list = use.position + 1;
        if (!use.keyword.empty()) {
            list = static_cast<std::size_t>(std::ranges::find(kListNames, use.keyword) - std::begin(kListNames));
        }
        const auto at = index(0);
        if (list == 0 || list >= std::size(kListNames) || !at) return std::nullopt;
        const TileSlot slot{static_cast<List>(list), id, *at};
        const auto slots = slots_of(trace_, id);
        return std::ranges::find(slots, slot) != slots.end() ? std::optional(slot) : std::nullopt;
    }

    // ---- the expression in the call

    /// Where the number is handed over: an argument of the call, an item of a list.
    Site place_of(const TileSlot& slot) const {
        const TileSetting& t = trace_.tiles[slot.tile];
        Site list{};
        std::size_t count = t.vec.size();
        if (slot.list == List::vec) {
            if (!t.call.known()) return {};
            list = {t.call.file, file(t.call).tree.child(t.call.node, Field::arguments)};
            if (list.node == kNoNode) return {};
            const auto items = items_of(file(list).tree, list.node);
            if (items.size() == 1 && is_display(file(list).tree.kind(items[0]))) list.node = items[0];
        } else {
            list = list_of(t, slot.list).origin();
            count = slot.list == List::m ? t.m_count : slot.list == List::k ? t.k_count : t.n_count;
            if (!list.known() || !is_display(file(list).tree.kind(list.node))) return {};
        }
        const syntax::Tree& tree = file(list).tree;
        const auto items = items_of(tree, list.node);
        if (items.size() != count || slot.index >= count || is_spread(tree, items)) return {};
        return {list.file, items[slot.index]};
    }

    bool edit_place(const TileSlot& slot, std::int64_t value) {
        const Site place = place_of(slot);
        if (!place.known()) return false;
        if (const auto known = edits_.find(place); known != edits_.end()) return known->second == value;
        for (TileId id = 0; id < trace_.tiles.size(); ++id) {
            if (!counts_[id]) continue;
            for (const TileSlot& other : slots_of(trace_, id)) {
                if (place_of(other) == place && wants(other) != value) return false;
            }
        }
        const syntax::Tree& tree = file(place).tree;
        const Site call = trace_.tiles[slot.tile].call;
        const bool in_call = place.file == call.file && tree.is_inside(place.node, call.node);
        if (!in_call) {
            const Site list{place.file, tree.parent(place.node)};
            for (const LiteralUse& use : uses_of_literal(trace_, list)) {
                if (!use.call.known() || !by_call_.contains(use.call)) return false;
            }
            if (out_.read_as.empty()) out_.read_as = shared_name_of_literal(trace_, list);
        }
        edits_[place] = value;
        out_.at_literals = false;
        return true;
    }

    const Trace& trace_;
    std::map<TileSlot, std::int64_t> wanted_;
    std::vector<bool> counts_;  // not: numbers that are not known and that nothing runs under
    std::map<Site, std::vector<TileId>> by_call_;
    std::map<Site, std::int64_t> edits_;
    TileEdits out_;
};

}  // namespace

const Value& number_of(const Trace& trace, const TileSlot& slot) {
    const TileSetting& t = trace.tiles[slot.tile];
    switch (slot.list) {
        case List::m:
            return t.m[slot.index];
        case List::k:
            return t.k[slot.index];
        case List::n:
            return t.n[slot.index];
        case List::vec:
            break;
    }
    return t.vec[slot.index];
}

std::vector<TileSlot> slots_of(const Trace& trace, TileId tile) {
    const TileSetting& t = trace.tiles[tile];
    std::vector<TileSlot> slots;
    const auto add = [&](List list, std::size_t count) {
        for (std::uint32_t i = 0; i < count; ++i) slots.push_back({list, tile, i});
    };
    add(List::vec, t.vec.size());
    add(List::m, std::min<std::size_t>(t.m_count, 2));
    add(List::k, std::min<std::size_t>(t.k_count, 3));
    add(List::n, std::min<std::size_t>(t.n_count, 2));
    return slots;
}

void add_cube_changes(const hardware::CubeTile& tile, TileId id, const TileSetting& setting,
                      std::vector<TileChange>& changes) {
    const auto add = [&](List list, const std::vector<std::int64_t>& numbers) {
        for (std::uint32_t i = 0; i < numbers.size(); ++i) changes.push_back({{list, id, i}, numbers[i]});
    };
    std::vector k{tile.k_l0, tile.k_a_l1};
    if (setting.k_count == 3) k.push_back(tile.k_b_l1);
    add(List::m, {tile.m_l0, tile.m_l1});
    add(List::k, k);
    add(List::n, {tile.n_l0, tile.n_l1});
}

std::optional<rules::FileEdit> edit_list(const Trace& trace, const Value& list,
                                         const std::vector<std::int64_t>& numbers) {
    const Site site = list.origin();
    if (!site.known() || !list.is_sequence()) return std::nullopt;
    const SourceFile& file = *trace.files[site.file];
    const Kind kind = file.tree.kind(site.node);
    if (kind != Kind::list && kind != Kind::tuple) return std::nullopt;
    const auto items = items_of(file.tree, site.node);
    if (items.size() != list.as.list->items.size() || is_spread(file.tree, items)) return std::nullopt;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < numbers.size(); ++i) {  // what need not change stays as it is written
        const bool kept = i < items.size() && list.as.list->items[i].is(trace::Tag::integer) &&
                          list.as.list->items[i].as.i == numbers[i];
        texts.push_back(kept ? std::string(file.text(items[i])) : std::to_string(numbers[i]));
    }
    const text::Range inner{file.tree[items.front()].start, file.tree[items.back()].end};
    return replacement(site.file, inner, fmt::format("{}", fmt::join(texts, ", ")));
}

std::expected<TileEdits, Blocked> edit_tiles(const Trace& trace, const std::vector<TileChange>& changes) {
    return Editor(trace, changes).run();
}

}  // namespace ptofix::rewrites
