#include "cli/undo_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <expected>
#include <filesystem>
#include <set>
#include <span>
#include <vector>

#include "changes/reach.h"
#include "changes/state_folder.h"
#include "changes/undo.h"
#include "cli/problems.h"
#include "cli/shown.h"
#include "rules/messages.h"

namespace ptofix::cli {

namespace {

namespace fs = std::filesystem;
using changes::FileNow;
using changes::Run;
using changes::Standing;
using rules::Data;

std::string_view message_of(Standing standing) {
    return standing == Standing::gone ? "undo.gone" : "undo.changed";
}

/// A few of the names.
std::string named_some(std::span<const std::string> names) {
    constexpr std::size_t kNamed = 3;
    std::string named;
    for (const std::string& name : names.first(std::min(names.size(), kNamed))) {
        named += (named.empty() ? "" : ", ") + name;
    }
    return names.size() > kNamed ? named + ", ..." : named;
}

class Undo {
  public:
    Undo(const UndoCommand& command, Output& out, Output& err)
        : command_(command), out_(out), err_(err), folder_(current_folder()), reach_(reach_of(command)) {}

    int run() {
        const auto state = changes::state_folder();
        if (!state) return fail("undo.no_state_folder", {});
        const std::string journals = changes::journal_folder(*state);
        for (const changes::Interrupted& run : changes::clear_up_after_killed_runs(journals, reach_)) {
            Data data = Data().set("time", run.time).set("written", static_cast<std::int64_t>(run.written));
            say("undo.was_interrupted", data.set("files", static_cast<std::int64_t>(run.files)));
        }
        const changes::JournalLock lock(journals);
        find(journals);
        if (found_.empty()) return nothing_found();
        return command_.list ? list() : take_back();
    }

  private:
    /// A run within reach, or the reason why its journal tells nothing.
    using Found = std::expected<Run, changes::JournalError>;

    static changes::Reach reach_of(const UndoCommand& command) {
        if (!command.paths.empty()) return changes::Reach(command.paths);
        return changes::Reach(std::array{changes::project_root(".")});
    }

    void find(const std::string& journals) {
        const auto is_mine = [&](const std::string& journal) {
            return std::ranges::any_of(reach_.paths(),
                                       [&](const std::string& path) { return changes::is_of_project(journal, path); });
        };
        for (const std::string& journal : changes::journals_in(journals)) {
            Found run = changes::read_header(journal);
            const bool concerns = run ? reach_.holds_some(*run) : is_mine(journal);
            (concerns ? found_ : elsewhere_).push_back(std::move(run));
        }
    }

    int nothing_found() {
        std::string paths;
        for (const std::string& path : reach_.paths()) paths += (paths.empty() ? "" : ", ") + path;
        const auto other = std::ranges::find_if(elsewhere_, [](const Found& run) { return run.has_value(); });
        for (const Found& run : elsewhere_) {
            if (!run) broken(run.error());
        }
        if (other == elsewhere_.end()) return fail("undo.nothing", Data().set("path", paths));
        const std::string folder = changes::common_folder((*other)->entries);
        return fail("undo.nothing_here", Data().set("path", paths).set("time", (*other)->time).set("folder", folder));
    }

    int list() {
        for (const Found& run : found_) {
            if (!run) {
                broken(run.error());
                continue;
            }
            Data data = Data().set("time", run->time).set("files", static_cast<std::int64_t>(run->entries.size()));
            const std::string_view id = run->is_rest    ? "undo.run_rest"
                                        : run->finished ? "undo.run"
                                                        : "undo.run_interrupted";
            out_.write(rules::render({id, std::move(data)}, command_.language) + "\n");
            for (const changes::JournalEntry& entry : run->entries) {
                out_.write("  " + shown_path(entry.path, folder_) + "\n");
            }
        }
        return failed_ ? kExitError : kExitClean;
    }

    int take_back() {
        for (std::size_t i = 0; i < found_.size(); ++i) {
            const Found run = found_[i] ? changes::read_journal(found_[i]->journal) : std::move(found_[i]);
            if (!run) {
                broken(run.error());
                return kExitError;
            }
            const std::vector<FileNow> now = changes::look_at(*run);
            // What was left by such an undo before is in the way of none that leaves it again.
            const bool again = command_.skip_changed && run->is_rest && i + 1 < found_.size();
            if (again && groups_left(*run, now).size() == groups_of(*run).size()) continue;
            return take_back(*run, now);
        }
        return kExitError;
    }

    int take_back(const Run& run, std::span<const FileNow> now) {
        if (reaches_out(run)) return kExitError;
        const std::set<std::uint32_t> left = groups_left(run, now);
        name_changed(run, now);
        if (!left.empty() && !command_.skip_changed) {
            say("undo.nothing_restored", {});
            return kExitError;
        }
        std::int64_t restored = 0;
        std::vector<changes::JournalEntry> rest;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const changes::JournalEntry& entry = run.entries[i];
            if (left.contains(entry.group)) {
                rest.push_back(entry);
            } else if (const auto error = changes::restore(entry, now[i])) {
                const std::string path = shown_path(entry.path, folder_);
                err_.write(fmt::format("pto-fix: {}\n", problem_of(path, *error, command_.language).message));
                failed_ = true;
            } else if (now[i].standing != Standing::as_before) {
                ++restored;
            }
        }
        const bool idle = restored == 0 && rest.empty() && !failed_;
        say(idle            ? "undo.all_as_before"
            : restored == 0 ? "undo.none_restored"
                            : "undo.restored",
            Data().set("files", restored).set("time", run.time));
        if (failed_) return kExitError;  // what could not be put back can be tried again
        if (rest.empty()) {
            std::error_code error;
            fs::remove(run.journal, error);
            return kExitClean;
        }
        changes::keep_rest(run, rest);  // else it all stays, which is more than is needed
        say("undo.kept", Data().set("files", static_cast<std::int64_t>(rest.size())));
        return kExitFindings;
    }

    /// Has the run written files that this undo is not about? They are named.
    bool reaches_out(const Run& run) {
        std::vector<std::string> outside;
        for (const changes::JournalEntry& entry : run.entries) {
            if (!reach_.holds(entry)) outside.push_back(shown_path(entry.path, folder_));
        }
        if (outside.empty()) return false;
        Data data = Data().set("time", run.time).set("files", static_cast<std::int64_t>(outside.size()));
        data.set("named", named_some(outside)).set("folder", changes::common_folder(run.entries));
        say("undo.reaches_out", std::move(data));
        return true;
    }

    static bool is_as_known(const FileNow& now) {
        return now.standing != Standing::changed && now.standing != Standing::gone;
    }

    static std::set<std::uint32_t> groups_of(const Run& run) {
        std::set<std::uint32_t> groups;
        for (const changes::JournalEntry& entry : run.entries) groups.insert(entry.group);
        return groups;
    }

    /// Groups with a file that is not as the run left it.
    static std::set<std::uint32_t> groups_left(const Run& run, std::span<const FileNow> now) {
        std::set<std::uint32_t> left;
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (!is_as_known(now[i])) left.insert(run.entries[i].group);
        }
        return left;
    }

    void name_changed(const Run& run, std::span<const FileNow> now) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (is_as_known(now[i])) continue;
            const std::string path = shown_path(run.entries[i].path, folder_);
            say(message_of(now[i].standing), Data().set("path", path));
        }
    }

    void broken(const changes::JournalError& error) {
        Data data = Data().set("path", error.path);
        say("undo.broken", data.set("detail", rules::in_language(error.detail, command_.language)));
        failed_ = true;
    }

    void say(std::string_view id, Data data) {
        err_.write(fmt::format("pto-fix: {}\n", rules::render({id, std::move(data)}, command_.language)));
    }

    int fail(std::string_view id, Data data) {
        say(id, std::move(data));
        return kExitError;
    }

    const UndoCommand& command_;
    Output& out_;
    Output& err_;
    std::string folder_;
    changes::Reach reach_;
    std::vector<Found> found_;      // last first
    std::vector<Found> elsewhere_;  // or told by nothing
    bool failed_ = false;
};

}  // namespace

int run_undo(const UndoCommand& command, Output& out, Output& err) {
    return Undo(command, out, err).run();
}

}  // namespace ptofix::cli
