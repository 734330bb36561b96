// The budget as JSON. Keys are documented in README.md; what is not known is null.
#include "report/budget_view.h"
#include "report/json_values.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

ordered_json optional_number(std::optional<std::int64_t> number) {
    return number ? ordered_json(*number) : ordered_json();
}

ordered_json json_of(const TileBudgetView& tile) {
    ordered_json out;
    out["unit"] = tile.is_cube ? "cube" : "vector";
    out["tile"] = tile.tile ? json_of(*tile.tile) : ordered_json();
    if (tile.is_cube) out["refused"] = tile.refused;
    out["pools"] = ordered_json::array();
    for (const PoolView& pool : tile.pools) {
        ordered_json one{{"pool", pool.name}, {"bytes", optional_number(pool.bytes)}, {"limit", pool.limit}};
        const bool open = !pool.bytes || (*pool.bytes > pool.limit && pool.least_bytes <= pool.limit);
        one["fits"] = open ? ordered_json() : ordered_json(*pool.bytes <= pool.limit);
        if (pool.bytes) {
            one["leastBytes"] = pool.least_bytes;
            one["operation"] = pool.operation;
            if (pool.place.cell != 0) one["cell"] = pool.place.cell;
            one["line"] = pool.place.line;
        }
        out["pools"].push_back(std::move(one));
    }
    out["operations"] = ordered_json::array();
    for (const UseView& use : tile.operations) {
        ordered_json one;
        one["operation"] = use.operation;
        put_place(one, use.place);
        one["sizes"] = use.sizes;
        one["copies"] = use.copies;
        one["tiles"] = optional_number(use.tiles);
        one["tileOperations"] = use.tile_operations;
        ordered_json bytes = ordered_json::object();
        for (std::size_t i = 0; i < use.bytes.size(); ++i) {
            bytes[std::string(tile.pools[i].name)] = optional_number(use.bytes[i]);
        }
        one["bytes"] = std::move(bytes);
        out["operations"].push_back(std::move(one));
    }
    ordered_json other;
    if (tile.other) {
        other["needed"] = tile.other->needed;
        other["toBeSure"] = tile.other->to_be_sure;
        other["tile"] = json_of(tile.other->tile);
        other["tile"].erase("setAt");
        other["kernelTileOperations"] = tile.other->kernel_tile_operations;
    }
    out["otherTile"] = std::move(other);
    return out;
}

ordered_json json_of(const LoopBudgetView& loop) {
    ordered_json out;
    out["kind"] = loop.kind;
    put_place(out, loop.place);
    out["unroll"] = loop.unroll;
    out["copies"] = loop.copies;
    out["bodyTileOperations"] = loop.body;
    out["largestFunction"] = loop.largest;
    return out;
}

ordered_json json_of(const KernelBudgetView& kernel) {
    ordered_json out;
    out["name"] = kernel.name;
    put_place(out, kernel.place);
    out["call"] = kernel.call ? json_of(*kernel.call) : ordered_json();
    out["tileOperations"] = kernel.tile_operations;
    out["complete"] = kernel.complete;
    out["largestFunction"] = kernel.largest;
    out["workspace"] = {{"bytesOfFunction", kernel.workspace_of_function},
                        {"bytesByDefault", kernel.workspace_at_default}};
    out["loops"] = ordered_json::array();
    for (const LoopBudgetView& loop : kernel.loops) out["loops"].push_back(json_of(loop));
    out["tiles"] = ordered_json::array();
    for (const TileBudgetView& tile : kernel.tiles) out["tiles"].push_back(json_of(tile));
    return out;
}

}  // namespace

std::string json_of(std::string_view version, const std::vector<BudgetReport>& reports,
                    const std::vector<Problem>& problems) {
    std::vector<std::string> files;
    for (const BudgetReport& report : reports) {
        ordered_json file;
        file["path"] = report.path;
        file["soc"] = report.soc;
        file["kernels"] = ordered_json::array();
        for (const KernelBudgetView& kernel : report.kernels) file["kernels"].push_back(json_of(kernel));
        files.push_back(dump(file));
    }
    return document_of_files(version, files, problems);
}

}  // namespace ptofix::report
