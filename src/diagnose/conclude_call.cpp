// F00002, F00007, F0000A, F0000B, F0FFFF, F2FFFF and FC0002: the frontend refuses an operation, a loop or an option for
// what it was given. The message has the numbers, the kernel the line. No rule stands for these: what to write is said
// with its numbers, and why it is not written.
#include <algorithm>

#include "diagnose/call_places.h"
#include "diagnose/case.h"
#include "diagnose/shared.h"
#include "diagnose/tie.h"
#include "hardware/tile.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;
using rules::Text;
using trace::kNone;
using Number = std::int64_t;
using Fault = CallRefused::Fault;

struct Words {
    std::string_view headline, short_headline, no_use, advice;
};

Words words_of(Fault fault) {
    switch (fault) {
        case Fault::rank:
            return {"diagnose.call.rank", "diagnose.call.rank_short", "diagnose.no_use.rank", "diagnose.advice.rank"};
        case Fault::inner_axis:
            return {"diagnose.call.inner", "diagnose.call.inner_short", "diagnose.no_use.inner",
                    "diagnose.advice.inner"};
        case Fault::split_type:
            return {"diagnose.call.split", "diagnose.call.split", "diagnose.no_use.split", "diagnose.advice.split"};
        case Fault::dynamic_dim:
            return {"diagnose.call.dynamic", "diagnose.call.dynamic_short", "diagnose.no_use.dynamic",
                    "diagnose.advice.dynamic"};
        case Fault::unroll:
            return {"diagnose.call.unroll", "diagnose.call.unroll_short", "diagnose.no_use.unroll",
                    "diagnose.advice.unroll"};
        case Fault::division:
            return {"diagnose.call.division", "diagnose.call.division", "diagnose.no_use.unroll",
                    "diagnose.advice.unroll"};
        case Fault::option:
            break;
    }
    return {"diagnose.call.option", "diagnose.call.option_short", "diagnose.no_use.option", "diagnose.advice.option"};
}

class Call {
  public:
    Call(const Case& all, std::size_t index)
        : all_(all),
          refused_(std::get<CallRefused>(all.log.events[index].what)),
          words_(words_of(refused_.fault)),
          verdict_(verdict_of(all, index, Kind::call)) {}

    Verdict run() {
        verdict_.stage = "Prepare";
        verdict_.pass.clear();
        verdict_.headline = {is_whole() ? words_.headline : words_.short_headline, numbers()};
        verdict_.no_use.push_back({words_.no_use, numbers()});
        std::vector<Tied> places;
        if (!verdict_.selector.nothing) places = find();
        if (places.empty() && is_of_tile()) return std::move(verdict_);
        if (!settle_places(all_, places, verdict_)) {
            for (const Tied& tied : places) tell(tied);
            if (places.empty() && all_.has_kernels() && !verdict_.selector.nothing) {
                verdict_.reasons.push_back({"diagnose.tile.not_in_kernel", {}});
            }
        }
        if (places.empty()) {
            verdict_.advice.push_back({words_.advice, numbers()});
        } else {
            tell_cure(places.front());
        }
        return std::move(verdict_);
    }

  private:
    /// Does the message have every number that its headline names?
    bool is_whole() const {
        switch (refused_.fault) {
            case Fault::rank:
                return refused_.least && refused_.most && refused_.got && !refused_.operation.empty();
            case Fault::inner_axis:
                return refused_.got && refused_.most;
            case Fault::dynamic_dim:
                return refused_.axis && !refused_.operation.empty() && !refused_.tensor.empty();
            case Fault::unroll:
                return refused_.got.has_value();
            case Fault::option:
                return refused_.got && refused_.least && refused_.most && !refused_.option.empty();
            case Fault::split_type:
            case Fault::division:
                break;
        }
        return true;
    }

    Data numbers() const {
        Data data;
        data.set("code", verdict_.code).set("operation", refused_.operation).set("tensor", refused_.tensor);
        data.set("option", refused_.option);
        if (refused_.axis) data.set("axis", *refused_.axis);
        if (refused_.got) data.set("got", *refused_.got);
        if (refused_.least) data.set("least", *refused_.least);
        if (refused_.most) data.set("most", *refused_.most);
        return data;
    }

    /// -1 is what a DYNAMIC dim looks like, and a tile of -1 as well.
    bool is_of_tile() {
        if (refused_.fault != Fault::dynamic_dim) return false;
        VecTileRefused number;
        number.fault = VecTileRefused::Fault::numbers;
        number.operation = refused_.operation;
        number.axis = refused_.axis;
        number.got = -1;
        return tell_tile_number(all_, number, verdict_);
    }

    std::vector<Tied> find() const {
        std::vector<Tied> places;
        for (std::size_t i = 0; i < all_.analyses.size(); ++i) {
            const fixing::Analysis& analysis = all_.analyses[i];
            if (analysis.trace == nullptr) continue;
            for (CallPlace& place : find_refused(*analysis.trace, refused_, verdict_.selector.kernels)) {
                places.push_back({i, std::move(place)});
            }
        }
        return places;
    }

    const trace::Trace& trace_of(const Tied& tied) const { return *all_.analyses[tied.analysis].trace; }

    /// What every text about a place may name.
    Data about(const Tied& tied) const {
        const fixing::Analysis& analysis = all_.analyses[tied.analysis];
        const trace::Trace& trace = trace_of(tied);
        const CallPlace& place = tied.place;
        Data data = numbers();
        data.set("place", place_text(analysis, location_of(trace, place.site))).set("name", place.name);
        if (place.op != kNone) data.set("operation", std::string(trace::info(trace.operations[place.op].code).name));
        if (place.kernel != kNone) data.set("kernel", std::string(trace.kernels[place.kernel].name));
        if (place.tensor != trace::kNoTensor) {
            const trace::Tensor& tensor = trace.tensors[place.tensor];
            data.set("dtype", std::string(hardware::pypto_name(tensor.type.dtype)));
            data.set("axes", static_cast<Number>(tensor.type.shape.size()));
            data.set("tensor", tensor.name.empty() ? refused_.tensor : std::string(tensor.name));
            if (const auto shape = trace::known_shape(trace, place.tensor)) data.set("shape", tuple_text(*shape));
        }
        set_tile(analysis, place.tile, data);
        if (!place.numbers.empty()) data.set("list", list_text(place.numbers));
        return data;
    }

    void tell(const Tied& tied) {
        Data data = about(tied);
        const bool has_shape = data.find("shape") != nullptr, has_tile = data.find("tile_line") != nullptr;
        std::string_view id;
        switch (refused_.fault) {
            case Fault::rank:
                id = !has_shape ? "diagnose.call.at_rank_open"
                     : has_tile ? "diagnose.call.at_rank_tile"
                                : "diagnose.call.at_rank";
                break;
            case Fault::inner_axis:
                id = has_shape ? "diagnose.call.at_inner" : "diagnose.call.at_inner_open";
                break;
            case Fault::split_type:
                id = has_tile ? "diagnose.call.at_split" : "diagnose.call.at_split_untold";
                break;
            case Fault::dynamic_dim:
                id = "diagnose.call.at_dynamic";
                break;
            case Fault::unroll:
            case Fault::division:
                id = tied.place.name.empty() ? "diagnose.call.at_unroll" : "diagnose.call.at_unroll_named";
                break;
            case Fault::option:
                id = "diagnose.call.at_option";
                break;
        }
        verdict_.reasons.push_back({id, std::move(data)});
    }

    /// What to write at that place, and why it is left to a person.
    void tell_cure(const Tied& tied) {
        Data data = about(tied);
        std::string_view id = words_.advice;
        switch (refused_.fault) {
            case Fault::rank:
                if (const auto merged = merged_shape(tied)) {
                    data.set("merged", tuple_text(*merged));
                    id = "diagnose.advice.rank_at";
                }
                break;
            case Fault::inner_axis:
                id = "diagnose.advice.inner_at";
                break;
            case Fault::split_type:
                id = "diagnose.advice.split_at";
                break;
            case Fault::dynamic_dim:
                id = "diagnose.advice.dynamic_at";
                break;
            case Fault::unroll:
            case Fault::division:
                id = tied.place.numbers.empty() ? "diagnose.advice.unroll_none" : "diagnose.advice.unroll_at";
                break;
            case Fault::option:
                id = "diagnose.advice.option";
                break;
        }
        verdict_.advice.push_back({id, std::move(data)});
    }

    /// Leading axes put together until as many are left as the operation takes.
    std::optional<std::vector<Number>> merged_shape(const Tied& tied) const {
        auto shape = trace::known_shape(trace_of(tied), tied.place.tensor);
        const auto most = static_cast<std::size_t>(std::max<Number>(refused_.most.value_or(0), 0));
        if (!shape || most == 0) return std::nullopt;
        while (shape->size() > most) {
            (*shape)[1] = hardware::saturating_multiply((*shape)[0], (*shape)[1]);
            shape->erase(shape->begin());
        }
        return shape;
    }

    const Case& all_;
    const CallRefused& refused_;
    const Words words_;
    Verdict verdict_;
};

}  // namespace

void conclude_call(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        if (!std::holds_alternative<CallRefused>(all.log.events[i].what)) continue;
        done[i] = true;
        out.push_back(Call(all, i).run());
    }
}

}  // namespace ptofix::diagnose
