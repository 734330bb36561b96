// F40005: bytes back to an element count, a shape, an operation and its line; one operation or several; the direction.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "detectors/log_facts.h"
#include "diagnose/buffer_match.h"
#include "diagnose/case.h"
#include "diagnose/places.h"
#include "diagnose/shared.h"
#include "diagnose/size_shapes.h"
#include "hardware/tile.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/vector_buffers.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;
using rules::Text;
using Number = std::int64_t;

constexpr std::size_t kMostMatchesTold = 3;

struct Advice {
    std::string_view pool, text;
};
constexpr std::array kAdvice{
    Advice{"UB", "diagnose.advice.ub"},   Advice{"L0A", "diagnose.advice.l0a"}, Advice{"L0B", "diagnose.advice.l0b"},
    Advice{"L0C", "diagnose.advice.l0c"}, Advice{"L1", "diagnose.advice.l1"},   Advice{"BT", "diagnose.advice.bt"},
};

std::string_view advice_for(std::string_view pool) {
    const auto found = std::ranges::find(kAdvice, pool, &Advice::pool);
    return found == kAdvice.end() ? std::string_view("diagnose.advice.fb") : found->text;
}

OperationMatch match_in(const trace::Trace& trace, std::size_t analysis, const BufferMatch& found) {
    const trace::Operation& op = trace.operations[found.op];
    OperationMatch match;
    match.analysis = analysis;
    match.op = found.op;
    match.tile = found.tile;
    match.kernel = trace.kernels[op.kernel].name;
    match.operation = trace::info(op.code).name;
    match.step = found.step;
    match.shape = found.shape;
    match.dtype = hardware::pypto_name(found.dtype);
    match.place = location_of(trace, op.site);
    if (found.tile != trace::kNone) {
        const trace::TileSetting& tile = trace.tiles[found.tile];
        if (tile.call.known()) match.tile_place = location_of(trace, tile.call);
        match.tile_numbers = numbers_of(tile);
    }
    match.with = found.with;
    return match;
}

class Memory {
  public:
    Memory(const Case& all, std::size_t index)
        : all_(all),
          function_(function_of(all.log.events[index])),
          overflow_(std::get<PoolOverflow>(all.log.events[index].what)),
          verdict_(verdict_of(all, index, Kind::memory)) {}

    Verdict run() {
        verdict_.pool = overflow_.pool;
        if (verdict_.pass.empty()) verdict_.pass = "OoOSchedule";
        verdict_.stage = "Pass";
        verdict_.headline = headline();
        verdict_.shapes = shapes_of(overflow_);
        doubt_limit();
        if (!verdict_.selector.nothing) search();
        explain();
        decide();
        return std::move(verdict_);
    }

  private:
    bool is_vector() const { return overflow_.pool == "UB"; }

    Data numbers() const {
        Data data;
        data.set("code", verdict_.code).set("pool", overflow_.pool).set("size", overflow_.size.value_or(0));
        data.set("limit", overflow_.limit.value_or(0)).set("operation", overflow_.operation);
        return data;
    }

    Text headline() const {
        if (!overflow_.size || !overflow_.limit) return {"diagnose.memory.no_number", numbers()};
        return {overflow_.operation.empty() ? "diagnose.memory.buffer" : "diagnose.memory.operation", numbers()};
    }

    /// A limit that no chip has cannot be kept by a fix, and what fits is no overflow.
    void doubt_limit() {
        if (!overflow_.limit || !all_.has_kernels()) return;
        if (overflow_.size && *overflow_.size <= *overflow_.limit) {
            verdict_.reasons.push_back({"diagnose.memory.fits", numbers()});
        } else if (!is_of_a_chip(overflow_.pool, *overflow_.limit)) {
            verdict_.reasons.push_back({"diagnose.memory.unknown_limit", numbers()});
        } else {
            return;
        }
        verdict_.selector.nothing = true;
    }

    static bool is_of_a_chip(std::string_view pool, Number limit) {
        return std::ranges::any_of(hardware::all_pools(), [&](const hardware::Pools& pools) {
            const Number size = pool_size(pools, pool);
            return size == 0 || size == limit;
        });
    }

    /// The unrolled loops that may be the one whose copies are too many, each once.
    void find_unrolled() {
        const bool named = std::ranges::any_of(all_.analyses, [&](const fixing::Analysis& analysis) {
            return analysis.trace != nullptr && !loops_named(*analysis.trace, function_).empty();
        });
        std::vector<std::pair<std::string, std::size_t>> seen;
        for (const fixing::Analysis& analysis : all_.analyses) {
            if (analysis.trace == nullptr) continue;
            const trace::Trace& trace = *analysis.trace;
            const std::vector<trace::LoopId> of_name = loops_named(trace, function_);
            for (trace::LoopId id = 0; id < trace.loops.size(); ++id) {
                const trace::Loop& loop = trace.loops[id];
                if (loop.kernel == trace::kNone || !detectors::may_accumulate(loop, function_.unroll)) continue;
                if (named && std::ranges::find(of_name, id) == of_name.end()) continue;
                const std::string_view kernel = trace.kernels[loop.kernel].name;
                const std::vector<std::string>& kernels = verdict_.selector.kernels;
                if (!kernels.empty() && std::ranges::find(kernels, kernel) == kernels.end()) continue;
                std::pair<std::string, std::size_t> place{analysis.path(loop.site.file),
                                                          location_of(trace, loop.site).range.start};
                if (std::ranges::find(seen, place) != seen.end()) continue;
                seen.push_back(std::move(place));
                unrolled_places_.push_back(place_text(analysis, location_of(trace, loop.site)));
                const bool has_name = loop.spec->name.tag == trace::Tag::string;
                unrolled_.push_back(
                    {std::string(kernel), has_name ? *loop.spec->name.as.text : std::string{}, function_.unroll});
            }
        }
    }

    void search() {
        for (std::size_t i = 0; i < all_.analyses.size(); ++i) {
            const fixing::Analysis& analysis = all_.analyses[i];
            if (analysis.trace == nullptr) continue;
            const BufferSearch found = find_buffers(*analysis.trace, overflow_, all_.soc, verdict_.selector.kernels);
            for (const BufferMatch& match : found.matches) {
                verdict_.matches.push_back(match_in(*analysis.trace, i, match));
            }
            unknown_ += found.unknown;
            if (found.other && (!other_ || found.other->is_usual)) other_ = {i, *found.other};
        }
        // What fits without a guess at an open dim is the better answer.
        const auto is_guess = [](const OperationMatch& match) { return match.with.has_value(); };
        if (!std::ranges::all_of(verdict_.matches, is_guess)) std::erase_if(verdict_.matches, is_guess);
        find_unrolled();
    }

    void explain() {
        if (!overflow_.size) return;
        tell_elements();
        std::size_t told = 0;
        for (const OperationMatch& match : verdict_.matches) {
            if (told++ == kMostMatchesTold) {
                const auto more = static_cast<Number>(verdict_.matches.size() - kMostMatchesTold);
                verdict_.reasons.push_back({"diagnose.memory.more", Data().set("count", more)});
                break;
            }
            verdict_.reasons.push_back(words_of(match));
        }
    }

    void tell_elements() {
        const bool sum = !overflow_.operation.empty();
        if (!verdict_.shapes.empty() && verdict_.shapes.front().printed) {
            tell_shape("diagnose.memory.printed", verdict_.shapes.front().dtype, verdict_.shapes.front().shape);
        } else if (!verdict_.matches.empty() && !sum) {
            tell_shape("diagnose.memory.elements", verdict_.matches.front().dtype, verdict_.matches.front().shape);
        } else if (verdict_.matches.empty() && !sum && !all_.has_kernels()) {
            for (const ShapeGuess& guess : verdict_.shapes) {
                tell_shape("diagnose.memory.guess", guess.dtype, guess.shape);
            }
        }
        if (sum && !overflow_.operations.empty()) tell_operands(overflow_.operations.front());
    }

    void tell_operands(const PrintedOperation& operation) {
        std::vector<std::string> operands;
        for (const auto* list : {&operation.inputs, &operation.outputs}) {
            for (const PrintedTensor& tensor : *list) {
                operands.push_back(fmt::format("{} {}", tuple_text(tensor.shape), tensor.dtype));
            }
        }
        if (operands.empty()) return;
        verdict_.reasons.push_back(
            {"diagnose.memory.operands",
             Data().set("operation", operation.name).set("operands", fmt::format("{}", fmt::join(operands, ", ")))});
    }

    void tell_shape(std::string_view id, const std::string& dtype, const std::vector<Number>& shape) {
        const auto type = hardware::dtype_of_pypto_name(dtype);
        const Number width = type ? std::max(hardware::size_of(*type), 1) : 1;
        Number elements = 1;
        for (const Number extent : shape) elements = hardware::saturating_multiply(elements, extent);
        Data data = numbers();
        data.set("dtype", dtype).set("width", width).set("elements", *overflow_.size / width);
        data.set("shape", shape.size() == 1 ? fmt::format("{}", shape.front()) : product_text(shape));
        verdict_.reasons.push_back({id, std::move(data)});
    }

    Text words_of(const OperationMatch& match) const {
        const fixing::Analysis& analysis = all_.analyses[match.analysis];
        Data data;
        data.set("place", place_text(analysis, match.place)).set("operation", match.operation);
        data.set("step", match.step).set("shape", tuple_text(match.shape)).set("dtype", match.dtype);
        data.set("tile", tuple_text(match.tile_numbers));
        data.set("tile_line", match.tile_place ? line_text(analysis, *match.tile_place) : 0);
        if (match.with) {
            std::string name = match.with->name;
            if (match.with->axis) name += fmt::format(".shape[{}]", *match.with->axis);
            data.set("name", name).set("value", match.with->value);
            return {"diagnose.memory.match_with", std::move(data)};
        }
        if (!is_vector()) return {"diagnose.memory.match_cube", std::move(data)};
        return {overflow_.operation.empty() ? "diagnose.memory.match" : "diagnose.memory.match_sum", std::move(data)};
    }

    void decide() {
        const bool printed = !verdict_.shapes.empty() && verdict_.shapes.front().printed;
        // The compiler adds up the operands of one operation: that message is never about several.
        const bool single = !verdict_.matches.empty() || !overflow_.operation.empty() || !is_vector() || printed ||
                            !overflow_.operations.empty();
        verdict_.together = Together::unknown;
        const bool known = unknown_ == 0 && !is_of_other_text() && !unrolled_.empty();
        if (verdict_.selector.nothing) {
            // What it would be is not asked of other kernels.
        } else if (overflow_.size && single) {
            verdict_.together = Together::single;
        } else if (overflow_.size && all_.has_kernels() && known) {
            verdict_.together = Together::several;
        }
        choose_rules();
        std::vector<TakenFinding> found = settle(all_, verdict_);
        tell_together();
        // Kernels that would all be too large, and a log that names none of them.
        const bool several_kernels = verdict_.selector.kernels.size() < 2 && untie_if_ambiguous(all_, found, verdict_);
        if (several_kernels) return;
        tell_direction(found);
        if (unrolled_.size() > 1 && verdict_.together == Together::several) return;
        const bool exact = verdict_.matches.size() == 1 && !verdict_.matches.front().with;
        verdict_.confidence = exact && !found.empty() ? Confidence::certain
                              : !verdict_.matches.empty() || printed || verdict_.together == Together::several
                                  ? Confidence::likely
                                  : Confidence::possible;
    }

    bool is_of_other_text() const { return other_ && other_->second.is_usual; }

    Text other_text(std::string_view id) const {
        const fixing::Analysis& analysis = all_.analyses[other_->first];
        const trace::Operation& op = analysis.trace->operations[other_->second.op];
        Data data;
        data.set("place", place_text(analysis, location_of(*analysis.trace, op.site)));
        data.set("operation", std::string(trace::info(op.code).name)).set("tile", tuple_text(other_->second.tile));
        return {id, std::move(data)};
    }

    void choose_rules() {
        verdict_.selector.about = overflow_;
        if (is_vector()) {
            verdict_.selector.rules = {"PTO104", "PTO105", "PTO101"};
        } else {
            verdict_.selector.rules = {"PTO106", "PTO107", "PTO108"};
        }
    }

    /// Why nothing can be said to be too large.
    void tell_unknown() {
        if (unknown_ > 0) {
            verdict_.reasons.push_back(
                {"diagnose.memory.unknown", numbers().set("count", static_cast<Number>(unknown_))});
        } else if (is_of_other_text()) {
            verdict_.reasons.push_back(other_text("diagnose.memory.other_tile"));
        } else if (function_.unroll == 1) {
            verdict_.reasons.push_back({"diagnose.memory.not_unrolled", numbers()});
        } else {
            verdict_.reasons.push_back({"diagnose.memory.no_copies", numbers()});
        }
    }

    void tell_together() {
        if (verdict_.selector.nothing) return;
        if (!overflow_.operations.empty() && overflow_.operation.empty() && is_vector() && verdict_.matches.empty() &&
            all_.has_kernels() && unknown_ == 0) {
            verdict_.reasons.push_back({"diagnose.memory.contradicts", numbers()});
        }
        if (verdict_.together == Together::single) {
            verdict_.reasons.push_back(
                {is_vector() ? "diagnose.memory.single" : "diagnose.memory.single_cube", numbers()});
            verdict_.no_use.push_back(
                {is_vector() ? "diagnose.no_use.schedule" : "diagnose.no_use.vector_settings", numbers()});
        } else if (verdict_.together == Together::several) {
            verdict_.reasons.push_back({"diagnose.memory.several", numbers()});
            if (other_) verdict_.reasons.push_back(other_text("diagnose.memory.other_tile_too"));
            verdict_.no_use.push_back({"diagnose.no_use.one_operation", numbers()});
        } else if (overflow_.size && all_.has_kernels()) {
            tell_unknown();
        }
    }

    std::string places_of_unrolled() const {
        constexpr std::size_t kMostNamed = 4;
        std::vector<std::string> shown = unrolled_places_;
        if (shown.size() > kMostNamed) {
            shown.resize(kMostNamed);
            shown.emplace_back("...");
        }
        return fmt::format("{}", fmt::join(shown, ", "));
    }

    void tell_direction(const std::vector<TakenFinding>& found) {
        for (const std::string_view rule : verdict_.selector.rules) verdict_.advice.push_back(direction_of(rule));
        if (!found.empty()) return;
        if (verdict_.together == Together::several) {
            // Only the unroll list is left: the rule says itself whether there is one.
            if (unrolled_.size() > 1) {
                verdict_.reasons.push_back(
                    {"diagnose.memory.several_loops",
                     Data().set("count", static_cast<Number>(unrolled_.size())).set("places", places_of_unrolled())});
                verdict_.confidence = Confidence::possible;
            } else {
                verdict_.selector.rules = {"PTO102"};
                verdict_.unrolled = unrolled_.front();
            }
            verdict_.advice.push_back({"diagnose.direction.unroll_levels", {}});
            return;
        }
        if (!verdict_.matches.empty()) verdict_.advice.push_back({"diagnose.advice.no_finding", {}});
        if (overflow_.size && overflow_.limit && *overflow_.size <= *overflow_.limit) return;
        Data data = numbers();
        const hardware::Pools& pools = hardware::pools(all_.soc);
        const Number size = pool_size(pools, overflow_.pool);
        if (!overflow_.limit) data.set("limit", size > 0 ? size : pools.fb);
        verdict_.advice.push_back({advice_for(overflow_.pool), std::move(data)});
    }

    const Case& all_;
    const FunctionName function_;
    const PoolOverflow& overflow_;
    Verdict verdict_;
    std::size_t unknown_ = 0;
    std::optional<std::pair<std::size_t, OtherTile>> other_;  // with its analysis
    std::vector<UnrolledLoop> unrolled_;
    std::vector<std::string> unrolled_places_;  // "kernel.py:12", by unrolled_
};

}  // namespace

void conclude_memory(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        if (!std::holds_alternative<PoolOverflow>(all.log.events[i].what)) continue;
        done[i] = true;
        out.push_back(Memory(all, i).run());
    }
}

}  // namespace ptofix::diagnose
