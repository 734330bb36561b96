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

    bool empty() const { return !any_; }
    /// Is the finding one of them, though lines may have moved meanwhile? Of equal ones in a function the first are.
    /// May be asked by several threads.
    bool hold(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const;

  private:
    using Key = std::tuple<std::string, std::string, std::string, std::string>;  // path, rule, words, function
    static Key key_of(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis);
    static bool are_alike(const Key& a, const Key& b);
    /// How many of `key` in functions that are no more: a fix may have given them another name.
    std::size_t homeless(const Key& key, const fixing::Analysis& analysis) const;

    std::map<Key, std::size_t> counts_;  // of all findings: how many of them the baseline has
    bool any_ = false;
};

}  // namespace ptofix::cli
