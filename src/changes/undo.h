// A run of a journal taken back, file by file; and what a run that was killed has left behind cleared away.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "changes/journal.h"
#include "changes/reach.h"
#include "text/write_file.h"

namespace ptofix::changes {

/// A file of a run, as it is now.
enum class Standing : std::uint8_t {
    as_left,       // as the run left it
    as_before,     // as it was before: the run did not come so far, or it is taken back already
    half_written,  // the run was killed while it wrote a file that has links
    changed,       // somebody has changed it since
    gone,
};

struct FileNow {
    Standing standing = Standing::gone;
    std::string bytes = {};
    text::FileIdentity identity = {};
};

FileNow look_at(const JournalEntry& entry);

/// What an undo of the run finds. Nothing is written.
std::vector<FileNow> look_at(const Run& run);

struct NotRestored {
    std::string path;
    text::WriteError error;
};

/// Puts back the old bytes and mode of the file, as it was looked at; nothing to do for one that is as before.
std::optional<text::WriteError> restore(const JournalEntry& entry, const FileNow& now);

/// A run that did not come to its end, found by the next one.
struct Interrupted {
    std::string time;
    std::size_t written = 0;  // files
    std::size_t files = 0;
    std::string folder;  // that holds all of them
};

/// For the runs that ended without an end and that wrote within reach: a file half written gets its old text back,
/// temporary files are deleted. They stay in the journal; nothing else of them is taken back.
std::vector<Interrupted> clear_up_after_killed_runs(const std::string& folder, const Reach& reach);

}  // namespace ptofix::changes
