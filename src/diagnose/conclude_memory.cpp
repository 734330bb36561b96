// F40005: bytes back to an element count, a shape, an operation and its line; one operation or several; the direction.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "diagnose/buffer_match.h"
#include "diagnose/case.h"
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

rules::Location location_of(const trace::Trace& trace, trace::Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

std::vector<Number> numbers_of(const trace::TileSetting& tile) {
    std::vector<Number> numbers;
    const auto add = [&](const trace::Value& v) {
        if (v.tag == trace::Tag::integer) numbers.push_back(v.as.i);
    };
    for (const trace::Value& v : tile.vec) add(v);
    if (tile.engine == trace::TileSetting::Engine::cube) {
        for (const trace::Value& v : tile.m) add(v);
        for (std::size_t i = 0; i < (tile.k_count == 3 ? 3U : 2U); ++i) add(tile.k[i]);
        for (const trace::Value& v : tile.n) add(v);
    }
    return numbers;
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
          overflow_(std::get<PoolOverflow>(all.log.events[index].what)),
          verdict_(verdict_of(all, index, Kind::memory)) {}

    Verdict run() {
        verdict_.pool = overflow_.pool;
        if (verdict_.pass.empty()) verdict_.pass = "OoOSchedule";
        verdict_.stage = "Pass";
        verdict_.headline = headline();
        verdict_.shapes = shapes_of(overflow_);
        search();
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

    void search() {
        for (std::size_t i = 0; i < all_.analyses.size(); ++i) {
            const fixing::Analysis& analysis = all_.analyses[i];
            if (analysis.trace == nullptr) continue;
            const BufferSearch found = find_buffers(*analysis.trace, overflow_, all_.soc, verdict_.selector.kernels);
            for (const BufferMatch& match : found.matches) {
                verdict_.matches.push_back(match_in(*analysis.trace, i, match));
            }
            unknown_ += found.unknown;
        }
        // What fits without a guess at an open dim is the better answer.
        const auto is_guess = [](const OperationMatch& match) { return match.with.has_value(); };
        if (!std::ranges::all_of(verdict_.matches, is_guess)) std::erase_if(verdict_.matches, is_guess);
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
        const bool single = !verdict_.matches.empty() || !overflow_.operation.empty() || !is_vector() || printed;
        verdict_.together = Together::unknown;
        if (overflow_.size && single) {
            verdict_.together = Together::single;
        } else if (overflow_.size && all_.has_kernels() && unknown_ == 0) {
            verdict_.together = Together::several;
        }
        choose_rules();
        const std::vector<TakenFinding> found = settle(all_, verdict_);
        tell_together();
        tell_direction(found);
        const bool exact = verdict_.matches.size() == 1 && !verdict_.matches.front().with;
        verdict_.confidence = exact && !found.empty() ? Confidence::certain
                              : !verdict_.matches.empty() || printed || verdict_.together == Together::several
                                  ? Confidence::likely
                                  : Confidence::possible;
    }

    void choose_rules() {
        verdict_.selector.about = overflow_;
        if (is_vector()) {
            verdict_.selector.rules = {"PTO104", "PTO105", "PTO101"};
        } else {
            verdict_.selector.rules = {"PTO106", "PTO107", "PTO108"};
        }
    }

    void tell_together() {
        if (verdict_.together == Together::single) {
            verdict_.reasons.push_back(
                {is_vector() ? "diagnose.memory.single" : "diagnose.memory.single_cube", numbers()});
            verdict_.no_use.push_back(
                {is_vector() ? "diagnose.no_use.schedule" : "diagnose.no_use.vector_settings", numbers()});
        } else if (verdict_.together == Together::several) {
            verdict_.reasons.push_back({"diagnose.memory.several", numbers()});
            verdict_.no_use.push_back({"diagnose.no_use.one_operation", numbers()});
        } else if (overflow_.size && all_.has_kernels()) {
            verdict_.reasons.push_back(
                {"diagnose.memory.unknown", numbers().set("count", static_cast<Number>(unknown_))});
        }
    }

    void tell_direction(const std::vector<TakenFinding>& found) {
        for (const std::string_view rule : verdict_.selector.rules) verdict_.advice.push_back(direction_of(rule));
        if (!found.empty()) return;
        if (verdict_.together == Together::several) {
            // Only the unroll list is left: the rule says itself whether there is one.
            verdict_.selector.rules = {"PTO102"};
            verdict_.advice.push_back({"diagnose.direction.unroll_levels", {}});
            return;
        }
        if (!verdict_.matches.empty()) verdict_.advice.push_back({"diagnose.advice.no_finding", {}});
        verdict_.advice.push_back({advice_for(overflow_.pool), numbers()});
    }

    const Case& all_;
    const PoolOverflow& overflow_;
    Verdict verdict_;
    std::size_t unknown_ = 0;
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
