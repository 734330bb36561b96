// From many fixes, each right alone, to one set of edits a file. Fixes that overlap, or that shut each other out, wait
// for the next round; the choice does not depend on the order in which they come. Used by each round of the fixpoint
// and by editors that merge actions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "rules/finding.h"
#include "text/edit.h"

namespace ptofix::fixing {

using FileIndex = std::uint32_t;

struct PlacedEdit {
    FileIndex file = 0;  // into whatever the caller numbers
    text::Edit edit;
    friend auto operator<=>(const PlacedEdit&, const PlacedEdit&) = default;
};

/// A fix whose edits name files by the caller's numbers.
struct Candidate {
    std::string_view rule;
    int priority = 0;
    int phase = 0;
    std::vector<PlacedEdit> edits;  // sorted, not overlapping, not empty
    std::string_view isolation;
    std::size_t origin = 0;  // the caller's own number of it; says nothing about order
};

/// The order in which fixes are taken: priority, start, longer first, rule, and at last the edits themselves.
bool goes_before(const Candidate& a, const Candidate& b);

struct Merged {
    std::vector<std::size_t> accepted;  // indices into the candidates, in the order in which they were taken
    std::vector<std::size_t> deferred;  // for the next round
};

/// `texts` by FileIndex: insertions of whole lines are told from others by what stands before them.
Merged merge(std::span<const Candidate> candidates, std::span<const std::string_view> texts);

/// The edits of all these candidates by file. Edits that several have in common are there once; insertions at one point
/// keep the candidates' order.
std::map<FileIndex, std::vector<text::Edit>> edits_of(std::span<const Candidate> candidates,
                                                      std::span<const std::size_t> accepted);

}  // namespace ptofix::fixing
