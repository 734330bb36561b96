// The operations whose vec tile has another number of axes than the compiler takes, or that have none. Two rules divide
// them: PTO302 and PTO303.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"
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

/// In the order of the operations: those that the compiler refuses.
std::vector<TileRankProblem> tile_rank_problems(const trace::Trace& trace);

/// "(16, 64)"; a number that is not known is a question mark.
std::string shown_tile(const trace::Trace& trace, trace::TileId id);

/// The operations that one cause refuses: a tile call, or a kernel without any.
struct RankFinding {
    TileRankProblem first;  // what is said of: one that is certain, if any is
    TileRankProblem said;   // the one that the framework complains of
    std::set<trace::Site> sites;
    bool several() const { return sites.size() > 1; }
};

class RankFindings {
  public:
    void add(trace::Site cause, const TileRankProblem& problem, trace::Site site);
    const std::map<trace::Site, RankFinding>& by_cause() const { return by_cause_; }

  private:
    std::map<trace::Site, RankFinding> by_cause_;
};

/// Place, severity, numbers and evidence; which words they fill is left to the rule.
rules::Finding rank_finding(const trace::Trace& trace, std::string_view rule, const RankFinding& found);

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
