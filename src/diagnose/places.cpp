#include "diagnose/places.h"

#include <algorithm>
#include <cctype>

#include "hardware/cube_check.h"
#include "trace/matmul.h"
#include "trace/operations.h"

namespace ptofix::diagnose {

namespace {

using trace::KernelId;
using trace::kNone;
using trace::LoopId;
using trace::Trace;

KernelId kernel_of_tile(const Trace& trace, trace::TileId tile) {
    return trace.tiles[tile].kernel;
}

struct KernelOf {
    const Trace& trace;

    KernelId of_op(trace::OpId op) const { return op == kNone ? kNone : trace.operations[op].kernel; }
    KernelId operator()(const std::monostate&) const { return kNone; }
    KernelId operator()(const rules::WorkspaceEvidence& e) const { return e.number.kernel; }
    KernelId operator()(const rules::VecTileEvidence& e) const { return of_op(e.operation); }
    KernelId operator()(const rules::CubeTileEvidence& e) const {
        return e.matmul == kNone ? kernel_of_tile(trace, e.setting) : of_op(e.matmul);
    }
    KernelId operator()(const rules::TileTailEvidence& e) const { return of_op(e.operation); }
    KernelId operator()(const rules::TileRankEvidence& e) const { return of_op(e.operation); }
    KernelId operator()(const auto& e) const { return e.kernel; }
};

struct LoopOf {
    const Trace& trace;

    LoopId of_op(trace::OpId op) const { return op == kNone ? kNone : trace.operations[op].loop; }
    LoopId operator()(const rules::PythonLoopEvidence& e) const { return e.loop; }
    LoopId operator()(const rules::UnrollJumpEvidence& e) const { return e.loop; }
    LoopId operator()(const rules::UnrollBodyEvidence& e) const { return e.loop; }
    LoopId operator()(const rules::UnrollSumEvidence& e) const { return e.loop; }
    LoopId operator()(const rules::WeightCastEvidence& e) const { return e.loop; }
    LoopId operator()(const rules::ThinTileEvidence& e) const { return e.loop; }
    LoopId operator()(const rules::TileCountEvidence& e) const { return of_op(e.operation); }
    LoopId operator()(const rules::VecTileEvidence& e) const { return of_op(e.operation); }
    LoopId operator()(const rules::TileRankEvidence& e) const { return of_op(e.operation); }
    LoopId operator()(const auto&) const { return kNone; }
};

bool is_inside(const Trace& trace, LoopId loop, LoopId around) {
    for (; loop != kNone; loop = trace.loops[loop].parent) {
        if (loop == around) return true;
    }
    return false;
}

bool is_name(const std::string& given, std::string_view whole) {
    // The newer frontend puts the kernel's name in front of the loop's.
    return given == whole || (!given.empty() && whole.ends_with("_" + given));
}

/// "loop_3": what the framework calls the fourth loop of the process, if it has no name.
bool is_default_name(std::string_view name) {
    constexpr std::string_view kLoop = "loop_";
    const std::size_t at = name.rfind(kLoop);
    if (at == std::string_view::npos || (at > 0 && name[at - 1] != '_')) return false;
    const std::string_view digits = name.substr(at + kLoop.size());
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Which of several it is depends on what else was compiled.
std::vector<LoopId> only_nameless_loop(const Trace& trace) {
    std::vector<LoopId> found;
    for (LoopId id = 0; id < trace.loops.size(); ++id) {
        const trace::Loop& loop = trace.loops[id];
        if (loop.spec == nullptr || loop.spec->unroll || loop.spec->name.tag != trace::Tag::none) continue;
        if (!found.empty() && trace.loops[found.front()].site != loop.site) return {};
        found.push_back(id);
    }
    return found;
}

/// "REDUCE_MAX" and "amax" are names of one thing only sometimes: letters and digits are compared, in one case.
bool is_same_operation(std::string_view compiler, std::string_view ours) {
    const auto plain = [](std::string_view name) {
        std::string out;
        for (const char c : name) {
            if (std::isalnum(static_cast<unsigned char>(c)) != 0) out += static_cast<char>(std::tolower(c));
        }
        return out;
    };
    const std::string a = plain(compiler), b = plain(ours.substr(ours.rfind('.') + 1));
    // ADDS is add with a number.
    return a == b || a == b + "s";
}

}  // namespace

KernelId kernel_of(const rules::Finding& finding, const Trace& trace) {
    const KernelId kernel = std::visit(KernelOf{trace}, finding.evidence);
    return kernel < trace.kernels.size() ? kernel : kNone;
}

LoopId loop_of(const rules::Finding& finding, const Trace& trace) {
    const LoopId loop = std::visit(LoopOf{trace}, finding.evidence);
    return loop < trace.loops.size() ? loop : kNone;
}

std::vector<LoopId> loops_named(const Trace& trace, const FunctionName& function) {
    std::vector<LoopId> found;
    std::size_t best = 0;
    if (function.loop.empty()) return found;
    for (LoopId id = 0; id < trace.loops.size(); ++id) {
        const trace::Loop& loop = trace.loops[id];
        if (loop.spec == nullptr || loop.spec->name.tag != trace::Tag::string) continue;
        const std::string& name = *loop.spec->name.as.text;
        if (!is_name(name, function.loop)) continue;
        // "X_L" is the loop X_L rather than L, and L of the kernel X rather than that of another one.
        const bool of_kernel =
            loop.kernel != kNone && function.loop == std::string(trace.kernels[loop.kernel].name) + "_" + name;
        const std::size_t length = name == function.loop || of_kernel ? function.loop.size() : name.size();
        if (length < best) continue;
        if (length > best) found.clear();
        best = length;
        found.push_back(id);
    }
    if (found.empty() && is_default_name(function.loop)) found = only_nameless_loop(trace);
    return found;
}

bool is_near(const Trace& trace, LoopId loop, const std::vector<LoopId>& loops) {
    return std::ranges::any_of(loops, [&](LoopId other) {
        return loop != kNone && (is_inside(trace, loop, other) || is_inside(trace, other, loop));
    });
}

std::vector<CubeRefusal> cube_refusals(const Trace& trace) {
    std::vector<CubeRefusal> refusals;
    for (const trace::CubeTileCall& call : trace::cube_tile_calls(trace)) {
        for (const auto& setting : call.settings) {
            const auto tile = trace::cube_tile_of(trace.tiles[setting.tile]);
            if (!tile) continue;
            for (const trace::Matmul& matmul : setting.matmuls) {
                auto problem = hardware::cube_problem(*tile, matmul.form, matmul.extent);
                if (problem) refusals.push_back({call.call, matmul.op, std::move(problem->said)});
            }
        }
    }
    return refusals;
}

bool may_be_named(const Trace& trace, trace::OpId op, std::string_view printed) {
    if (printed.empty()) return true;
    // A composition is reported by the name of one of its steps: no name of ours may be the same.
    const bool named = std::ranges::any_of(trace.operations, [&](const trace::Operation& other) {
        return is_same_operation(printed, trace::info(other.code).name);
    });
    return !named || is_same_operation(printed, trace::info(trace.operations[op].code).name);
}

std::string_view plain_sentence(std::string_view said) {
    constexpr std::string_view kClass = "ValueError: ";
    if (said.starts_with(kClass)) said.remove_prefix(kClass.size());
    const auto is_around = [](char c) {
        return c == ' ' || c == '.' || c == '"' || c == '\'' || c == '!' || c == '\\';
    };
    while (!said.empty() && is_around(said.back())) said.remove_suffix(1);
    while (!said.empty() && is_around(said.front())) said.remove_prefix(1);
    return said;
}

}  // namespace ptofix::diagnose
