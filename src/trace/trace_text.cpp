#include "trace/trace_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::trace {

namespace {

std::string dims_text(const Trace& trace, const std::vector<SymInt>& dims) {
    std::string out = "[";
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (i > 0) out += ", ";
        out += dims[i].unknown() ? "?" : trace.symbols.text(dims[i]);
    }
    return out + "]";
}

std::uint32_t line_of(const Trace& trace, Site site) {
    if (!site.known() || site.file >= trace.files.size()) return 0;
    const SourceFile& file = *trace.files[site.file];
    return file.lines.position(file.tree[site.node].start).line;
}

std::string symbol_text(const Trace& trace, const Value& v) {
    const SymInt s = v.sym();
    return s.unknown() ? "?" : trace.symbols.text(s);
}

std::string tile_text(const Trace& trace, TileId id) {
    if (id == kNone) return "-";
    const TileSetting& t = trace.tiles[id];
    std::string out = "(";
    const auto put = [&](const Value& v, bool first) {
        if (!first) out += ", ";
        out += symbol_text(trace, v);
    };
    if (t.engine == TileSetting::Engine::vec) {
        for (std::size_t i = 0; i < t.vec.size(); ++i) put(t.vec[i], i == 0);
    } else {
        for (std::size_t i = 0; i < 2; ++i) put(t.m[i], i == 0);
        out += " | ";
        for (std::size_t i = 0; i < t.k_count && i < 3; ++i) put(t.k[i], i == 0);
        out += " | ";
        for (std::size_t i = 0; i < 2; ++i) put(t.n[i], i == 0);
    }
    return out + ")";
}

}  // namespace

std::string_view loop_name(LoopKind kind) {
    switch (kind) {
        case LoopKind::python_range:
            return "range";
        case LoopKind::python_iteration:
            return "for";
        case LoopKind::python_while:
            return "while";
        case LoopKind::comprehension:
            return "comprehension";
        case LoopKind::device_loop:
            return "pypto.loop";
        case LoopKind::device_unroll:
            return "pypto.loop_unroll";
    }
    return "";
}

std::string type_text(const Trace& trace, const TensorType& type) {
    const std::string_view dtype =
        type.dtype == hardware::DType::unknown ? std::string_view("?") : hardware::pypto_name(type.dtype);
    return fmt::format("{} {}", type.rank_known ? dims_text(trace, type.shape) : "[...]", dtype);
}

std::string value_text(const Trace& trace, const Value& value) {
    switch (value.tag) {
        case Tag::none:
            return "None";
        case Tag::boolean:
            return value.as.b ? "True" : "False";
        case Tag::real:
            return fmt::format("{}", value.as.f);
        case Tag::string:
            return fmt::format("\"{}\"", *value.as.text);
        case Tag::marker:
            return *value.as.text;
        case Tag::dtype:
            return std::string(hardware::pypto_name(value.as.dtype));
        case Tag::list:
        case Tag::tuple: {
            std::string out;
            for (const Value& v : value.as.list->items) {
                out += out.empty() ? "" : ", ";
                out += v.is_sequence() ? "[...]" : value_text(trace, v);
            }
            if (value.as.list->open) out += out.empty() ? "..." : ", ...";
            return value.tag == Tag::list ? "[" + out + "]" : "(" + out + ")";
        }
        case Tag::instance:
            return value.as.instance->klass != nullptr ? fmt::format("{}(...)", value.as.instance->klass->name)
                                                       : "(...)";
        case Tag::dict:
            return "{...}";
        case Tag::function:
            return std::string(value.as.function->name);
        default:
            return symbol_text(trace, value);
    }
}

std::string trace_text(const Trace& trace) {
    std::string out;
    const auto add = std::back_inserter(out);
    for (const KernelTrace& k : trace.kernels) {
        fmt::format_to(add, "{} {} line {}{}{}\n", k.is_helper ? "helper" : "kernel", k.name, line_of(trace, k.site),
                       k.call.known() ? fmt::format(" called at line {}", line_of(trace, k.call)) : "",
                       k.complete ? "" : " (cut short)");
        for (const KernelParameter& p : k.parameters) {
            fmt::format_to(add, "  {}: {}\n", p.name,
                           p.value.tag == Tag::tensor ? type_text(trace, trace.tensors[p.value.as.tensor].type)
                                                      : value_text(trace, p.value));
        }
        for (LoopId id = k.first_loop; id < k.end_loop; ++id) {
            const Loop& loop = trace.loops[id];
            fmt::format_to(add, "  loop {} {} line {} trips {}{}{}{}\n", id, loop_name(loop.kind),
                           line_of(trace, loop.site), loop.trips.unknown() ? "?" : trace.symbols.text(loop.trips),
                           loop.parent == kNone ? "" : fmt::format(" in {}", loop.parent),
                           loop.per_item ? " item by item" : "",
                           loop.unroll.empty() ? "" : fmt::format(" unroll {}", fmt::join(loop.unroll, ",")));
        }
        for (const LoopUse& u : trace.loop_uses) {
            if (u.loop < k.first_loop || u.loop >= k.end_loop) continue;
            fmt::format_to(add, "  use {} of loop {} line {} {}\n", static_cast<int>(u.kind), u.loop,
                           line_of(trace, u.site), u.detail);
        }
        for (OpId id = k.first_op; id < k.end_op; ++id) {
            const Operation& op = trace.operations[id];
            fmt::format_to(add, "  {:>4} {}(", line_of(trace, op.site), info(op.code).name);
            bool first = true;
            for (TensorId t : trace.inputs(op)) {
                fmt::format_to(add, "{}{}{}", first ? "" : ", ",
                               trace.tensors[t].name.empty() ? "" : fmt::format("{} ", trace.tensors[t].name),
                               type_text(trace, trace.tensors[t].type));
                first = false;
            }
            out += ")";
            if (op.output != kNoTensor) fmt::format_to(add, " -> {}", type_text(trace, trace.tensors[op.output].type));
            if (!op.offsets.empty()) fmt::format_to(add, " at {}", dims_text(trace, op.offsets));
            if (op.loop != kNone) fmt::format_to(add, " loop {}", op.loop);
            const TileId tile = op.engine == Engine::cube ? op.cube_tile : op.vec_tile;
            fmt::format_to(add, " tile {}\n", tile_text(trace, tile));
        }
    }
    return out;
}

}  // namespace ptofix::trace
