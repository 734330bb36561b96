// The findings of a run that its baseline has: they are not shown, so they are not fixed either, in any round.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <tuple>

#include "fixing/analysis.h"
#include "report/view.h"

namespace ptofix::cli {

class KnownFindings {
  public:
    /// There is no baseline.
    KnownFindings() = default;
    /// Of the texts before any fix, told from new ones.
    explicit KnownFindings(std::span<const report::FileReport> reports);

    bool empty() const { return counts_.empty(); }
    /// Is the finding one of them, though lines may have moved meanwhile? Of equal ones in a file the first are. May be
    /// asked by several threads.
    bool hold(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const;

  private:
    using Key = std::tuple<std::string, std::string, std::string>;  // path, rule, words of the line
    static Key key_of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis);

    std::map<Key, std::size_t> counts_;
};

}  // namespace ptofix::cli
