// The journal of a run: what each of its files held, on disk before the first of them is written, so that `pto-fix
// undo` can put it back whatever happens in between. One file a run, the runs of all projects in one folder.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::changes {

/// Of the journals of one project: so many are kept, and no more than this of old bytes beside the last one's.
inline constexpr std::size_t kKeptRuns = 10;
inline constexpr std::uint64_t kKeptBytes = 256U << 20U;

/// One file as a run finds it and will leave it. Bytes belong to the caller, or to the Run that they were read with.
struct JournalEntry {
    std::string path;  // from the root, links followed
    unsigned mode = 0;
    std::uint32_t group = 0;  // files of one number are written together
    bool has_links = false;   // it is written in place, so that a killed run may leave it half written
    std::string_view old_bytes;
    std::string_view new_bytes;  // read back only where the file has links
    std::string new_hash = {};   // made when it is written
    std::string alias = {};      // the path by which it was reached, where that is another one
};

struct JournalError {
    std::string path;    // of the folder or file
    std::string detail;  // the step and the system's words
};

/// Keeps other runs that would write waiting for as long as it lives.
class JournalLock {
  public:
    explicit JournalLock(const std::string& folder);
    JournalLock(const JournalLock&) = delete;
    JournalLock& operator=(const JournalLock&) = delete;
    ~JournalLock();

  private:
    int file_ = -1;
};

/// The journal of the run that is going on. Made when all is on disk; if the process ends before finish(), the run
/// counts as interrupted.
class Journal {
  public:
    /// Makes the folder where it is missing, and forgets runs of this project beyond what is kept.
    static std::expected<Journal, JournalError> write(const std::string& folder, const std::string& project,
                                                      std::span<const JournalEntry> entries);
    /// The run came to its end.
    void finish();
    /// It wrote nothing.
    void forget();

  private:
    Journal(std::string path, std::unique_ptr<JournalLock> lock) : path_(std::move(path)), lock_(std::move(lock)) {}
    std::string path_;
    std::unique_ptr<JournalLock> lock_;
};

/// A run of the past.
struct Run {
    std::string journal;  // its file
    std::string time;     // UTC, as in 2026-08-31T09:30:00Z
    std::string project;  // its folder
    bool finished = false;
    bool is_rest = false;  // an undo has put back the other files of the run
    std::vector<JournalEntry> entries;
    std::shared_ptr<const std::string> bytes;  // of the whole journal
};

/// The journals in a folder, last first; none when there is no such folder.
std::vector<std::string> journals_in(const std::string& folder);
std::expected<Run, JournalError> read_journal(const std::string& path);
/// What it says of its files, without their bytes; it may be damaged behind that.
std::expected<Run, JournalError> read_header(const std::string& path);
/// By its name, which even a damaged one has.
bool is_of_project(const std::string& journal, const std::string& project);
/// The journal of the run holds these entries of it alone from now on. False, and it stays, when it can't be written.
bool keep_rest(const Run& run, std::span<const JournalEntry> entries);
/// Of a run that has not come to its end. Under the lock: that nobody goes on with.
bool is_being_written(const std::string& journal);
/// What was found out about it is settled.
void note_interruption(const std::string& journal);

/// The number by which git knows these bytes too.
std::string hash_of(std::string_view bytes);

}  // namespace ptofix::changes
