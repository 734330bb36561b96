// A person who decides on each fix. In every round of the fixpoint they are shown what could be applied now, take at
// most one, and see what the text has become before the next.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fixing/analysis.h"

namespace ptofix::fixing {

/// A fix that can be applied to the text as it is now.
struct Offer {
    const Diagnosis* diagnosis;
    const Analysis* analysis;
    const rules::Fix* fix;
};

struct Decision {
    std::optional<std::size_t> accepted;  // the offer
    std::optional<rules::Fix> edited;     // to be applied in its place
    std::vector<std::size_t> declined;    // these are not offered again, wherever other fixes move them
};

class Reviewer {
  public:
    Reviewer() = default;
    Reviewer(const Reviewer&) = delete;
    Reviewer& operator=(const Reviewer&) = delete;
    virtual ~Reviewer() = default;

    /// The offers are in the order of files and places, those first that the others depend on. A decision that neither
    /// accepts nor declines ends the review of these files.
    virtual Decision decide(std::span<const Offer> offers) = 0;
    /// What was accepted last would leave the file worse than it was, and is not applied.
    virtual void refused(const std::string& what) = 0;
};

}  // namespace ptofix::fixing
