// The budget as text: for each kernel the estimate and its loops, then a block for each tile setting: one bar a memory,
// one row an operation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/budget_view.h"
#include "report/colour.h"
#include "report/table.h"
#include "report/wrap.h"
#include "rules/messages.h"
#include "text/display_width.h"

namespace ptofix::report {

namespace {

using rules::Data;

constexpr std::string_view kIndent = "  ";
constexpr std::string_view kDeeper = "      ";
// A bar has so many cells in a wide terminal, half of them in a narrow one.
constexpr std::int64_t kBarWidth = 24;
constexpr std::uint32_t kWide = 100;
// A column of running text is not made narrower than this.
constexpr std::uint32_t kLeastText = 20;
// From here on it is worth a look; the pool is nearly full.
constexpr std::int64_t kNearlyFull = 90;

std::int64_t percent(std::int64_t part, std::int64_t whole) {
    return whole <= 0 ? 0 : static_cast<std::int64_t>(static_cast<double>(part) / static_cast<double>(whole) * 100);
}

/// "[#########...............]": full where the pool is, and where it is not enough.
std::string bar(std::int64_t bytes, std::int64_t limit, std::int64_t width) {
    std::int64_t filled = bytes >= limit ? width : width * bytes / limit;
    if (filled == 0 && bytes > 0) filled = 1;
    return "[" + std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(width - filled), '.') + "]";
}

/// The last part of a path: an operation of another file is told apart by it, and columns stay narrow.
std::string_view file_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// How much of the table of operations goes below each row instead of into columns.
enum class Below { nothing, sizes, sizes_and_bytes };

class Writer {
  public:
    Writer(const BudgetReport& report, const BudgetTextOptions& options) : report_(report), options_(options) {}

    std::string write() {
        for (const KernelBudgetView& kernel : report_.kernels) {
            if (!out_.empty()) out_ += '\n';
            write(kernel);
        }
        if (report_.kernels.empty()) out_ += words("trace.no_kernel", Data().set("path", report_.path)) + '\n';
        return std::move(out_);
    }

  private:
    std::string words(std::string_view id, Data data = {}) const {
        return rules::render({id, std::move(data)}, options_.language);
    }
    std::string paint(std::string_view text, Role role) const { return report::paint(text, role, options_.colour); }

    std::string place_text(const Place& place) const {
        return place.path == report_.path
                   ? place.line_text()
                   : fmt::format("{}:{}", text::printable(file_name(place.path)), place.line_text());
    }

    /// Running text below an indent, broken at the width, further in after the first line.
    void paragraph(std::string_view indent, std::string_view text, std::optional<Role> role = std::nullopt) {
        const auto taken = static_cast<std::uint32_t>(indent.size() + kIndent.size());
        bool first = true;
        for (const std::string& line : wrap(text, std::max(options_.width, taken + kLeastText) - taken)) {
            out_ += fmt::format("{}{}{}\n", indent, first ? "" : kIndent, role ? paint(line, *role) : line);
            first = false;
        }
    }

    void write(const KernelBudgetView& kernel) {
        Data data;
        data.set("name", kernel.name).set("soc", std::string(report_.soc));
        if (kernel.call) data.set("place", fmt::format("{}:{}", kernel.call->path, kernel.call->line_text()));
        const std::string place = fmt::format("{}:{}", text::printable(kernel.place.path), kernel.place.line_text());
        const std::string text =
            place + ": " + words(kernel.call ? "budget.kernel_called" : "budget.kernel", std::move(data));
        for (const std::string& line : wrap(text, options_.width - static_cast<std::uint32_t>(kIndent.size()))) {
            const bool first = line.starts_with(place);
            out_ += first ? paint(place, Role::place) + line.substr(place.size()) : std::string(kIndent) + line;
            out_ += '\n';
        }
        estimate(kernel);
        for (const TileBudgetView& tile : kernel.tiles) {
            out_ += '\n';
            write(tile, kernel);
        }
    }

    void estimate(const KernelBudgetView& kernel) {
        Data data;
        data.set("count", kernel.tile_operations).set("largest", kernel.largest);
        const std::string text = words(kernel.complete ? "budget.estimate" : "budget.estimate_least", std::move(data));
        paragraph(kIndent, text);
        for (const LoopBudgetView& loop : kernel.loops) {
            Data of_loop;
            of_loop.set("place", place_text(loop.place))
                .set("loop", loop.index.empty() ? std::string(loop.kind) : fmt::format("{} {}", loop.kind, loop.index))
                .set("body", loop.body)
                .set("copies", loop.copies)
                .set("list", loop.unroll)
                .set("largest", loop.largest);
            paragraph(kDeeper.substr(2),
                      words(loop.unroll.empty() ? "budget.loop" : "budget.loop_unrolled", std::move(of_loop)));
        }
        if (kernel.workspace_of_function > 0) {
            Data of_workspace;
            of_workspace.set("each", kernel.workspace_of_function / 1024)
                .set("kibibytes", kernel.workspace_at_default / 1024);
            paragraph(kIndent, words("budget.workspace", std::move(of_workspace)));
        }
    }

    static std::string listed(const std::vector<Number>& numbers) {
        std::string out;
        for (const Number& n : numbers) out += (out.empty() ? "" : ", ") + n.text;
        return out;
    }
    static std::string tile_text(const TileView& tile) {
        if (tile.is_cube) return fmt::format("m [{}] k [{}] n [{}]", listed(tile.m), listed(tile.k), listed(tile.n));
        return fmt::format("({})", tile.vec.empty() ? "?" : listed(tile.vec));
    }

    void write(const TileBudgetView& tile, const KernelBudgetView& kernel) {
        const std::string kind = words(tile.is_cube ? "budget.cube_tile" : "budget.vec_tile");
        if (!tile.tile) {
            out_ +=
                fmt::format("{}{}\n", kIndent, paint(words("budget.no_tile", Data().set("kind", kind)), Role::warning));
        } else {
            std::string head = paint(fmt::format("{} {}", kind, tile_text(*tile.tile)), Role::strong);
            if (tile.tile->set_at) {
                const std::string at = words("trace.set_at", Data().set("place", place_text(*tile.tile->set_at)));
                const auto wide = text::display_width(kind + " " + tile_text(*tile.tile) + at) + kIndent.size();
                head += wide <= options_.width ? at : fmt::format("\n{}{}", kDeeper.substr(3), at);
            }
            if (tile.refused) head += ": " + paint(words("budget.refused"), Role::error);
            out_ += fmt::format("{}{}\n", kIndent, head);
        }
        pools(tile);
        if (tile.other) other(*tile.other, kernel);
        operations(tile);
    }

    void pools(const TileBudgetView& tile) {
        using enum Table::Align;
        if (std::ranges::none_of(tile.pools, [](const PoolView& pool) { return pool.bytes.has_value(); })) {
            std::string limits;
            for (const PoolView& pool : tile.pools) {
                limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", pool.name,
                                      words("budget.bytes", Data().set("bytes", pool.limit)));
            }
            paragraph(kDeeper.substr(2), words("budget.no_bytes", Data().set("limits", limits)));
            return;
        }
        const std::int64_t cells = options_.width < kWide ? kBarWidth / 2 : kBarWidth;
        const std::vector<Table::Align> columns{left, left, right, right, left};
        Table bare(columns);
        for (const PoolView& pool : tile.pools) bare.row(pool_row(pool, cells));
        const auto taken = static_cast<std::uint32_t>(bare.width() + kDeeper.size());
        Table table(columns);
        for (const PoolView& pool : tile.pools) {
            std::vector<std::string> row = pool_row(pool, cells);
            const std::string who = most(pool);
            const bool beside = taken + text::display_width(who) <= options_.width;
            if (beside) row.back() = who;
            table.row(std::move(row));
            if (!beside) table.line(std::string(kDeeper.size(), ' ') + who);
        }
        out_ += table.text(kDeeper.substr(2));
    }

    /// All but the last cell: who takes it.
    std::vector<std::string> pool_row(const PoolView& pool, std::int64_t cells) const {
        if (!pool.bytes) {
            return {std::string(pool.name), "", words("budget.unknown"),
                    words("budget.limit", Data().set("bytes", pool.limit)), ""};
        }
        const std::int64_t part = percent(*pool.bytes, pool.limit);
        const bool over = pool.least_bytes > pool.limit;
        const Role role = over ? Role::error : part >= kNearlyFull ? Role::warning : Role::added;
        return {std::string(pool.name), paint(bar(*pool.bytes, pool.limit, cells), role),
                words(pool.least_bytes < *pool.bytes && *pool.bytes > pool.limit ? "budget.at_most" : "budget.bytes",
                      Data().set("bytes", *pool.bytes)),
                words("budget.of", Data().set("bytes", pool.limit).set("percent", part)), ""};
    }

    std::string most(const PoolView& pool) const {
        if (!pool.bytes) return {};
        Data data;
        data.set("operation", std::string(pool.operation)).set("place", place_text(pool.place));
        std::string who = words("budget.most", std::move(data));
        if (*pool.bytes <= pool.limit) return who;
        if (pool.least_bytes <= pool.limit) return words("budget.maybe_over") + ", " + who;
        return words("budget.over", Data().set("bytes", pool.least_bytes - pool.limit)) + ", " + who;
    }

    void other(const OtherTileView& other, const KernelBudgetView& kernel) {
        Data data;
        data.set("tile", tile_text(other.tile))
            .set("count", other.kernel_tile_operations)
            .set("now", kernel.tile_operations);
        const bool same = other.kernel_tile_operations == kernel.tile_operations;
        const std::string_view id = other.to_be_sure ? (same ? "budget.sure" : "budget.sure_counted")
                                    : other.needed   ? (same ? "budget.fits" : "budget.fits_counted")
                                                     : "budget.room";
        const std::string text = words(id, std::move(data));
        paragraph(kDeeper.substr(2), text, other.needed ? Role::error : other.to_be_sure ? Role::warning : Role::info);
    }

    void operations(const TileBudgetView& tile) {
        const auto room = options_.width - static_cast<std::uint32_t>(kDeeper.size()) + 2;
        for (const Below below : {Below::nothing, Below::sizes, Below::sizes_and_bytes}) {
            const Table columns = operation_columns(tile, below, false);
            if (below != Below::sizes_and_bytes && columns.width() > room) continue;
            out_ += (below == Below::nothing ? columns : operation_columns(tile, below, true)).text(kDeeper.substr(2));
            return;
        }
    }

    Table operation_columns(const TileBudgetView& tile, Below below, bool lines) const {
        using enum Table::Align;
        std::vector<Table::Align> columns{right, left};
        std::vector<std::string> head{words("budget.head.line"), words("budget.head.operation")};
        const auto column = [&](Table::Align align, std::string text) {
            columns.push_back(align);
            head.push_back(std::move(text));
        };
        if (below == Below::nothing) column(left, words("budget.head.sizes"));
        if (!tile.is_cube) column(right, words("budget.head.tiles"));
        column(right, words("budget.head.tile_operations"));
        if (below != Below::sizes_and_bytes) {
            for (const PoolView& pool : tile.pools) column(right, std::string(pool.name));
        }
        Table table(std::move(columns));
        for (std::string& cell : head) cell = paint(cell, Role::gutter);
        table.row(std::move(head));
        for (const UseView& use : tile.operations) {
            std::string name(use.operation);
            if (use.copies > 1) name += fmt::format(" x{}", use.copies);
            std::vector<std::string> row{place_text(use.place), std::move(name)};
            if (below == Below::nothing) row.push_back(use.sizes);
            if (!tile.is_cube) row.push_back(use.tiles ? grouped(*use.tiles) : "");
            row.push_back(grouped(use.tile_operations));
            if (below != Below::sizes_and_bytes) {
                for (std::size_t i = 0; i < use.bytes.size(); ++i) row.push_back(bytes_text(use, tile, i));
            }
            table.row(std::move(row));
            if (lines) lines_below(table, use, tile, below);
        }
        return table;
    }

    std::string bytes_text(const UseView& use, const TileBudgetView& tile, std::size_t pool) const {
        if (!use.bytes[pool]) return {};
        const std::string text = grouped(*use.bytes[pool]);
        return *use.bytes[pool] > tile.pools[pool].limit ? paint(text, Role::error) : text;
    }

    void lines_below(Table& table, const UseView& use, const TileBudgetView& tile, Below below) const {
        const std::string indent(kDeeper.size(), ' ');
        const auto taken = static_cast<std::uint32_t>(indent.size() + kDeeper.size() - 2);
        std::string text = use.sizes;
        if (below == Below::sizes_and_bytes) {
            for (std::size_t i = 0; i < use.bytes.size(); ++i) {
                if (!use.bytes[i]) continue;
                text += fmt::format("{}{} {}", i == 0 ? "; " : ", ", tile.pools[i].name,
                                    words("budget.bytes", Data().set("bytes", *use.bytes[i])));
            }
        }
        for (const std::string& line : wrap(text, options_.width - taken)) table.line(indent + line);
    }

    std::string grouped(std::int64_t number) const { return words("budget.number", Data().set("number", number)); }

    const BudgetReport& report_;
    const BudgetTextOptions& options_;
    std::string out_;
};

}  // namespace

std::string text_of(const BudgetReport& report, const BudgetTextOptions& options) {
    return Writer(report, options).write();
}

}  // namespace ptofix::report
