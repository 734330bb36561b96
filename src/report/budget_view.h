// What is shown of a kernel's budget: its tile settings with bytes and bars, operation by operation, what it costs to
// compile, and what would fit. Filled by cli, laid out as a table or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/trace_view.h"
#include "rules/catalogue.h"

namespace ptofix::report {

struct PoolView {
    std::string_view name;
    std::int64_t limit = 0;
    std::optional<std::int64_t> bytes;  // at most
    std::int64_t least_bytes = 0;
    std::string_view operation;  // that takes most of it
    Place place;
};

struct UseView {
    Place place;
    std::string_view operation;
    std::string sizes;  // "[64, 512] FP32"
    std::int64_t copies = 1;
    std::optional<std::int64_t> tiles;
    std::int64_t tile_operations = 0;
    std::vector<std::optional<std::int64_t>> bytes;  // at most; by TileBudgetView::pools
};

struct OtherTileView {
    bool needed = false, to_be_sure = false;
    TileView tile;
    std::int64_t kernel_tile_operations = 0;
};

struct TileBudgetView {
    std::optional<TileView> tile;  // nothing: none was set
    bool is_cube = false;
    bool refused = false;
    std::vector<PoolView> pools;
    std::vector<UseView> operations;
    std::optional<OtherTileView> other;
};

struct LoopBudgetView {
    std::string_view kind;
    Place place;
    std::string index;
    std::vector<std::int64_t> unroll;
    std::int64_t copies = 1, body = 0, largest = 0;
};

struct KernelBudgetView {
    std::string name;
    Place place;
    std::optional<Place> call;
    std::int64_t tile_operations = 0;
    bool complete = true;
    std::int64_t largest = 0;
    std::int64_t workspace_of_function = 0, workspace_at_default = 0;
    std::vector<LoopBudgetView> loops;
    std::vector<TileBudgetView> tiles;
};

struct BudgetReport {
    std::string path;
    std::string_view soc;
    std::vector<KernelBudgetView> kernels;
};

struct BudgetTextOptions {
    rules::Language language = rules::Language::en;
    bool colour = false;
    std::uint32_t width = 120;  // terminal cells
};

std::string text_of(const BudgetReport& report, const BudgetTextOptions& options);

struct Problem;  // report/json.h
std::string json_of(std::string_view version, const std::vector<BudgetReport>& reports,
                    const std::vector<Problem>& problems);

}  // namespace ptofix::report
