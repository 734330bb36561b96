#include "changes/undo.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "text/disk_file.h"

namespace ptofix::changes {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kModeBits = 07777;

/// New bytes up to some point, old ones behind it: what a write over the old text leaves when it is stopped.
bool is_half_written(std::string_view now, std::string_view before, std::string_view after) {
    const auto at = std::ranges::mismatch(now, after).in1;
    const auto same = static_cast<std::size_t>(at - now.begin());
    if (now.size() < before.size()) return false;
    // Where old and new agree the point may lie earlier than where they part.
    const std::string_view rest = now.substr(same);
    return before.size() == now.size() ? before.substr(same) == rest : rest.empty() && now.size() <= after.size();
}

/// As write_file.cpp names them.
bool is_temporary(const std::string& name) {
    constexpr std::string_view kHead = ".pto-fix-", kTail = ".tmp";
    constexpr std::size_t kDigits = 16;
    if (name.size() != kHead.size() + kDigits + kTail.size() || !name.starts_with(kHead) || !name.ends_with(kTail)) {
        return false;
    }
    return std::ranges::all_of(name.substr(kHead.size(), kDigits),
                               [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void delete_temporary_files(const Run& run) {
    std::set<std::string> folders;
    for (const JournalEntry& entry : run.entries) folders.insert(fs::path(entry.path).parent_path().string());
    for (const std::string& folder : folders) {
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
            std::error_code ignored;
            if (is_temporary(entry->path().filename().string()) && entry->is_regular_file(ignored)) {
                fs::remove(entry->path(), ignored);
            }
        }
    }
}

}  // namespace

FileNow look_at(const JournalEntry& entry) {
    const text::FileDescriptor file(::open(entry.path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open()) return {errno == ENOENT || errno == ENOTDIR ? Standing::gone : Standing::changed};
    struct stat status{};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {Standing::changed};
    FileNow now{Standing::changed, {}, text::identity_of(status)};
    if (text::read_all(file.get(), SIZE_MAX, now.bytes) != 0) return {Standing::changed};
    if (now.bytes == entry.old_bytes) {
        now.standing = Standing::as_before;
    } else if (hash_of(now.bytes) == entry.new_hash) {
        now.standing = Standing::as_left;
    } else if (entry.has_links && is_half_written(now.bytes, entry.old_bytes, entry.new_bytes)) {
        now.standing = Standing::half_written;
    }
    return now;
}

std::vector<FileNow> look_at(const Run& run) {
    std::vector<FileNow> now;
    now.reserve(run.entries.size());
    for (const JournalEntry& entry : run.entries) now.push_back(look_at(entry));
    return now;
}

std::optional<text::WriteError> restore(const JournalEntry& entry, const FileNow& now) {
    if (now.standing == Standing::as_before) return std::nullopt;
    text::WriteOptions options;
    options.mode = entry.mode & kModeBits;
    const auto done = text::write_file({entry.path, now.bytes, now.identity}, entry.old_bytes, options);
    return done ? std::nullopt : std::optional(done.error());
}

std::vector<Interrupted> clear_up_after_killed_runs(const std::string& folder, const Reach& reach) {
    std::vector<Interrupted> found;
    // Most often there is none, and no other run has to be waited for.
    if (std::ranges::none_of(journals_in(folder), is_being_written)) return found;
    const JournalLock lock(folder);
    for (const std::string& journal : journals_in(folder)) {
        if (!is_being_written(journal)) continue;
        const auto run = read_journal(journal);
        if (!run || !reach.holds_some(*run)) continue;
        Interrupted interrupted{run->time, 0, run->entries.size(), common_folder(run->entries)};
        for (const JournalEntry& entry : run->entries) {
            const FileNow now = look_at(entry);
            if (now.standing == Standing::half_written) static_cast<void>(restore(entry, now));
            interrupted.written += now.standing == Standing::as_left;
        }
        delete_temporary_files(*run);
        note_interruption(journal);
        found.push_back(std::move(interrupted));
    }
    return found;
}

}  // namespace ptofix::changes
