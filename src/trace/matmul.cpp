#include "trace/matmul.h"

#include <algorithm>
#include <string_view>

#include "trace/operations.h"

namespace ptofix::trace {

namespace {

const Value* argument(const Operation& op, std::string_view name) {
    for (const auto& [n, v] : op.arguments) {
        if (n == name) return &v;
    }
    return nullptr;
}

const TensorType* tensor_type(const Trace& trace, const Operation& op, std::string_view name) {
    const Value* v = argument(op, name);
    return v != nullptr && v->is(Tag::tensor) ? &trace.tensors[v->as.tensor].type : nullptr;
}

/// The axis counted from the last one.
std::optional<std::int64_t> extent(const TensorType* type, std::size_t from_last) {
    if (type == nullptr || !type->rank_known || type->shape.size() < from_last) return std::nullopt;
    const SymInt dim = type->shape[type->shape.size() - from_last];
    return dim.known() && dim.value > 0 ? std::optional(dim.value) : std::nullopt;
}

/// Is there a tensor of that name in extend_params={...}?
bool extends_with(const Operation& op, std::string_view key) {
    const Value* v = argument(op, "extend_params");
    if (v == nullptr || !v->is(Tag::dict)) return false;
    return std::ranges::any_of(v->as.dict->items, [&](const auto& item) {
        return item.first.is(Tag::string) && *item.first.as.text == key && item.second.is(Tag::tensor);
    });
}

}  // namespace

std::optional<Matmul> matmul_of(const Trace& trace, OpId id) {
    const Operation& op = trace.operations[id];
    const bool plain = is(op, Op::matmul);
    const bool transposed = is(op, Op::transposed_batchmatmul);
    const bool scaled = is(op, Op::scaled_mm);
    if (!plain && !transposed && !scaled) return std::nullopt;
    const TensorType* a = tensor_type(trace, op, scaled ? "mat_a" : transposed ? "tensor_a" : "input");
    const TensorType* b = tensor_type(trace, op, scaled ? "mat_b" : transposed ? "tensor_b" : "mat2");
    Matmul out;
    out.op = id;
    if (a != nullptr) {
        out.form.a = a->dtype;
        out.form.a_nz = a->nz;
    }
    if (b != nullptr) {
        out.form.b = b->dtype;
        out.form.b_nz = b->nz;
    }
    if (op.output != kNoTensor) out.form.out = trace.tensors[op.output].type.dtype;
    out.form.a_transposed = op.a_trans;
    out.form.b_transposed = op.b_trans;
    const Value* nz = argument(op, "c_matrix_nz");
    out.form.out_nz = nz != nullptr && nz->is(Tag::boolean) && nz->as.b;
    out.form.scaled = scaled;
    out.form.checked_when_called = !transposed;
    out.form.has_bias = extends_with(op, "bias_tensor");
    out.form.has_scales = extends_with(op, "scale_tensor");
    // Which axis is which is not known where a flag is not.
    const auto undecided = [&](std::string_view name) {
        const Value* v = argument(op, name);
        return v != nullptr && v->is(Tag::unknown);
    };
    if (undecided("a_trans") || undecided("b_trans")) return out;
    // [M, batch, K] x [batch, K, N] where the batch stands in the middle
    out.extent.m = transposed ? extent(a, 3) : extent(a, op.a_trans ? 1 : 2);
    out.extent.k = extent(a, op.a_trans && !transposed ? 2 : 1);
    if (!out.extent.k) out.extent.k = extent(b, op.b_trans && !transposed ? 1 : 2);
    out.extent.n = extent(b, op.b_trans && !transposed ? 2 : 1);
    return out;
}

std::optional<hardware::CubeTile> cube_tile_of(const TileSetting& setting) {
    if (setting.engine != TileSetting::Engine::cube || !setting.known) return std::nullopt;
    hardware::CubeTile tile;
    tile.m_l0 = setting.m[0].as.i;
    tile.m_l1 = setting.m[1].as.i;
    tile.k_l0 = setting.k[0].as.i;
    tile.k_a_l1 = setting.k[1].as.i;
    tile.k_b_l1 = setting.k[2].as.i;
    tile.n_l0 = setting.n[0].as.i;
    tile.n_l1 = setting.n[1].as.i;
    return tile;
}

std::vector<CubeTileCall> cube_tile_calls(const Trace& trace) {
    std::vector<CubeTileCall> calls;
    std::map<Site, std::size_t> by_site;
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const Operation& op = trace.operations[id];
        if (op.engine != Engine::cube || op.cube_tile == kNone) continue;
        auto matmul = matmul_of(trace, id);
        if (!matmul) continue;
        const Site call = trace.tiles[op.cube_tile].call;
        const auto [at, fresh] = by_site.try_emplace(call, calls.size());
        if (fresh) calls.push_back({call, {}});
        auto& settings = calls[at->second].settings;
        auto setting = std::ranges::find(settings, op.cube_tile, &CubeTileCall::Setting::tile);
        if (setting == settings.end()) {
            settings.push_back({op.cube_tile, {}});
            setting = settings.end() - 1;
        }
        const bool known = std::ranges::any_of(setting->matmuls, [&](const Matmul& m) {
            return m.form == matmul->form && m.extent == matmul->extent &&
                   trace.operations[m.op].site == trace.operations[id].site;
        });
        if (!known) setting->matmuls.push_back(*std::move(matmul));
    }
    return calls;
}

}  // namespace ptofix::trace
