#include "cli/run_journal.h"

#include <array>
#include <filesystem>

#include "changes/reach.h"
#include "changes/state_folder.h"
#include "changes/undo.h"
#include "cli/shown.h"
#include "rules/messages.h"

namespace ptofix::cli {

using report::Problem;
using rules::Data;
using rules::Language;

namespace {

/// The projects of the paths.
changes::Reach reach_of(const CheckCommand& command) {
    // What a list holds isn't read yet.
    if (!command.choice.files_from.empty()) return changes::Reach(std::array<std::string, 1>{"/"});
    std::vector<std::string> projects;
    for (const std::string& path : command.paths) {
        std::error_code error;
        const bool is_folder = std::filesystem::is_directory(path, error);
        const std::string folder = is_folder ? path : std::filesystem::path(path).parent_path().string();
        projects.push_back(changes::project_root(folder.empty() ? "." : folder));
    }
    return changes::Reach(projects);
}

}  // namespace

std::vector<std::string> notes_of_killed_runs(const CheckCommand& command) {
    std::vector<std::string> notes;
    const std::optional<std::string> state = changes::state_folder();
    if (!state) return notes;
    const std::string here = current_folder();
    for (const changes::Interrupted& run :
         changes::clear_up_after_killed_runs(changes::journal_folder(*state), reach_of(command))) {
        Data data = Data().set("time", run.time).set("written", static_cast<std::int64_t>(run.written));
        data.set("files", static_cast<std::int64_t>(run.files)).set("path", shown_path(run.folder, here));
        notes.push_back(rules::render({"undo.interrupted", std::move(data)}, command.language));
    }
    return notes;
}

std::optional<Problem> RunJournal::open(std::span<const changes::JournalEntry> entries) {
    const std::optional<std::string> state = changes::state_folder();
    if (!state) return Problem{"", "no-journal", rules::render({"undo.no_state_folder", {}}, language_)};
    const std::string project = changes::project_root(changes::common_folder(entries));
    auto journal = changes::Journal::write(changes::journal_folder(*state), project, entries);
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
