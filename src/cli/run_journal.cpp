#include "cli/run_journal.h"

#include "changes/state_folder.h"
#include "changes/undo.h"
#include "rules/messages.h"

namespace ptofix::cli {

using report::Problem;
using rules::Data;
using rules::Language;

std::vector<std::string> notes_of_killed_runs(Language language) {
    std::vector<std::string> notes;
    const std::optional<std::string> state = changes::state_folder();
    if (!state) return notes;
    const std::string folder = changes::journal_folder(*state, changes::project_root("."));
    for (const changes::Interrupted& run : changes::clear_up_after_killed_runs(folder)) {
        Data data = Data().set("time", run.time).set("written", static_cast<std::int64_t>(run.written));
        data.set("files", static_cast<std::int64_t>(run.files));
        notes.push_back(rules::render({"undo.interrupted", std::move(data)}, language));
    }
    return notes;
}

std::optional<Problem> RunJournal::open(std::span<const changes::JournalEntry> entries) {
    const std::optional<std::string> state = changes::state_folder();
    if (!state) return Problem{"", "no-journal", rules::render({"undo.no_state_folder", {}}, language_)};
    const std::string root = changes::project_root(".");
    auto journal = changes::Journal::write(changes::journal_folder(*state, root), root, entries);
    if (!journal) {
        const changes::JournalError& error = journal.error();
        Data data = Data().set("path", error.path).set("detail", rules::in_language(error.detail, language_));
        return Problem{error.path, "no-journal", rules::render({"undo.no_journal", std::move(data)}, language_)};
    }
    journal_ = std::move(*journal);
    return std::nullopt;
}

void RunJournal::close(bool something_was_written) {
    if (!journal_) return;
    something_was_written ? journal_->finish() : journal_->forget();
    journal_.reset();
}

}  // namespace ptofix::cli
