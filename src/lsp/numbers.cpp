#include "lsp/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "lsp/positions.h"
#include "rules/messages.h"
#include "trace/operations.h"

namespace ptofix::lsp {

namespace {

using budget::KernelBudget;
using budget::PoolUse;
using budget::TileBudget;
using rules::Data;

constexpr std::int64_t kPercent = 100;
// InlayHintKind.Type: grey text that is no parameter name
constexpr int kTypeHint = 1;

std::int64_t percent(std::int64_t bytes, std::int64_t limit) {
    return limit == 0 ? 0
                      : static_cast<std::int64_t>(static_cast<double>(bytes) * kPercent / static_cast<double>(limit));
}

/// "UB 66 %", of the pool that is fullest.
std::string fullest(const TileBudget& tile) {
    const PoolUse* most = nullptr;
    for (const PoolUse& pool : tile.pools) {
        if (!pool.bytes) continue;
        if (most == nullptr || percent(pool.bytes->least, pool.limit) > percent(most->bytes->least, most->limit)) {
            most = &pool;
        }
    }
    if (most == nullptr) return {};
    return fmt::format("{} {} %{}", most->name, percent(most->bytes->least, most->limit),
                       most->overflows()      ? " !"
                       : most->may_overflow() ? " ?"
                                              : "");
}

}  // namespace

Numbers::Numbers(fixing::Analysis& analysis, hardware::Soc soc, const ClientCapabilities& client,
                 rules::Language language)
    : trace_(*analysis.trace),
      lines_(analysis.source->lines()),
      kernels_(budget::budget_of(*analysis.trace, soc)),
      client_(client),
      language_(language) {}

std::string Numbers::words(std::string_view id, Data data) const {
    return rules::render({id, std::move(data)}, language_);
}

std::optional<text::Range> Numbers::place(trace::Site site) const {
    if (!site.known() || site.file != trace_.main) return std::nullopt;
    return trace_.files[site.file]->tree.range(site.node);
}

std::string Numbers::table(const KernelBudget& kernel, const TileBudget& tile) const {
    const trace::KernelTrace& about = trace_.kernels[kernel.kernel];
    std::string out = words("lsp.tile_in_kernel", Data().set("name", std::string(about.name)));
    out += "\n\n";
    if (tile.refused) return out + words("budget.refused") + "\n";
    out += fmt::format("| | {} | {} | % | {} |\n|---|---:|---:|---:|---|\n", words("lsp.bytes"), words("lsp.limit"),
                       words("lsp.operation"));
    for (const PoolUse& pool : tile.pools) {
        if (!pool.bytes) {
            out += fmt::format("| {} | {} | {} | | |\n", pool.name, words("budget.unknown"), pool.limit);
            continue;
        }
        std::string operation;
        if (pool.op != trace::kNone) {
            const trace::Operation& op = trace_.operations[pool.op];
            operation = trace::info(op.code).name;
            if (const auto range = place(op.site)) {
                operation += fmt::format(
                    ", {}", words("lsp.line", Data().set("line", std::int64_t{lines_.line_of(range->start)})));
            }
        }
        const std::string mark = pool.overflows() ? " **!**" : pool.may_overflow() ? " ?" : "";
        out += fmt::format("| {} | {} | {} | {}{} | {} |\n", pool.name, pool.bytes->least, pool.limit,
                           percent(pool.bytes->least, pool.limit), mark, operation);
    }
    return out;
}

std::optional<std::pair<std::string, text::Range>> Numbers::tile_at(std::uint32_t offset) const {
    std::string out;
    std::optional<text::Range> found;
    std::vector<std::string> seen;
    for (const KernelBudget& kernel : kernels_) {
        for (const TileBudget& tile : kernel.tiles) {
            if (tile.tile == trace::kNone) continue;
            const auto range = place(trace_.tiles[tile.tile].call);
            if (!range || offset < range->start || offset > range->end) continue;
            std::string text = table(kernel, tile);
            // A kernel that is called in several ways may come to the same.
            if (std::ranges::find(seen, text) != seen.end()) continue;
            if (!out.empty()) out += "\n";
            out += text;
            seen.push_back(std::move(text));
            found = range;
        }
    }
    if (!found) return std::nullopt;
    return std::pair(std::move(out), *found);
}

std::string Numbers::page() const {
    std::string out;
    for (const KernelBudget& kernel : kernels_) {
        for (const TileBudget& tile : kernel.tiles) {
            if (tile.tile == trace::kNone) continue;
            const auto range = place(trace_.tiles[tile.tile].call);
            if (!range) continue;
            const Data line = Data().set("line", std::int64_t{lines_.line_of(range->start)});
            out += fmt::format("### {}\n\n{}\n", words("lsp.line", line), table(kernel, tile));
        }
    }
    return out;
}

Json Numbers::inlay_hints(text::Range within) const {
    std::map<std::uint32_t, std::vector<std::string>> labels;  // by where they stand
    const auto add = [&](const text::Range& range, std::string label) {
        if (label.empty() || range.end < within.start || range.end > within.end) return;
        auto& all = labels[range.end];
        if (std::ranges::find(all, label) == all.end()) all.push_back(std::move(label));
    };
    for (const KernelBudget& kernel : kernels_) {
        for (const TileBudget& tile : kernel.tiles) {
            if (tile.tile == trace::kNone) continue;
            if (const auto range = place(trace_.tiles[tile.tile].call)) add(*range, fullest(tile));
        }
        for (const budget::LoopBudget& loop : kernel.loops) {
            if (loop.copies < 2) continue;
            const trace::LoopSpec* spec = trace_.loops[loop.loop].spec;
            const auto range = spec != nullptr ? place(spec->call) : std::nullopt;
            if (range) add(*range, words("lsp.copies", Data().set("count", loop.copies)));
        }
    }
    Json out = Json::array();
    for (const auto& [offset, texts] : labels) {
        const Json range = json_of({offset, offset}, lines_, client_.unit);
        out.push_back({{"position", range["start"]},
                       {"label", fmt::format("{}", fmt::join(texts, ", "))},
                       {"kind", kTypeHint},
                       {"paddingLeft", true}});
    }
    return out;
}

Json Numbers::code_lenses(const std::string& uri) const {
    struct Cost {
        std::int64_t total = 0, largest = 0;
        bool complete = true;
    };
    std::map<text::Range, Cost> costs;
    for (const KernelBudget& kernel : kernels_) {
        const trace::KernelTrace& about = trace_.kernels[kernel.kernel];
        if (about.is_helper || !about.site.known() || about.site.file != trace_.main) continue;
        const syntax::Tree& tree = trace_.files[about.site.file]->tree;
        const syntax::NodeId name = tree.child(about.site.node, syntax::Field::name);
        if (name == syntax::kNoNode) continue;
        Cost& cost = costs[tree.range(name)];
        cost.total = std::max(cost.total, kernel.tile_operations);
        cost.largest = std::max(cost.largest, kernel.largest);
        cost.complete = cost.complete && kernel.complete;
    }
    Json out = Json::array();
    for (const auto& [range, cost] : costs) {
        Data data;
        data.set("count", cost.total).set("largest", cost.largest);
        const Json shown = json_of(range, lines_, client_.unit);
        out.push_back({{"range", shown},
                       {"command",
                        {{"title", words(cost.complete ? "lsp.cost" : "lsp.cost_least", std::move(data))},
                         {"command", "pto-fix.showBudget"},
                         {"arguments", Json::array({uri, shown["start"]["line"]})}}}});
    }
    return out;
}

}  // namespace ptofix::lsp
