#include "diagnose/buffer_match.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "hardware/tile.h"
#include "trace/matmul.h"
#include "trace/operations.h"
#include "trace/vector_buffers.h"
#include "trace/vector_steps.h"

namespace ptofix::diagnose {

namespace {

using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::StepBuffer;
using trace::SymInt;
using trace::Trace;
using trace::VectorStep;
using Number = std::int64_t;
using Shape = std::vector<Number>;

/// "x.shape[0]" and "M" as the configuration's table `assume` names them.
std::optional<trace::Assumption> assumption_of(const std::string& name, Number value) {
    trace::Assumption with{name, std::nullopt, value};
    constexpr std::string_view kShape = ".shape[";
    const std::size_t at = name.find(kShape);
    if (at != std::string::npos) {
        if (!name.ends_with("]")) return std::nullopt;
        const std::string digits = name.substr(at + kShape.size(), name.size() - at - kShape.size() - 1);
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos || digits.size() > 2) {
            return std::nullopt;
        }
        with.name = name.substr(0, at);
        with.axis = std::stoi(digits);
    }
    const auto is_name = [](char c) { return c == '_' || (std::isalnum(static_cast<unsigned char>(c)) != 0); };
    if (with.name.empty() || !std::ranges::all_of(with.name, is_name)) return std::nullopt;
    return with;
}

class Search {
  public:
    Search(const Trace& trace, const PoolOverflow& overflow, hardware::Soc soc, const std::vector<std::string>& kernels)
        : trace_(trace), overflow_(overflow), soc_(soc), kernels_(kernels) {}

    BufferSearch run() {
        if (!overflow_.size) return {};
        const bool vector = overflow_.pool == "UB";
        for (OpId id = 0; id < trace_.operations.size(); ++id) {
            const Operation& op = trace_.operations[id];
            if (op.kernel == kNone || !is_meant(trace_.kernels[op.kernel])) continue;
            if (vector && (op.engine == trace::Engine::vector || op.engine == trace::Engine::create)) {
                look_at_vector(id);
            } else if (!vector && op.engine == trace::Engine::cube) {
                look_at_cube(id);
            }
        }
        if (vector && found_.matches.empty()) look_for_other_tiles();
        return std::move(found_);
    }

  private:
    bool is_meant(const trace::KernelTrace& kernel) const {
        return kernels_.empty() || std::ranges::find(kernels_, kernel.name) != kernels_.end();
    }

    void add(BufferMatch match) {
        if (sites_.insert(trace_.operations[match.op].site).second) found_.matches.push_back(std::move(match));
    }

    const trace::TensorReaders& readers() {
        if (!readers_) readers_ = trace::tensor_readers(trace_, soc_);
        return *readers_;
    }

    /// The compiler leaves out what nothing reads.
    bool is_dropped(const Operation& op) {
        return op.output != trace::kNoTensor && !op.in_place && readers().count[op.output] == 0;
    }

    std::optional<std::vector<VectorStep>> steps(const Operation& op, const Shape& tile,
                                                 const trace::ShapeOf& shape_of) {
        return trace::vector_steps(trace_, op, tile, {shape_of, readers(), soc_});
    }

    bool is_buffer(const StepBuffer& buffer) const {
        return buffer.least <= *overflow_.size && *overflow_.size <= buffer.most;
    }

    /// What the log prints of the buffer's producer must be true of the step: its name, and the buffer's shape.
    bool is_as_printed(const VectorStep& step, const StepBuffer& buffer) const {
        return overflow_.operations.empty() ||
               std::ranges::any_of(overflow_.operations, [&](const PrintedOperation& printed) {
                   return is_printed_name(step, printed) && is_printed_shape(buffer, printed);
               });
    }

    static bool is_printed_name(const VectorStep& step, const PrintedOperation& printed) {
        // What only moves a tensor makes the input of a step.
        constexpr std::array<std::string_view, 4> kMoves{"COPY", "VIEW", "ASSEMBLE", "CONVERT"};
        const auto is_in_name = [&](std::string_view word) { return printed.name.find(word) != std::string::npos; };
        return step.name == printed.name || std::ranges::any_of(kMoves, is_in_name);
    }

    bool is_printed_shape(const StepBuffer& buffer, const PrintedOperation& printed) const {
        const auto plain = [](Shape shape) {
            std::erase(shape, 1);
            return shape;
        };
        bool any = false;
        for (const PrintedTensor& tensor : printed.outputs) {
            const auto dtype = hardware::dtype_of_pypto_name(tensor.dtype);
            if (!dtype) continue;
            Number bytes = hardware::size_of(*dtype);
            for (const Number extent : tensor.shape) bytes = hardware::saturating_multiply(bytes, extent);
            if (bytes != *overflow_.size) continue;
            any = true;
            if (plain(tensor.shape) == plain(buffer.extent) && *dtype == buffer.dtype) return true;
        }
        return !any;
    }

    /// The log may be of the text before a fix: is there a tile with one or two other numbers that makes the size?
    void look_for_other_tiles() {
        for (OpId id = 0; id < trace_.operations.size() && tries_ < kMostTries; ++id) {
            const Operation& op = trace_.operations[id];
            if (op.kernel == kNone || !is_meant(trace_.kernels[op.kernel]) || op.vec_tile == kNone) continue;
            if (op.engine != trace::Engine::vector && op.engine != trace::Engine::create) continue;
            const auto tile = trace::known_tile(trace_, op.vec_tile);
            if (!tile || std::ranges::any_of(*tile, [](Number n) { return n <= 0 || n > (Number{1} << 32); })) continue;
            for (std::size_t first = 0; first < tile->size(); ++first) {
                for (std::size_t second = first; second < tile->size(); ++second) {
                    if (explains(id, *tile, first, second) && found_.other->is_usual) return;
                }
            }
        }
    }

    /// Bytes grow with a number of the tile in proportion, up to the tensor's own size: what it had to be follows from
    /// what one unit takes. Whole blocks of the last axis are looked at, for it is padded to them.
    bool explains(OpId id, const Shape& tile, std::size_t first, std::size_t second) {
        const auto known = [&](trace::TensorId tensor) { return trace::known_shape(trace_, tensor); };
        const auto unit = [&](std::size_t axis) { return axis + 1 == tile.size() ? kBlock : Number{1}; };
        Shape other = tile;
        other[first] = unit(first);
        other[second] = unit(second);
        const Number units = first == second ? unit(first) : unit(first) * unit(second);
        const auto one = steps(trace_.operations[id], other, known);
        ++tries_;
        if (!one) return false;
        std::set<Number> products;
        const auto note = [&](Number bytes) {
            const Number size = hardware::saturating_multiply(*overflow_.size, units);
            if (bytes > 0 && size % bytes == 0) products.insert(size / bytes);
        };
        for (const VectorStep& step : *one) {
            for (const StepBuffer& buffer : step.inputs) note(buffer.least);
            note(step.output.least);
            note(step.least());
        }
        const auto is_it = [&](Number a, Number b) {
            if (tries_ >= kMostTries || (a == tile[first] && b == tile[second])) return false;
            other[second] = b;
            other[first] = a;
            ++tries_;
            const auto all = steps(trace_.operations[id], other, known);
            if (!all || !match_of(id, *all)) return false;
            const bool usual = is_usual(a, tile[first]) && is_usual(b, tile[second]);
            if (usual || !found_.other) found_.other = OtherTile{id, other, usual};
            return usual;
        };
        for (const Number product : products) {
            if (first == second) {
                if (is_it(product, product)) return true;
                continue;
            }
            for (Number a = 1; a <= product && a <= kMostNumber; ++a) {
                const Number b = product / a;
                if (product % a != 0 || !is_usual(a, tile[first]) || !is_usual(b, tile[second])) continue;
                if (is_it(a, product / a)) return true;
            }
        }
        return false;
    }

    /// A power of two, or the number that is there now so many times: a sum of several buffers is as large as some one
    /// buffer too, if any number counts.
    static bool is_usual(Number number, Number now) {
        const auto is_power = [](Number n) { return n > 0 && (n & (n - 1)) == 0; };
        return is_power(number) || (number % now == 0 && is_power(number / now)) ||
               (now % number == 0 && is_power(now / number));
    }

    std::optional<BufferMatch> match_of(OpId id, const std::vector<VectorStep>& all) const {
        BufferMatch match;
        match.op = id;
        match.tile = trace_.operations[id].vec_tile;
        const auto take = [&](const VectorStep& step, const StepBuffer& buffer) {
            match.step = step.name;
            match.shape = buffer.extent;
            match.dtype = buffer.dtype;
            return match;
        };
        for (const VectorStep& step : all) {
            if (overflow_.operation.empty()) {
                for (const StepBuffer& buffer : step.inputs) {
                    if (is_buffer(buffer) && is_as_printed(step, buffer)) return take(step, buffer);
                }
                if (is_buffer(step.output) && is_as_printed(step, step.output)) return take(step, step.output);
            } else if (step.name == overflow_.operation && step.least() <= *overflow_.size &&
                       *overflow_.size <= step.most()) {
                const StepBuffer* largest = &step.output;
                for (const StepBuffer& buffer : step.inputs) {
                    if (buffer.least > largest->least) largest = &buffer;
                }
                return take(step, *largest);
            }
        }
        return std::nullopt;
    }

    void look_at_vector(OpId id) {
        const Operation& op = trace_.operations[id];
        if (op.vec_tile == kNone) return;
        if (is_dropped(op)) return;
        const auto tile = trace::known_tile(trace_, op.vec_tile);
        // Numbers that are not above zero are refused before a buffer is made.
        if (!tile || tile->empty() || std::ranges::any_of(*tile, [](Number number) { return number <= 0; })) {
            ++found_.unknown;
            return;
        }
        const auto known = [&](trace::TensorId tensor) { return trace::known_shape(trace_, tensor); };
        if (const auto all = steps(op, *tile, known)) {
            if (auto match = match_of(id, *all)) add(*std::move(match));
            return;
        }
        if (!look_at_open(id, *tile)) ++found_.unknown;
    }

    /// One dim is open: is there a size of it with which this is the operation?
    bool look_at_open(OpId id, const Shape& tile) {
        const Operation& op = trace_.operations[id];
        std::optional<SymInt> open;
        const auto note = [&](trace::TensorId tensor) {
            if (tensor == trace::kNoTensor) return true;
            const trace::TensorType& type = trace_.tensors[tensor].type;
            if (!type.rank_known) return false;
            for (std::size_t axis = 0; axis < type.shape.size(); ++axis) {
                const SymInt dim = type.shape[axis];
                if (dim.known()) continue;
                // The last axis is padded to whole blocks: bytes do not grow in proportion to it.
                if (!dim.symbolic() || axis + 1 == type.shape.size() || (open && *open != dim)) return false;
                open = dim;
            }
            return true;
        };
        for (const trace::TensorId tensor : trace_.inputs(op)) {
            if (!note(tensor)) return false;
        }
        if (!note(op.output) || !open) return false;
        const auto with = [&](Number size) {
            return steps(op, tile, [&](trace::TensorId tensor) -> std::optional<Shape> {
                const trace::TensorType& type = trace_.tensors[tensor].type;
                if (!type.rank_known) return std::nullopt;
                Shape shape;
                for (const SymInt dim : type.shape) {
                    if (!dim.known() && dim != *open) return std::nullopt;
                    shape.push_back(dim.known() ? dim.value : size);
                }
                return shape;
            });
        };
        const auto one = with(1);
        if (!one) return false;
        // Bytes grow with the dim in proportion, up to the tile's number.
        std::set<Number> sizes;
        const auto try_bytes = [&](Number bytes) {
            if (bytes > 0 && *overflow_.size % bytes == 0) sizes.insert(*overflow_.size / bytes);
        };
        for (const VectorStep& step : *one) {
            for (const StepBuffer& buffer : step.inputs) try_bytes(buffer.least);
            try_bytes(step.output.least);
            try_bytes(step.least());
        }
        const Number most = *std::ranges::max_element(tile);
        for (const Number size : sizes) {
            if (size < 1 || size > most) continue;
            const auto all = with(size);
            auto match = all ? match_of(id, *all) : std::nullopt;
            if (!match) continue;
            match->with = assumption_of(trace_.symbols.text(*open), size);
            add(*std::move(match));
            return true;
        }
        return true;
    }

    void look_at_cube(OpId id) {
        const Operation& op = trace_.operations[id];
        const auto matmul = trace::matmul_of(trace_, id);
        if (!matmul || op.cube_tile == kNone) return;
        const auto tile = trace::cube_tile_of(trace_.tiles[op.cube_tile]);
        if (!tile) {
            ++found_.unknown;
            return;
        }
        const auto bytes = hardware::cube_tile_bytes(*tile, matmul->extent, matmul->form.a, matmul->form.b);
        if (!bytes) {
            ++found_.unknown;
            return;
        }
        const auto clip = [](Number value, std::optional<Number> extent) {
            return extent ? std::min(value, *extent) : value;
        };
        const Number m = clip(tile->m_l0, matmul->extent.m), n = clip(tile->n_l0, matmul->extent.n);
        const auto try_one = [&](std::string_view pool, Number made, std::string_view name, Shape shape,
                                 hardware::DType t) {
            if (overflow_.pool != pool || made != *overflow_.size) return;
            add({id, op.cube_tile, std::string(name), std::move(shape), t, std::nullopt});
        };
        const hardware::DType sum =
            hardware::is_integer(matmul->form.a) ? hardware::DType::int32 : hardware::DType::fp32;
        const Number k = clip(tile->k_l0, matmul->extent.k);
        try_one("L0A", bytes->l0a, "A", {m, k}, matmul->form.a);
        try_one("L0B", bytes->l0b, "B", {k, n}, matmul->form.b);
        try_one("L0C", bytes->l0c, "C", {m, n}, sum);
        try_one("L1", bytes->l1_a, "A", {m, clip(tile->k_a_l1, matmul->extent.k)}, matmul->form.a);
        try_one("L1", bytes->l1_b, "B", {clip(tile->k_b_l1, matmul->extent.k), n}, matmul->form.b);
        try_one("BT", bytes->bias_table, "bias", {n}, sum);
        for (const std::string_view pool : {"FB", "FIX", "FIX_QUANT_PRE"}) {
            try_one(pool, bytes->fixpipe_buffer, "scales", {n}, hardware::DType::uint64);
        }
    }

    static constexpr Number kBlock = 32;           // elements: whole blocks of every type
    static constexpr Number kMostNumber = 65'536;  // of a tile that is looked for
    static constexpr std::size_t kMostTries = 100'000;

    const Trace& trace_;
    const PoolOverflow& overflow_;
    hardware::Soc soc_;
    const std::vector<std::string>& kernels_;
    std::optional<trace::TensorReaders> readers_;
    std::set<trace::Site> sites_;
    BufferSearch found_;
    std::size_t tries_ = 0;
};

}  // namespace

BufferSearch find_buffers(const Trace& trace, const PoolOverflow& overflow, hardware::Soc soc,
                          const std::vector<std::string>& kernels) {
    return Search(trace, overflow, soc, kernels).run();
}

}  // namespace ptofix::diagnose
