#include "diagnose/tie.h"

#include <algorithm>

#include "diagnose/shared.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::diagnose {

namespace {

using trace::kNone;

constexpr std::size_t kMostTold = 3;

OperationMatch match_of(const Case& all, const Tied& tied) {
    const trace::Trace& trace = *all.analyses[tied.analysis].trace;
    const CallPlace& place = tied.place;
    OperationMatch match;
    match.analysis = tied.analysis;
    match.op = place.op;
    match.tile = place.tile;
    if (place.kernel != kNone) match.kernel = trace.kernels[place.kernel].name;
    match.operation = place.op == kNone ? place.name : std::string(trace::info(trace.operations[place.op].code).name);
    match.place = location_of(trace, place.site);
    if (place.tensor != trace::kNoTensor) {
        match.dtype = hardware::pypto_name(trace.tensors[place.tensor].type.dtype);
        match.shape = trace::known_shape(trace, place.tensor).value_or(std::vector<std::int64_t>{});
    }
    if (place.tile != kNone) {
        const trace::TileSetting& tile = trace.tiles[place.tile];
        if (tile.call.known()) match.tile_place = location_of(trace, tile.call);
        match.tile_numbers = numbers_of(tile);
    }
    return match;
}

/// What the traceback leads to is what is fixed, and nothing that looks like it in another kernel.
void follow(const Case& all, const std::vector<Tied>& places, Verdict& verdict) {
    for (const Tied& tied : places) {
        if (tied.place.kernel == kNone) continue;
        std::string name(all.analyses[tied.analysis].trace->kernels[tied.place.kernel].name);
        std::vector<std::string>& kernels = verdict.selector.kernels;
        if (&tied == &places.front()) kernels.clear();
        if (std::ranges::find(kernels, name) == kernels.end()) kernels.push_back(std::move(name));
    }
}

rules::Text tile_number_text(const Case& all, const Tied& tied) {
    const fixing::Analysis& analysis = all.analyses[tied.analysis];
    const trace::Trace& trace = *analysis.trace;
    rules::Data data;
    data.set("place", place_text(analysis, location_of(trace, tied.place.site)));
    data.set("operation", std::string(trace::info(trace.operations[tied.place.op].code).name));
    set_tile(analysis, tied.place.tile, data);
    const bool has_line = data.find("tile_line") != nullptr;
    return {has_line ? "diagnose.vec.at_numbers" : "diagnose.vec.at_numbers_untold", std::move(data)};
}

rules::Text tile_number_cure(const Tied& tied) {
    if (!tied.place.extent) return {"diagnose.advice.tile_numbers", {}};
    return {"diagnose.advice.tile_numbers_at", rules::Data().set("extent", *tied.place.extent)};
}

}  // namespace

bool settle_places(const Case& all, std::vector<Tied>& places, Verdict& verdict) {
    const auto is_traced = [&](const Tied& tied) {
        const fixing::Analysis& analysis = all.analyses[tied.analysis];
        return is_in_traceback(all.log, analysis, location_of(*analysis.trace, tied.place.site));
    };
    if (std::ranges::any_of(places, is_traced)) {
        std::erase_if(places, [&](const Tied& tied) { return !is_traced(tied); });
        follow(all, places, verdict);
    }
    std::vector<std::string> kernels;
    for (const Tied& tied : places) {
        verdict.matches.push_back(match_of(all, tied));
        if (tied.place.kernel == kNone) continue;
        std::string name = kernel_text(all.analyses[tied.analysis], tied.place.kernel);
        if (std::ranges::find(kernels, name) == kernels.end()) kernels.push_back(std::move(name));
    }
    if (kernels.size() > 1) {
        untie(kernels, verdict);
        return true;
    }
    verdict.confidence = places.empty()       ? Confidence::possible
                         : places.size() == 1 ? Confidence::certain
                                              : Confidence::likely;
    if (places.size() > kMostTold) {
        const auto more = static_cast<std::int64_t>(places.size() - kMostTold);
        verdict.reasons.push_back({"diagnose.call.more", rules::Data().set("count", more)});
        places.resize(kMostTold);
    }
    return false;
}

bool tell_tile_number(const Case& all, const VecTileRefused& refused, Verdict& verdict) {
    std::vector<Tied> places;
    for (std::size_t i = 0; !verdict.selector.nothing && i < all.analyses.size(); ++i) {
        if (all.analyses[i].trace == nullptr) continue;
        for (CallPlace& place : find_tile_numbers(*all.analyses[i].trace, refused, verdict.selector.kernels)) {
            places.push_back({i, std::move(place)});
        }
    }
    if (settle_places(all, places, verdict)) return true;
    for (const Tied& tied : places) verdict.reasons.push_back(tile_number_text(all, tied));
    if (places.empty()) return false;
    verdict.selector.rules = {"PTO301"};
    verdict.selector.about = refused;
    if (settle(all, verdict).empty()) verdict.advice.push_back(tile_number_cure(places.front()));
    return true;
}

void set_tile(const fixing::Analysis& analysis, trace::TileId tile, rules::Data& data) {
    if (tile == kNone) return;
    const trace::TileSetting& setting = analysis.trace->tiles[tile];
    data.set("tile", tuple_text(numbers_of(setting)));
    if (setting.call.known()) data.set("tile_line", line_text(analysis, location_of(*analysis.trace, setting.call)));
}

}  // namespace ptofix::diagnose
