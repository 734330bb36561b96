#include "detectors/tile_ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "trace/certainty.h"
#include "trace/operations.h"

namespace ptofix::detectors {

namespace {

using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::TileSetting;
using trace::Trace;

bool is_number(const trace::Value& v) {
    return v.is(trace::Tag::integer) || v.is(trace::Tag::symbol);
}

/// Was a tile set in host code, whose scope a kernel may have inherited?
bool is_set_by_host(const Trace& trace) {
    return std::ranges::any_of(trace.tiles, [](const TileSetting& t) {
        return t.kernel == kNone && t.engine == TileSetting::Engine::vec && !t.is_joined();
    });
}

}  // namespace

ReadResults::ReadResults(const Trace& trace) : trace_(trace), makes_something_(trace.operations.size(), false) {
    std::vector<bool> is_read(trace.tensors.size(), false);
    for (const trace::TensorId id : trace.operands) is_read[id] = true;
    for (std::size_t id = 0; id < trace.tensors.size(); ++id) {
        const trace::Tensor& t = trace.tensors[id];
        if (t.producer != kNone && (is_read[id] || t.joined || t.carried)) makes_something_[t.producer] = true;
    }
}

bool ReadResults::is_dropped(OpId id) const {
    const Operation& op = trace_.operations[id];
    if (op.output == trace::kNoTensor || op.in_place) return false;
    return trace_.tensors[op.output].producer == id && !makes_something_[id];
}

std::optional<std::size_t> axes_of(const TileSetting& tile) {
    if (tile.engine != TileSetting::Engine::vec || tile.vec.empty()) return std::nullopt;
    if (!std::ranges::all_of(tile.vec, is_number)) return std::nullopt;
    return tile.vec.size();
}

std::string shown_tile(const Trace& trace, trace::TileId id) {
    std::vector<std::string> numbers;
    for (const trace::Value& v : trace.tiles[id].vec) {
        numbers.push_back(v.is(trace::Tag::integer) ? std::to_string(v.as.i) : "?");
    }
    return fmt::format("({})", fmt::join(numbers, ", "));
}

bool may_be_another_tile(const Trace& trace, const Operation& op) {
    const std::vector<OpId>& unfollowed = trace.kernels[op.kernel].unfollowed;
    const OpId from = op.vec_tile == kNone ? trace.kernels[op.kernel].first_op : trace.tiles[op.vec_tile].first_op;
    const auto id = static_cast<OpId>(&op - trace.operations.data());
    return std::ranges::any_of(unfollowed, [&](OpId at) { return at >= from && at <= id; });
}

bool is_refused_at_the_call(const TileRankProblem& problem) {
    return problem.asked.exactly || (!problem.axes && problem.asked.reduces);
}

std::string refusal_code(const TileRankProblem& problem) {
    if (problem.asked.exactly) return "FC0000";
    return is_refused_at_the_call(problem) ? "FC1000" : "F4FFFF";
}

std::string refusal_words(const TileRankProblem& problem) {
    if (problem.asked.exactly) return "TileShape dim num should same to input.";
    if (is_refused_at_the_call(problem)) return "TileShape is no set for reduce op";
    return fmt::format("Operation: {}. Tile shape size {} is not matched the output shape size {}.",
                       problem.asked.opcode, problem.axes.value_or(0), problem.asked.axes);
}

std::vector<TileRankProblem> tile_rank_problems(const Trace& trace) {
    std::vector<TileRankProblem> problems;
    const ReadResults results(trace);
    const bool by_host = is_set_by_host(trace);
    for (const trace::KernelTrace& kernel : trace.kernels) {
        std::vector<trace::TileId> before_matmul;  // the tiles that were in force at a matmul
        for (OpId id = kernel.first_op; id < kernel.end_op; ++id) {
            const Operation& op = trace.operations[id];
            if (op.engine == trace::Engine::cube) before_matmul.push_back(op.vec_tile);
            if (!trace::works_on_vec_tile(op) || results.is_dropped(id)) continue;
            const bool none = op.vec_tile == kNone;
            if (none && (kernel.is_helper || by_host)) continue;
            const auto axes = none ? std::nullopt : axes_of(trace.tiles[op.vec_tile]);
            if (!none && !axes) continue;
            if (may_be_another_tile(trace, op)) continue;
            const auto asked = trace::checked_rank(trace, op);
            if (!asked || (axes && (asked->exactly ? *axes == asked->axes : *axes >= asked->axes))) continue;
            problems.push_back({.operation = id,
                                .asked = *asked,
                                .axes = axes,
                                .after_matmul = std::ranges::find(before_matmul, op.vec_tile) != before_matmul.end(),
                                .certain = trace::is_certain(trace, op)});
        }
    }
    return problems;
}

}  // namespace ptofix::detectors
