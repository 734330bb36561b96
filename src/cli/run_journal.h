// The journal of this run as the command line needs it: where it is, and the words when it cannot be.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "changes/journal.h"
#include "cli/options.h"
#include "report/json.h"
#include "rules/catalogue.h"

namespace ptofix::cli {

/// Notes of runs that were killed and that wrote what this one is about; what they left half done is cleared away
/// first.
std::vector<std::string> notes_of_killed_runs(const CheckCommand& command);

class RunJournal {
  public:
    explicit RunJournal(rules::Language language) : language_(language) {}

    /// Nothing, when it is on disk. Otherwise why not, and nothing may be written.
    std::optional<report::Problem> open(std::span<const changes::JournalEntry> entries);
    void close(bool something_was_written);

  private:
    rules::Language language_;
    std::optional<changes::Journal> journal_;
};

}  // namespace ptofix::cli
