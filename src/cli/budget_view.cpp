#include "cli/budget_view.h"

#include <fmt/format.h>

#include "cli/shown.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/trace_text.h"

namespace ptofix::cli {

namespace {

using budget::KernelBudget;
using budget::TileBudget;
using report::Number;
using report::Place;
using trace::kNone;
using trace::Trace;

class Builder {
  public:
    Builder(const Trace& trace, const BudgetViewOptions& options) : trace_(trace), options_(options) {}

    report::KernelBudgetView kernel(const KernelBudget& budget) const {
        const trace::KernelTrace& about = trace_.kernels[budget.kernel];
        report::KernelBudgetView view;
        view.name = about.name;
        view.place = place(about.site);
        if (about.call.known()) view.call = place(about.call);
        view.tile_operations = budget.tile_operations;
        view.complete = budget.complete;
        view.largest = budget.largest;
        view.workspace_of_function = budget.workspace.bytes_of_function();
        view.workspace_at_default = budget.workspace.bytes(trace::kDefaultStitchedFunctions, 1);
        for (const budget::LoopBudget& loop : budget.loops) view.loops.push_back(loop_view(loop));
        for (const TileBudget& tile : budget.tiles) view.tiles.push_back(tile_budget(tile));
        return view;
    }

  private:
    Place place(trace::Site site) const { return place_of(trace_, site, options_.path, options_.current_folder); }

    Number number(trace::SymInt n) const {
        if (n.unknown()) return {std::nullopt, "?"};
        return {n.known() ? std::optional(n.value) : std::nullopt, trace_.symbols.text(n)};
    }
    static Number plain(std::int64_t n) { return {n, fmt::format("{}", n)}; }

    report::TileView tile(trace::TileId id) const {
        const trace::TileSetting& t = trace_.tiles[id];
        report::TileView out = tile_view(t, [&](const trace::Value& v) { return number(v.sym()); });
        if (is_set_by_call(trace_, t)) out.set_at = place(t.call);
        return out;
    }

    static report::TileView tile(const budget::OtherTile& other) {
        report::TileView out;
        for (const std::int64_t n : other.vec) out.vec.push_back(plain(n));
        if (!other.cube) return out;
        out.is_cube = true;
        out.m = {plain(other.cube->m_l0), plain(other.cube->m_l1)};
        out.k = {plain(other.cube->k_l0), plain(other.cube->k_a_l1)};
        if (other.cube->k_b_l1 != other.cube->k_a_l1) out.k.push_back(plain(other.cube->k_b_l1));
        out.n = {plain(other.cube->n_l0), plain(other.cube->n_l1)};
        return out;
    }

    std::string tensor(trace::TensorId id) const {
        const trace::TensorType& type = trace_.tensors[id].type;
        std::string shape = type.rank_known ? "" : "...";
        for (const trace::SymInt dim : type.shape) shape += (shape.empty() ? "" : ", ") + number(dim).text;
        std::string_view dtype = hardware::pypto_name(type.dtype);
        constexpr std::string_view kPrefix = "DT_";
        if (dtype.starts_with(kPrefix)) dtype.remove_prefix(kPrefix.size());
        return fmt::format("[{}] {}", shape, dtype.empty() ? "?" : dtype);
    }

    /// What goes in and what comes out, where these differ.
    std::string sizes(const trace::Operation& op) const {
        std::string in;
        for (const trace::TensorId id : trace_.inputs(op)) {
            const std::string one = tensor(id);
            if (!in.ends_with(one)) in += (in.empty() ? "" : ", ") + one;
        }
        if (op.output == trace::kNoTensor) return in;
        const std::string out = tensor(op.output);
        return in.empty() || in == out ? out : in + " -> " + out;
    }

    report::TileBudgetView tile_budget(const TileBudget& budget) const {
        report::TileBudgetView view;
        if (budget.tile != kNone) view.tile = tile(budget.tile);
        view.is_cube = budget.is_cube;
        view.refused = budget.refused;
        for (const budget::PoolUse& pool : budget.pools) {
            report::PoolView one{pool.name, pool.limit, std::nullopt, 0, {}, {}};
            if (pool.bytes) {
                one.bytes = pool.bytes->most;
                one.least_bytes = pool.bytes->least;
            }
            if (pool.op != kNone) {
                one.operation = trace::info(trace_.operations[pool.op].code).name;
                one.place = place(trace_.operations[pool.op].site);
            }
            view.pools.push_back(std::move(one));
        }
        for (const budget::OperationUse& use : budget.operations) {
            const trace::Operation& op = trace_.operations[use.op];
            report::UseView row{place(op.site), trace::info(op.code).name, sizes(op), use.copies,
                                use.tiles,      use.tile_operations,       {}};
            for (const auto& bytes : use.bytes) {
                row.bytes.push_back(bytes ? std::optional(bytes->most) : std::nullopt);
            }
            view.operations.push_back(std::move(row));
        }
        if (budget.other) {
            view.other = report::OtherTileView{budget.other->needed, budget.other->to_be_sure, tile(*budget.other),
                                               budget.other->kernel_tile_operations};
        }
        return view;
    }

    report::LoopBudgetView loop_view(const budget::LoopBudget& budget) const {
        const trace::Loop& loop = trace_.loops[budget.loop];
        report::LoopBudgetView view;
        view.kind = trace::loop_name(loop.kind);
        view.place = place(loop.site);
        if (loop.index != trace::kNoAtom) view.index = trace_.symbols.atom(loop.index).name;
        view.unroll = loop.unroll;
        view.copies = budget.copies;
        view.body = budget.body;
        view.largest = budget.largest;
        return view;
    }

    const Trace& trace_;
    const BudgetViewOptions& options_;
};

}  // namespace

report::BudgetReport budget_view(Trace& trace, const BudgetViewOptions& options) {
    report::BudgetReport view;
    view.path = options.path;
    view.soc = hardware::pools(options.soc).name;
    const std::vector<KernelBudget> budgets = budget::budget_of(trace, options.soc);
    const Builder builder(trace, options);
    for (const KernelBudget& budget : budgets) view.kernels.push_back(builder.kernel(budget));
    return view;
}

}  // namespace ptofix::cli
