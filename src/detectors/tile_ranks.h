// The operations whose vec tile has another number of axes than the compiler takes, or that have none. Two rules divide
// them: PTO302 and PTO303.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/tile_checks.h"
#include "trace/trace.h"

namespace ptofix::detectors {

struct TileRankProblem {
    trace::OpId operation = 0;
    trace::CheckedRank asked;
    std::optional<std::size_t> axes;  // of the tile in force; nullopt: none is
    bool after_matmul = false;        // the tile was set before a matmul that this operation comes after
    bool certain = false;             // the compiler refuses it
};

/// The framework says so where the operation is written, before it compiles anything.
bool is_refused_at_the_call(const TileRankProblem& problem);
/// The error that the first of them raises: its code, and its words.
std::string refusal_code(const TileRankProblem& problem);
std::string refusal_words(const TileRankProblem& problem);

/// In the order of the operations: those that the compiler refuses.
std::vector<TileRankProblem> tile_rank_problems(const trace::Trace& trace);

/// The axes that the call has set, whatever their numbers; nullopt: not even that is known.
std::optional<std::size_t> axes_of(const trace::TileSetting& tile);

/// "(16, 64)"; a number that is not known is a question mark.
std::string shown_tile(const trace::Trace& trace, trace::TileId id);

/// May code that was not followed have set another tile between this setting and the operation?
bool may_be_another_tile(const trace::Trace& trace, const trace::Operation& op);

/// Does nothing read what the operation makes? The compiler drops it before it looks at its tile.
class ReadResults {
  public:
    explicit ReadResults(const trace::Trace& trace);
    bool is_dropped(trace::OpId id) const;

  private:
    const trace::Trace& trace_;
    std::vector<bool> makes_something_;  // by OpId
};

}  // namespace ptofix::detectors
