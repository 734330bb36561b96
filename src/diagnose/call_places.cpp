#include "diagnose/call_places.h"

#include <algorithm>
#include <array>

#include "diagnose/places.h"
#include "trace/matmul.h"
#include "trace/vector_buffers.h"

namespace ptofix::diagnose {

namespace {

using trace::kNone;
using trace::kNoTensor;
using trace::Operation;
using trace::OpId;
using trace::SymInt;
using trace::Tag;
using trace::TensorId;
using trace::Trace;
using trace::Value;
using Number = std::int64_t;
using Fault = CallRefused::Fault;

bool is_meant(const std::vector<std::string>& kernels, const Trace& trace, trace::KernelId kernel) {
    return kernels.empty() ||
           (kernel != kNone && std::ranges::find(kernels, trace.kernels[kernel].name) != kernels.end());
}

void add(std::vector<CallPlace>& places, CallPlace place) {
    const bool known = std::ranges::any_of(places, [&](const CallPlace& other) { return other.site == place.site; });
    if (!known) places.push_back(std::move(place));
}

class Search {
  public:
    Search(const Trace& trace, const CallRefused& refused, const std::vector<std::string>& kernels)
        : trace_(trace), refused_(refused), kernels_(kernels) {}

    std::vector<CallPlace> run() {
        if (refused_.fault == Fault::unroll || refused_.fault == Fault::division) {
            look_at_loops();
        } else if (refused_.fault == Fault::option) {
            look_at_options();
        } else {
            for (OpId id = 0; id < trace_.operations.size(); ++id) {
                if (is_meant(kernels_, trace_, trace_.operations[id].kernel)) look_at(id);
            }
        }
        return std::move(found_);
    }

  private:
    void look_at(OpId id) {
        const Operation& op = trace_.operations[id];
        const bool vector = op.engine == trace::Engine::vector;
        switch (refused_.fault) {
            case Fault::rank:
                if (vector) look_at_rank(id);
                break;
            case Fault::dynamic_dim:
                if (vector) look_at_open_dims(id);
                break;
            case Fault::inner_axis:
                look_at_inner_axes(id);
                break;
            case Fault::split_type:
                look_at_split(id);
                break;
            default:
                break;
        }
    }

    void take(OpId id, TensorId tensor, trace::TileId tile, std::string name = {}) {
        const Operation& op = trace_.operations[id];
        add(found_, {op.kernel, op.site, id, tensor, tile, std::move(name), {}, {}});
    }

    std::vector<TensorId> tensors_of(const Operation& op) const {
        const auto inputs = trace_.inputs(op);
        std::vector<TensorId> all(inputs.begin(), inputs.end());
        all.push_back(op.output);
        std::erase(all, kNoTensor);
        return all;
    }

    void look_at_rank(OpId id) {
        const Operation& op = trace_.operations[id];
        if (!may_be_named(trace_, id, refused_.operation)) return;
        const Number most = refused_.most.value_or(4);
        for (const TensorId tensor : tensors_of(op)) {
            const trace::TensorType& type = trace_.tensors[tensor].type;
            const auto rank = static_cast<Number>(type.shape.size());
            if (!type.rank_known || (refused_.got ? rank != *refused_.got : rank <= most)) continue;
            take(id, tensor, op.vec_tile);
            return;
        }
    }

    /// The size of an axis that is known only when the kernel runs, by its name; empty: it is none of that kind.
    std::string open_dim(SymInt dim) const {
        if (!dim.symbolic()) return {};
        const bool dynamic = std::ranges::any_of(trace_.symbols.affine(dim).terms, [&](const auto& term) {
            return trace_.symbols.atom(term.atom).kind == trace::AtomKind::dynamic_dim;
        });
        return dynamic ? trace_.symbols.text(dim) : std::string{};
    }

    void look_at_open_dims(OpId id) {
        const Operation& op = trace_.operations[id];
        if (!may_be_named(trace_, id, refused_.operation)) return;
        for (const TensorId tensor : trace_.inputs(op)) {
            if (tensor == kNoTensor) continue;
            const trace::Tensor& given = trace_.tensors[tensor];
            // The name that is printed is a parameter's; what is made inside of the kernel has one that nobody wrote.
            const bool other = !refused_.tensor.empty() && given.source == trace::TensorSource::parameter &&
                               given.name != refused_.tensor;
            if (other || !given.type.rank_known) continue;
            for (std::size_t axis = 0; axis < given.type.shape.size(); ++axis) {
                if (refused_.axis && *refused_.axis != static_cast<Number>(axis)) continue;
                std::string name = open_dim(given.type.shape[axis]);
                if (name.empty()) continue;
                take(id, tensor, op.vec_tile, std::move(name));
                return;
            }
        }
    }

    void look_at_inner_axes(OpId id) {
        const Operation& op = trace_.operations[id];
        if (!trace::matmul_of(trace_, id)) return;
        constexpr std::array<const char*, 2> kNames{"a", "b"};
        const auto inputs = trace_.inputs(op);
        for (std::size_t i = 0; i < std::min(inputs.size(), kNames.size()); ++i) {
            if (inputs[i] == kNoTensor) continue;
            const trace::TensorType& type = trace_.tensors[inputs[i]].type;
            if (!type.rank_known || type.shape.empty() || type.nz || !type.shape.back().known()) continue;
            const Number length = type.shape.back().value;
            if (refused_.got ? length != *refused_.got : length <= refused_.most.value_or(kMostInner)) continue;
            take(id, inputs[i], kNone, kNames[i]);
            return;
        }
    }

    void look_at_split(OpId id) {
        const Operation& op = trace_.operations[id];
        if (op.cube_tile == kNone || op.output == kNoTensor || !trace::matmul_of(trace_, id)) return;
        const Value& split = trace_.tiles[op.cube_tile].split_k;
        if (split.tag != Tag::boolean || !split.as.b) return;
        const hardware::DType type = trace_.tensors[op.output].type.dtype;
        const bool adds_up = type == hardware::DType::fp32 || type == hardware::DType::int32;
        if (type != hardware::DType::unknown && !adds_up) take(id, op.output, op.cube_tile);
    }

    void look_at_loops() {
        for (const trace::Loop& loop : trace_.loops) {
            if (loop.spec == nullptr || !loop.spec->unroll_given || !is_meant(kernels_, trace_, loop.kernel)) continue;
            if (refused_.fault == Fault::division && !loop.spec->unroll) continue;
            const Value& list = loop.spec->unroll_list;
            if ((list.tag != Tag::list && list.tag != Tag::tuple) || list.as.list->open) continue;
            CallPlace place{loop.kernel, loop.site, kNone, kNoTensor, kNone, {}, {}, {}};
            bool refused = false;
            for (const Value& item : list.as.list->items) {
                if (item.tag != Tag::integer) continue;
                const bool is_it = item.as.i <= 0 && (!refused_.got || *refused_.got == item.as.i);
                refused = refused || is_it;
                if (item.as.i > 0) place.numbers.push_back(item.as.i);
            }
            if (!refused) continue;
            if (loop.spec->name.tag == Tag::string) place.name = *loop.spec->name.as.text;
            add(found_, std::move(place));
        }
    }

    void look_at_options() {
        for (trace::KernelId id = 0; id < trace_.kernels.size(); ++id) {
            const trace::KernelTrace& kernel = trace_.kernels[id];
            if (kernel.function == nullptr || !is_meant(kernels_, trace_, id)) continue;
            for (const auto& [group, options] : kernel.function->jit_options) {
                if (group != "runtime_options" || options.tag != Tag::dict) continue;
                for (const auto& [key, value] : options.as.dict->items) {
                    if (key.tag != Tag::string || *key.as.text != refused_.option) continue;
                    if (value.tag != Tag::integer || value.as.i != refused_.got || !value.origin().known()) continue;
                    add(found_, {id, value.origin(), kNone, kNoTensor, kNone, refused_.option, {}, {}});
                }
            }
        }
    }

    static constexpr Number kMostInner = 65535;

    const Trace& trace_;
    const CallRefused& refused_;
    const std::vector<std::string>& kernels_;
    std::vector<CallPlace> found_;
};

}  // namespace

std::vector<CallPlace> find_refused(const Trace& trace, const CallRefused& refused,
                                    const std::vector<std::string>& kernels) {
    return Search(trace, refused, kernels).run();
}

std::vector<CallPlace> find_tile_numbers(const Trace& trace, const VecTileRefused& refused,
                                         const std::vector<std::string>& kernels) {
    std::vector<CallPlace> found;
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const Operation& op = trace.operations[id];
        if (op.engine != trace::Engine::vector || op.vec_tile == kNone || !is_meant(kernels, trace, op.kernel))
            continue;
        if (!may_be_named(trace, id, refused.operation)) continue;
        const auto tile = trace::known_tile(trace, op.vec_tile);
        if (!tile) continue;
        for (std::size_t axis = 0; axis < tile->size(); ++axis) {
            const Number number = (*tile)[axis];
            if (number > 0 || (refused.axis && *refused.axis != static_cast<Number>(axis))) continue;
            if (refused.got && *refused.got != number) continue;
            CallPlace place{op.kernel, op.site, id, kNoTensor, op.vec_tile, {}, {}, {}};
            for (const TensorId tensor : trace.inputs(op)) {
                const auto shape = tensor == kNoTensor ? std::nullopt : trace::known_shape(trace, tensor);
                if (shape && axis < shape->size()) place.extent = (*shape)[axis];
            }
            add(found, std::move(place));
            break;
        }
    }
    return found;
}

}  // namespace ptofix::diagnose
