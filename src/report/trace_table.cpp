// The trace as a table: one row an operation, loops as rows of their own with what is inside them indented.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/table.h"
#include "report/trace_view.h"
#include "rules/messages.h"
#include "text/display_width.h"

namespace ptofix::report {

namespace {

using rules::Data;
using rules::Language;

/// Cells for the operands side by side; more go below each other.
constexpr std::uint32_t kOperandWidth = 48;
constexpr std::string_view kIndent = "  ";

std::string words(std::string_view id, Language language, Data data = {}) {
    return rules::render({id, std::move(data)}, language);
}

std::string listed(const std::vector<Number>& numbers) {
    std::string out;
    for (const Number& n : numbers) out += (out.empty() ? "" : ", ") + n.text;
    return out;
}

/// "BF16" for "DT_BF16".
std::string_view short_name(std::string_view dtype) {
    constexpr std::string_view kPrefix = "DT_";
    if (dtype.empty()) return "?";
    return dtype.starts_with(kPrefix) ? dtype.substr(kPrefix.size()) : dtype;
}

std::string tensor_text(const TensorView& t) {
    const std::string shape = t.rank_known ? listed(t.shape) : "...";
    return fmt::format("{}{}[{}] {}", t.name, t.name.empty() ? "" : " ", shape, short_name(t.dtype));
}

class Writer {
  public:
    Writer(const TraceReport& report, Language language) : report_(report), language_(language) {}

    std::string write() {
        for (const KernelView& kernel : report_.kernels) {
            if (!out_.empty()) out_ += '\n';
            write(kernel);
        }
        if (report_.kernels.empty()) {
            out_ += words("trace.no_kernel", language_, Data().set("path", report_.path)) + '\n';
        }
        if (!report_.all_unknowns.empty()) {
            out_ += '\n' + words("trace.all_unknown", language_) + '\n';
            unknowns(report_.all_unknowns);
        }
        return std::move(out_);
    }

  private:
    std::string place_text(const Place& place) const {
        return place.path == report_.path ? place.line_text()
                                          : fmt::format("{}:{}", text::printable(place.path), place.line_text());
    }

    std::string title(const KernelView& kernel) const {
        Data data;
        data.set("name", kernel.name);
        std::string out = fmt::format("{}:{}: ", text::printable(kernel.place.path), kernel.place.line_text());
        if (kernel.is_helper) {
            out += words("trace.helper", language_, data);
        } else if (kernel.call) {
            data.set("place", fmt::format("{}:{}", kernel.call->path, kernel.call->line_text()));
            out += words("trace.kernel_called", language_, data);
        } else {
            out += words("trace.kernel", language_, data);
        }
        if (kernel.legacy_frontend) out += words("trace.legacy", language_);
        if (!kernel.complete) out += words("trace.cut_short", language_);
        return out;
    }

    void write(const KernelView& kernel) {
        out_ += title(kernel) + '\n';
        Table parameters({Table::Align::left, Table::Align::left});
        for (const ParameterView& p : kernel.parameters) {
            parameters.row({p.name, p.tensor ? tensor_text(*p.tensor) : p.value});
        }
        out_ += parameters.text(kIndent);
        if (!kernel.parameters.empty()) out_ += '\n';
        operations(kernel);
        if (!kernel.unknowns.empty()) {
            out_ += fmt::format("\n{}{}\n", kIndent, words("trace.unknown", language_));
            unknowns(kernel.unknowns);
        }
    }

    std::string tile_text(const OperationView& op) const {
        if (!op.tile) return op.engine == "vector" || op.engine == "cube" ? words("trace.no_tile", language_) : "";
        const TileView& t = *op.tile;
        std::string out = t.is_cube ? fmt::format("m [{}] k [{}] n [{}]", listed(t.m), listed(t.k), listed(t.n))
                                    : fmt::format("({})", t.vec.empty() ? "?" : listed(t.vec));
        if (t.set_at) out += words("trace.set_at", language_, Data().set("place", place_text(*t.set_at)));
        return out;
    }

    static std::string operand_text(const OperationView& op) {
        std::string joined;
        std::string stacked;
        for (const TensorView& t : op.operands) {
            joined += (joined.empty() ? "" : ", ") + tensor_text(t);
            stacked += (stacked.empty() ? "" : "\n") + tensor_text(t);
        }
        return text::display_width(joined) > kOperandWidth ? stacked : joined;
    }

    std::string loop_text(const LoopView& loop) const {
        std::string out(loop.kind);
        if (!loop.index.empty()) out += ' ' + loop.index;
        out += ": " + (loop.trips.value ? words("trace.trips", language_, Data().set("count", *loop.trips.value))
                                        : words("trace.trips_text", language_, Data().set("count", loop.trips.text)));
        if (!loop.unroll.empty()) {
            out += fmt::format(", unroll [{}]", fmt::join(loop.unroll, ", "));
        } else if (!loop.unroll_known) {
            out += ", unroll ?";
        }
        return out;
    }

    void operations(const KernelView& kernel) {
        using enum Table::Align;
        Table table({right, left, left, left, left});
        table.row({words("trace.head.line", language_), words("trace.head.operation", language_),
                   words("trace.head.operands", language_), words("trace.head.result", language_),
                   words("trace.head.tile", language_)});
        const auto depth_of = [&](std::optional<std::size_t> loop) {
            std::size_t depth = 0;
            for (; loop; loop = kernel.loops[*loop].parent) ++depth;
            return depth;
        };
        std::size_t next_loop = 0;
        const auto open_loops = [&](std::size_t operation) {
            for (; next_loop < kernel.loops.size() && kernel.loops[next_loop].first <= operation; ++next_loop) {
                const LoopView& loop = kernel.loops[next_loop];
                const std::string indent(2 * depth_of(loop.parent), ' ');
                table.row({place_text(loop.place), indent + loop_text(loop), "", "", ""});
            }
        };
        for (std::size_t i = 0; i < kernel.operations.size(); ++i) {
            open_loops(i);
            const OperationView& op = kernel.operations[i];
            const std::string indent(2 * depth_of(op.loop), ' ');
            table.row({place_text(op.place), indent + std::string(op.name), operand_text(op),
                       op.result ? tensor_text(*op.result) : "", tile_text(op)});
        }
        open_loops(kernel.operations.size());
        out_ += table.text(kIndent);
    }

    void unknowns(const std::vector<UnknownView>& list) {
        using enum Table::Align;
        Table table({right, left, left});
        for (const UnknownView& u : list) table.row({place_text(u.place), u.what, u.why});
        out_ += table.text(std::string(kIndent) + std::string(kIndent));
    }

    const TraceReport& report_;
    Language language_;
    std::string out_;
};

}  // namespace

std::string text_of(const TraceReport& report, Language language) {
    return Writer(report, language).write();
}

std::string text_of(const CoverageReport& report, Language language) {
    using enum Table::Align;
    Table table({left, right, right, right, right, right, right});
    const auto head = [&](std::string_view id) { return words(fmt::format("trace.coverage.{}", id), language); };
    table.row({"", head("sites"), head("full"), head("in_part"), head("run_time"), head("unknown"), head("unreached")});
    const auto row = [&](std::string_view id, const CoverageCounts& c) {
        table.row({head(id), fmt::format("{}", c.sites), fmt::format("{}", c.full), fmt::format("{}", c.in_part),
                   fmt::format("{}", c.run_time), fmt::format("{}", c.unknown), fmt::format("{}", c.unreached)});
    };
    row("vec_tiles", report.vec_tiles);
    row("cube_tiles", report.cube_tiles);
    row("unroll_lists", report.unroll_lists);
    return table.text();
}

}  // namespace ptofix::report
