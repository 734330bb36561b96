// PTO103, PTO106, PTO107, PTO108: writes the nearest cube tile that is legal and fits, for every matmul that runs under
// the same call, whatever values it was reached with.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rewrites/cube_fit.h"
#include "rewrites/literal.h"
#include "rewrites/loop_checks.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_sharing.h"
#include "rewrites/tile_slots.h"
#include "trace/matmul.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using hardware::CubeTile;
using rules::Blocked;
using rules::Fix;
using rules::Rewrite;
using trace::CubeTileCall;
using trace::Matmul;
using trace::TileId;
using trace::TileSetting;
using trace::Trace;
using Number = std::int64_t;

constexpr Number kUsualLevel = 256;

std::vector<Number> k_list(const CubeTile& tile, const TileSetting& setting) {
    std::vector k{tile.k_l0, tile.k_a_l1};
    if (setting.k_count == 3) k.push_back(tile.k_b_l1);
    return k;
}

class CubeTiles {
  public:
    CubeTiles(const Trace& trace, const rules::CubeTileEvidence& evidence, hardware::Soc soc)
        : trace_(trace), evidence_(evidence), soc_(soc), pools_(hardware::pools(soc)) {
        const trace::Site call = trace.tiles[evidence.setting].call;
        for (CubeTileCall& c : trace::cube_tile_calls(trace)) {
            if (c.call == call) call_ = std::move(c);
        }
    }

    Rewrite run(std::string_view rule) {
        Rewrite rewrite;
        if (!trace_.tiles[evidence_.setting].known) {
            rewrite.fix = with_right_lengths();
            if (!rewrite.fix) rewrite.blocked = blocked("PTO103.blocked.tile_unknown");
            return rewrite;
        }
        auto fix = fix_with({.bound_l1 = true});
        if (!fix) {
            rewrite.blocked = std::move(fix.error());
            return rewrite;
        }
        rewrite.fix = std::move(*fix);
        // What the experience notes write: a tiny kL0 kept, or a level of 256.
        std::optional<CubeFitOptions> other;
        if (rule == "PTO107") other = CubeFitOptions{.bound_l1 = true, .keep_k_l0 = true};
        if (rule == "PTO106") other = CubeFitOptions{.bound_l1 = true, .longest_k_l1 = kUsualLevel};
        if (!other) return rewrite;
        auto alternative = fix_with(*other);
        if (alternative && alternative->edits != rewrite.fix->edits) {
            rewrite.alternatives.push_back(std::move(*alternative));
        }
        return rewrite;
    }

  private:
    Blocked blocked(std::string_view id) const { return blocked_at(trace_, id, trace_.tiles[evidence_.setting].call); }

    Blocked no_tile(NoCubeTile reason, std::span<const Matmul> matmuls) const {
        if (reason != NoCubeTile::k_too_short) return blocked("PTO103.blocked.no_tile");
        for (const Matmul& m : matmuls) {
            const Number step = hardware::cube_steps(m.form).k;
            if (!m.extent.k || *m.extent.k >= step) continue;
            Blocked out = blocked_at(trace_, "PTO103.blocked.pad_k", trace_.operations[m.op].site);
            out.reason.data.set("k_extent", *m.extent.k).set("step", step);
            out.reason.data.set("padded", hardware::round_up(*m.extent.k, step));
            return out;
        }
        return blocked("PTO103.blocked.no_tile");
    }

    std::expected<Fix, Blocked> fix_with(CubeFitOptions options) const {
        std::vector<TileChange> changes;
        CubeTile shown;
        for (const CubeTileCall::Setting& setting : call_.settings) {
            const auto tile = trace::cube_tile_of(trace_.tiles[setting.tile]);
            if (!tile) continue;
            options.one_k_l1 = trace_.tiles[setting.tile].k_count == 2;
            const auto nearest = nearest_cube_tile(*tile, setting.matmuls, pools_, options);
            if (!nearest) return std::unexpected(no_tile(nearest.error(), setting.matmuls));
            if (setting.tile == evidence_.setting) shown = *nearest;
            add_cube_changes(*nearest, setting.tile, trace_.tiles[setting.tile], changes);
        }
        auto edits = edit_shared_tiles(trace_, changes, soc_);
        if (!edits) return std::unexpected(std::move(edits.error()));
        Fix fix;
        fix.description = description(shown, trace_.tiles[evidence_.setting]);
        fix.edits = std::move(edits->edits);
        fix.read_as = std::move(edits->read_as);
        return fix;
    }

    static rules::Text description(const CubeTile& tile, const TileSetting& setting) {
        rules::Text text{"PTO103.fix.tile", {}};
        text.data.set("m", std::vector{tile.m_l0, tile.m_l1}).set("k", k_list(tile, setting));
        text.data.set("n", std::vector{tile.n_l0, tile.n_l1});
        return text;
    }

    /// [16] means [16, 16]; of too many numbers the first ones are L0 and L1.
    std::optional<Fix> with_right_lengths() const {
        const TileSetting& t = trace_.tiles[evidence_.setting];
        std::array lists{&t.m_list, &t.k_list, &t.n_list};
        Fix fix;
        std::array<std::vector<Number>, 3> numbers;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            const trace::Value& list = *lists[i];
            if (!list.is_sequence() || list.as.list->open || list.as.list->items.empty()) return std::nullopt;
            for (const trace::Value& v : list.as.list->items) {
                if (!v.is(trace::Tag::integer)) return std::nullopt;
                numbers[i].push_back(v.as.i);
            }
        }
        CubeTile tile;
        const auto at = [&](std::size_t list, std::size_t i) {
            return numbers[list][std::min(i, numbers[list].size() - 1)];
        };
        const bool three = numbers[1].size() == 3;
        tile = {.m_l0 = at(0, 0),
                .m_l1 = at(0, 1),
                .k_l0 = at(1, 0),
                .k_a_l1 = at(1, 1),
                .k_b_l1 = three ? at(1, 2) : at(1, 1),
                .n_l0 = at(2, 0),
                .n_l1 = at(2, 1)};
        std::vector<Matmul> matmuls;
        for (const auto& setting : call_.settings) {
            matmuls.insert(matmuls.end(), setting.matmuls.begin(), setting.matmuls.end());
        }
        const auto nearest = nearest_cube_tile(tile, matmuls, pools_, {.bound_l1 = true, .one_k_l1 = !three});
        if (!nearest) return std::nullopt;
        std::vector k{nearest->k_l0, nearest->k_a_l1};
        if (three) k.push_back(nearest->k_b_l1);
        const std::array wanted{std::vector{nearest->m_l0, nearest->m_l1}, k,
                                std::vector{nearest->n_l0, nearest->n_l1}};
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (numbers[i] == wanted[i]) continue;
            const auto edit = edit_list(trace_, *lists[i], wanted[i]);
            if (!edit || !is_for_this_call_alone(*lists[i])) return std::nullopt;
            const auto same_place = std::ranges::find(fix.edits, edit->range, &rules::FileEdit::range);
            if (same_place == fix.edits.end()) {
                fix.edits.push_back(*edit);
            } else if (*same_place != *edit) {
                return std::nullopt;
            }
        }
        fix.description.id = "PTO103.fix.tile";
        fix.description.data.set("m", wanted[0]).set("k", wanted[1]).set("n", wanted[2]);
        return fix;
    }

    bool is_for_this_call_alone(const trace::Value& list) const {
        const trace::Site call = trace_.tiles[evidence_.setting].call;
        return std::ranges::all_of(uses_of_literal(trace_, list.origin()),
                                   [&](const LiteralUse& use) { return use.call == call; });
    }

    const Trace& trace_;
    const rules::CubeTileEvidence& evidence_;
    const hardware::Soc soc_;
    const hardware::Pools& pools_;
    CubeTileCall call_;
};

}  // namespace

Rewrite cube_tile_shapes(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto* evidence = std::get_if<rules::CubeTileEvidence>(&finding.evidence);
    if (evidence == nullptr) return {};
    return CubeTiles(trace, *evidence, settings.soc).run(finding.rule);
}

}  // namespace ptofix::rewrites
