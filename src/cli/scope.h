// What part of the found files a run is about: those that have changed (--since, --staged) and their changed lines, or
// a shard. The other files are there all the same: whoever imports a file of the part is looked at, so that no fix
// takes from others what they read, but nothing of it is reported.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/changed_lines.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "fixing/analysis.h"
#include "report/json.h"
#include "report/view.h"

namespace ptofix::cli {

class Scope {
  public:
    /// Everything.
    Scope() = default;
    /// Of the files found: all paths as they are shown.
    static std::expected<Scope, report::Problem> of(const CheckCommand& command, std::span<const std::string> paths);

    bool is_everything() const { return !is_part_; }
    bool is_by_lines() const { return lines_ != nullptr; }
    bool owns(const std::string& path) const { return !is_part_ || own_.contains(path); }
    /// What is staged of a file that has further changes; null: the file itself counts.
    const std::string* staged(const std::string& path) const;
    /// With --staged: has the file changes that are not? It need not be of the part.
    bool is_unstaged(const std::string& path) const;

    /// Is a finding of this analysis one that the run is about? May be asked by several threads.
    bool holds(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const;
    /// Leaves what the run is about. `keeps`: reports of files that are shown in any case.
    void narrow(std::vector<report::FileReport>& reports, const std::function<bool(const std::string&)>& keeps) const;

  private:
    bool edits_own_alone(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const;
    bool touches(const report::FindingView& finding, const report::FileReport& report) const;

    bool is_part_ = false;
    std::map<std::string, std::optional<std::string>> own_;  // by path as shown; with what is staged, see staged()
    std::set<std::string> unstaged_;                         // paths without links
    std::set<std::string> shard_;                            // paths without links; empty: no shard
    std::shared_ptr<ChangedLines> lines_;                    // null: whole files
};

}  // namespace ptofix::cli
