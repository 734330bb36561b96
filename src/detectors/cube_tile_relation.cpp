// PTO103: a cube tile that PyPTO refuses at the matmul: its numbers are not aligned, L1 is no multiple of L0, or a list
// has a wrong length. The checks are the framework's own (hardware/cube_check.h).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>

#include "detectors/detectors.h"
#include "detectors/places.h"
#include "hardware/cube_check.h"
#include "trace/matmul.h"
#include "trace/project.h"

namespace ptofix::detectors {

namespace {

using hardware::CubeFault;
using hardware::CubeProblem;
using hardware::CubeTile;
using trace::Matmul;
using trace::TileId;
using trace::TileSetting;
using trace::Trace;
using Number = std::int64_t;

// F0000C since 9.2.0-beta.1, the other one up to release 9.1.0.
constexpr std::string_view kTileCodes = "F0000C INVALID_TILE, FC4000";
constexpr std::string_view kAlignmentCodes = "F0000C INVALID_TILE, FC4001";
constexpr std::string_view kLengthCode = "F00002";

struct Relation {
    std::string l0_name, l1_name;
    Number l0 = 0, l1 = 0;
};

/// The pair that the compiler complains of.
Relation relation_of(const CubeTile& tile, char axis) {
    if (axis == 'm') return {"mL0", "mL1", tile.m_l0, tile.m_l1};
    if (axis == 'n') return {"nL0", "nL1", tile.n_l0, tile.n_l1};
    const bool a = tile.k_l0 > tile.k_a_l1 || tile.k_a_l1 % tile.k_l0 != 0;
    if (tile.k_a_l1 == tile.k_b_l1) return {"kL0", "kL1", tile.k_l0, tile.k_a_l1};
    return a ? Relation{"kL0", "kAL1", tile.k_l0, tile.k_a_l1} : Relation{"kL0", "kBL1", tile.k_l0, tile.k_b_l1};
}

void set_tile(rules::Data& data, const CubeTile& tile) {
    data.set("m", std::vector{tile.m_l0, tile.m_l1});
    std::vector k{tile.k_l0, tile.k_a_l1};
    if (tile.k_b_l1 != tile.k_a_l1) k.push_back(tile.k_b_l1);
    data.set("k", std::move(k));
    data.set("n", std::vector{tile.n_l0, tile.n_l1});
}

rules::Text message_of(const CubeTile& tile, const CubeProblem& problem, const Matmul& matmul) {
    rules::Text text;
    rules::Data& data = text.data;
    const auto number = [&] { return problem.axis == 'm' ? tile.m_l0 : problem.axis == 'n' ? tile.n_l0 : tile.k_l0; };
    switch (problem.fault) {
        case CubeFault::not_positive:
            text.id = "PTO103.found.not_positive";
            break;
        case CubeFault::l0_alignment:
            text.id = "PTO103.found.alignment";
            data.set("name", fmt::format("{}L0", problem.axis)).set("value", number());
            break;
        case CubeFault::relation: {
            const Relation pair = relation_of(tile, problem.axis);
            const auto k = matmul.extent.k;
            const bool quotient =
                problem.axis == 'k' && k && pair.l0 > 0 && *k % pair.l0 == 0 && *k / pair.l0 == pair.l1;
            text.id = quotient ? "PTO103.found.quotient" : "PTO103.found.relation";
            data.set("l0_name", pair.l0_name).set("l0", pair.l0).set("l1_name", pair.l1_name).set("l1", pair.l1);
            if (quotient) data.set("k_extent", *k);
            break;
        }
        case CubeFault::byte_alignment: {
            const hardware::DType dtype = problem.axis == 'n' ? matmul.form.b : matmul.form.a;
            text.id = "PTO103.found.bytes";
            data.set("name", fmt::format("{}L0", problem.axis)).set("value", number());
            data.set("dtype", std::string(hardware::pypto_name(dtype)));
            data.set("bytes", hardware::saturating_multiply(number(), hardware::size_of(dtype)));
            data.set("elements", hardware::kCubeAlignBytes / hardware::size_of(dtype));
            break;
        }
        case CubeFault::nz_alignment:
            text.id = "PTO103.found.layout";
            data.set("name", fmt::format("{}L0", problem.axis)).set("value", number());
            break;
        case CubeFault::scaled_alignment:
            text.id = "PTO103.found.scaled";
            data.set("value", number());
            break;
        case CubeFault::l1_ratio:
            text.id = "PTO103.found.l1_ratio";
            data.set("k_a_l1", tile.k_a_l1).set("k_b_l1", tile.k_b_l1).set("k_extent", matmul.extent.k.value_or(0));
            break;
    }
    set_tile(data, tile);
    const bool alignment = problem.fault != CubeFault::not_positive && problem.fault != CubeFault::relation &&
                           problem.fault != CubeFault::l1_ratio;
    data.set("codes", std::string(alignment ? kAlignmentCodes : kTileCodes)).set("compiler", problem.said);
    return text;
}

rules::Finding finding_at(const Trace& trace, TileId setting, rules::Text message) {
    rules::Finding finding;
    finding.rule = "PTO103";
    finding.severity = rules::Severity::error;
    finding.location = location_of(trace, trace.tiles[setting].call);
    finding.message = std::move(message);
    return finding;
}

bool is_written(const Trace& trace, const trace::Value& value) {
    const trace::Site site = value.origin();
    return site.known() && trace.files[site.file]->tree.kind(site.node) == syntax::Kind::integer;
}

/// Numbers that come out of a computation, in code that others run with numbers that are fine: whether the ones that
/// fail are ever compiled is not known.
bool is_one_of_several(const Trace& trace, const trace::CubeTileCall& call, TileId failing, char axis) {
    const TileSetting& t = trace.tiles[failing];
    const std::span<const trace::Value> numbers = axis == 'm'   ? std::span<const trace::Value>(t.m)
                                                  : axis == 'n' ? std::span<const trace::Value>(t.n)
                                                                : std::span<const trace::Value>(t.k);
    if (std::ranges::all_of(numbers, [&](const trace::Value& v) { return is_written(trace, v); })) return false;
    return std::ranges::any_of(call.settings, [&](const auto& setting) {
        const auto tile = trace::cube_tile_of(trace.tiles[setting.tile]);
        return tile && std::ranges::none_of(setting.matmuls, [&](const Matmul& m) {
                   return hardware::cube_problem(*tile, m.form, m.extent).has_value();
               });
    });
}

/// The matmuls of one call that are refused; the first of them is named.
void check(const Trace& trace, const trace::CubeTileCall& call, std::vector<rules::Finding>& out) {
    std::optional<rules::Finding> first;
    Number refused = 0;
    for (const auto& setting : call.settings) {
        const auto tile = trace::cube_tile_of(trace.tiles[setting.tile]);
        if (!tile) continue;
        for (const Matmul& matmul : setting.matmuls) {
            const auto problem = hardware::cube_problem(*tile, matmul.form, matmul.extent);
            if (!problem) continue;
            ++refused;
            if (first) continue;
            first = finding_at(trace, setting.tile, message_of(*tile, *problem, matmul));
            if (is_one_of_several(trace, call, setting.tile, problem->axis)) first->severity = rules::Severity::warning;
            first->evidence = rules::CubeTileEvidence{.setting = setting.tile, .matmul = matmul.op};
            const rules::Location place = location_of(trace, trace.operations[matmul.op].site);
            first->related.push_back({place, {"PTO103.related.matmul", {}}});
        }
    }
    if (!first) return;
    first->message.data.set("matmuls", refused);
    out.push_back(*std::move(first));
}

/// Lists that PyPTO refuses before it looks at a matmul.
void check_lengths(const Trace& trace, std::vector<rules::Finding>& out) {
    std::set<trace::Site> seen;
    for (TileId id = 0; id < trace.tiles.size(); ++id) {
        const TileSetting& t = trace.tiles[id];
        if (t.engine != TileSetting::Engine::cube || t.known || !t.call.known()) continue;
        const auto report = [&](char axis, std::uint8_t count, std::string_view wanted) {
            if (!seen.insert(t.call).second) return;
            rules::Text text{"PTO103.found.length", {}};
            text.data.set("axis", std::string(1, axis)).set("count", std::int64_t{count});
            text.data.set("wanted", std::string(axis == 'k' ? "2 or 3" : "2")).set("codes", std::string(kLengthCode));
            text.data.set("compiler", fmt::format("ValueError: {} must have {} elements, got {}", axis, wanted, count));
            rules::Finding finding = finding_at(trace, id, std::move(text));
            finding.evidence = rules::CubeTileEvidence{.setting = id, .matmul = trace::kNone};
            out.push_back(std::move(finding));
        };
        const auto given = [](const trace::Value& list) { return list.is_sequence() && !list.as.list->open; };
        if (given(t.m_list) && t.m_count != 2 && t.m_count != 0) report('m', t.m_count, "exactly 2");
        if (given(t.n_list) && t.n_count != 2 && t.n_count != 0) report('n', t.n_count, "exactly 2");
        if (given(t.k_list) && (t.k_count == 1 || t.k_count > 3)) report('k', t.k_count, "2 or 3");
    }
}

}  // namespace

void cube_tile_relation(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    check_lengths(trace, out);
    for (const trace::CubeTileCall& call : trace::cube_tile_calls(trace)) check(trace, call, out);
}

}  // namespace ptofix::detectors
