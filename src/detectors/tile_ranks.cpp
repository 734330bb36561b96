#include "detectors/tile_ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "detectors/places.h"
#include "trace/certainty.h"
#include "trace/operations.h"

namespace ptofix::detectors {

using trace::kNone;
using trace::Operation;
using trace::OpId;
using trace::Trace;

namespace {

/// The framework says so where the operation is written, before it compiles anything.
bool is_refused_at_the_call(const TileRankProblem& problem) {
    return problem.asked.exactly || (!problem.axes && problem.asked.reduces);
}

/// The error that the first of them raises: its code, and its words.
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

std::string shown_tile(const Trace& trace, trace::TileId id) {
    std::vector<std::string> numbers;
    for (const trace::Value& v : trace.tiles[id].vec) {
        numbers.push_back(v.is(trace::Tag::integer) ? std::to_string(v.as.i) : "?");
    }
    return fmt::format("({})", fmt::join(numbers, ", "));
}

std::vector<TileRankProblem> tile_rank_problems(const Trace& trace) {
    std::vector<TileRankProblem> problems;
    const ReadResults results(trace);
    const bool by_host = trace::is_vec_tile_set_by_host(trace);
    for (const trace::KernelTrace& kernel : trace.kernels) {
        std::vector<trace::TileId> before_matmul;  // the tiles that were in force at a matmul
        for (OpId id = kernel.first_op; id < kernel.end_op; ++id) {
            const Operation& op = trace.operations[id];
            if (op.engine == trace::Engine::cube) before_matmul.push_back(op.vec_tile);
            if (!trace::works_on_vec_tile(op) || results.is_dropped(id)) continue;
            const auto refused = trace::refused_rank(trace, op, by_host);
            if (!refused) continue;
            problems.push_back({.operation = id,
                                .asked = refused->asked,
                                .axes = refused->axes,
                                .after_matmul = std::ranges::find(before_matmul, op.vec_tile) != before_matmul.end(),
                                .certain = trace::is_certain(trace, op)});
        }
    }
    return problems;
}

void RankFindings::add(trace::Site cause, const TileRankProblem& problem, trace::Site site) {
    const auto [at, fresh] = by_cause_.try_emplace(cause, RankFinding{problem, problem, {}});
    RankFinding& found = at->second;
    if (problem.certain && !found.first.certain) found.first = problem;
    if (is_refused_at_the_call(problem) && !is_refused_at_the_call(found.said)) found.said = problem;
    found.sites.insert(site);
}

rules::Finding rank_finding(const Trace& trace, std::string_view rule, const RankFinding& found) {
    const Operation& op = trace.operations[found.first.operation];
    rules::Finding finding;
    finding.rule = rule;
    finding.severity = found.first.certain ? rules::Severity::error : rules::Severity::info;
    finding.location = location_of(trace, op.site);
    finding.message.data.set("operation", std::string(trace::info(op.code).name))
        .set("axes", static_cast<std::int64_t>(found.first.asked.axes))
        .set("others", static_cast<std::int64_t>(found.sites.size()) - 1)
        .set("code", refusal_code(found.said))
        .set("compiler", refusal_words(found.said));
    if (found.first.axes) {
        finding.message.data.set("tile", shown_tile(trace, op.vec_tile))
            .set("tile_axes", static_cast<std::int64_t>(*found.first.axes));
    }
    finding.evidence = rules::TileRankEvidence{.operation = found.first.operation,
                                               .axes = static_cast<std::uint32_t>(found.first.asked.axes)};
    return finding;
}

}  // namespace ptofix::detectors
