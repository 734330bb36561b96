#include "cli/undo_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "changes/state_folder.h"
#include "changes/undo.h"
#include "cli/problems.h"
#include "cli/shown.h"
#include "rules/messages.h"

namespace ptofix::cli {

namespace {

namespace fs = std::filesystem;
using changes::FileNow;
using changes::Standing;
using rules::Data;

std::string_view message_of(Standing standing) {
    return standing == Standing::gone ? "undo.gone" : "undo.changed";
}

class Undo {
  public:
    Undo(const UndoCommand& command, Output& out, Output& err)
        : command_(command), out_(out), err_(err), folder_(current_folder()) {}

    int run() {
        const auto state = changes::state_folder();
        if (!state) return fail("undo.no_state_folder", {});
        const std::string journals = folder_of_journals(*state);
        if (journals.empty()) return fail("undo.nothing", Data().set("path", changes::project_root(".")));
        for (const changes::Interrupted& run : changes::clear_up_after_killed_runs(journals)) {
            Data data = Data().set("time", run.time).set("written", static_cast<std::int64_t>(run.written));
            say("undo.was_interrupted", data.set("files", static_cast<std::int64_t>(run.files)));
        }
        const changes::ProjectLock lock(journals);
        return command_.list ? list(journals) : take_back(journals);
    }

  private:
    /// Those of the project around the current folder, else of the nearest folder above that has any.
    static std::string folder_of_journals(const std::string& state) {
        fs::path root = changes::project_root(".");
        while (true) {
            std::string journals = changes::journal_folder(state, root.string());
            if (!changes::journals_in(journals).empty()) return journals;
            if (!root.has_relative_path()) return {};
            root = root.parent_path();
        }
    }

    int list(const std::string& journals) {
        for (const std::string& path : changes::journals_in(journals)) {
            const auto run = changes::read_journal(path);
            if (!run) {
                broken(run.error());
                continue;
            }
            Data data = Data().set("time", run->time).set("files", static_cast<std::int64_t>(run->entries.size()));
            const std::string_view id = run->finished ? "undo.run" : "undo.run_interrupted";
            out_.write(rules::render({id, std::move(data)}, command_.language) + "\n");
            for (const changes::JournalEntry& entry : run->entries) {
                out_.write("  " + shown_path(entry.path, folder_) + "\n");
            }
        }
        return failed_ ? kExitError : kExitClean;
    }

    int take_back(const std::string& journals) {
        const std::string last = changes::journals_in(journals).front();
        const auto run = changes::read_journal(last);
        if (!run) {
            broken(run.error());
            return kExitError;
        }
        const std::vector<FileNow> now = changes::look_at(*run);
        const std::set<std::uint32_t> left = groups_left(*run, now);
        if (!left.empty() && !command_.skip_changed) {
            say("undo.nothing_restored", {});
            return kExitError;
        }
        std::int64_t restored = 0;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const changes::JournalEntry& entry = run->entries[i];
            if (left.contains(entry.group)) continue;
            if (const auto error = changes::restore(entry, now[i])) {
                const std::string path = shown_path(entry.path, folder_);
                err_.write(fmt::format("pto-fix: {}\n", problem_of(path, *error, command_.language).message));
                failed_ = true;
            } else if (now[i].standing != Standing::as_before) {
                ++restored;
            }
        }
        say("undo.restored", Data().set("files", restored).set("time", run->time));
        if (failed_) return kExitError;  // what could not be put back can be tried again
        std::error_code error;
        fs::remove(last, error);
        return left.empty() ? kExitClean : kExitFindings;
    }

    /// Groups with a file that is not as the run left it; each such file is named.
    std::set<std::uint32_t> groups_left(const changes::Run& run, const std::vector<FileNow>& now) {
        std::set<std::uint32_t> left;
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (now[i].standing != Standing::changed && now[i].standing != Standing::gone) continue;
            left.insert(run.entries[i].group);
            const std::string path = shown_path(run.entries[i].path, folder_);
            say(message_of(now[i].standing), Data().set("path", path));
        }
        return left;
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
    bool failed_ = false;
};

}  // namespace

int run_undo(const UndoCommand& command, Output& out, Output& err) {
    return Undo(command, out, err).run();
}

}  // namespace ptofix::cli
