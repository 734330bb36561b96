#include "changes/journal.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "changes/reach.h"
#include "git/repository.h"
#include "text/disk_file.h"
#include "text/libgit2.h"

namespace ptofix::changes {

namespace {

namespace fs = std::filesystem;
using text::FileDescriptor;

// The file: these lines, then all old bytes, then the new bytes of those with links.
//   pto-fix journal 2
//   time 2026-08-31T09:30:00Z
//   project /path
//   rest                               (an undo has put back the other files)
//   file <mode> <group> <links> <old size> <new size> <hash of the new bytes> <path>
//   alias <path>                       (by which the file above was reached, where that is another one)
//   end <hash of everything behind this line>
constexpr std::string_view kFirstLine = "pto-fix journal 2";
// The folder has one name a run: eight digits, so that names sort as runs did, the project, and how it ended.
constexpr std::string_view kWriting = ".writing", kStopped = ".stopped", kDone = ".done";
// A journal that is not whole yet.
constexpr std::string_view kUnnamed = ".new";
constexpr int kDigits = 8;
constexpr mode_t kOwnFolder = S_IRWXU, kOwnFile = S_IRUSR | S_IWUSR;

/// A path on a line of its own, whatever bytes it has.
std::string escaped(std::string_view path) {
    std::string out;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr unsigned char kSpace = 0x20, kDelete = 0x7F;
        out += byte <= kSpace || byte == kDelete || c == '%' ? fmt::format("%{:02X}", byte) : std::string(1, c);
    }
    return out;
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned value = 0;
        constexpr int kHexadecimal = 16;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(&text[i + 1], &text[i + 1] + 2, value, kHexadecimal).ec == std::errc{}) {
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

JournalError error_of(const std::string& path, std::string_view step, int error) {
    return {path, fmt::format("{}: {}", step, text::error_text(error))};
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string contents_of(std::string_view time, const std::string& project, bool is_rest,
                        std::span<const JournalEntry> entries) {
    std::string header = fmt::format("{}\ntime {}\nproject {}\n", kFirstLine, time, escaped(project));
    if (is_rest) header += "rest\n";
    std::string bytes;
    for (const JournalEntry& entry : entries) {
        const std::string hash = entry.new_hash.empty() ? hash_of(entry.new_bytes) : entry.new_hash;
        header += fmt::format("file {:o} {} {} {} {} {} {}\n", entry.mode, entry.group, entry.has_links ? 1 : 0,
                              entry.old_bytes.size(), entry.new_bytes.size(), hash, escaped(entry.path));
        if (!entry.alias.empty()) header += fmt::format("alias {}\n", escaped(entry.alias));
        bytes += entry.old_bytes;
    }
    for (const JournalEntry& entry : entries) {
        if (entry.has_links) bytes += entry.new_bytes;
    }
    return fmt::format("{}end {}\n{}", header, hash_of(bytes), bytes);
}

/// Writes and flushes. fdatasync: its size is flushed with it, and nothing else of it matters.
int write_new(const std::string& path, std::string_view bytes) {
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, kOwnFile));
    if (!file.is_open()) return errno;
    if (const int error = text::write_all(file.get(), bytes); error != 0) return error;
    if (::fdatasync(file.get()) != 0) return errno;
    return file.close();
}

void flush_folder(const std::string& folder) {
    const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.is_open()) static_cast<void>(::fdatasync(file.get()));
}

unsigned long number_of(const std::string& journal) {
    unsigned long number = 0;
    const std::string name = fs::path(journal).stem().string();
    std::from_chars(name.data(), name.data() + name.size(), number);
    return number;
}

/// Writes all of it under its name, or nothing.
int write_whole(const std::string& path, std::string_view bytes) {
    const std::string unnamed = fs::path(path).replace_extension(kUnnamed).string();
    int failure = write_new(unnamed, bytes);
    if (failure == 0 && ::rename(unnamed.c_str(), path.c_str()) != 0) failure = errno;
    if (failure != 0) {
        std::error_code error;
        fs::remove(unnamed, error);
        return failure;
    }
    flush_folder(fs::path(path).parent_path().string());
    return 0;
}

void forget_old_runs(const std::string& folder, const std::string& project) {
    std::uint64_t size = 0;
    std::size_t kept = 0;
    for (const std::string& journal : journals_in(folder)) {
        if (!is_of_project(journal, project)) continue;
        std::error_code error;
        const std::uint64_t own = fs::file_size(journal, error);
        if (kept > 0 && !error) size += own;
        if (++kept > kKeptRuns || size > kKeptBytes) fs::remove(journal, error);
    }
}

/// What a run that was killed has not come to name.
void forget_torn_ones(const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->path().extension() == kUnnamed) fs::remove(entry->path(), ignored);
    }
}

/// The lines of a journal's header, word by word.
class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    std::string_view line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) return std::exchange(rest_, {});
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return line;
    }
    std::string_view rest() const { return rest_; }

    static std::string_view word(std::string_view& line) {
        const std::string_view word = line.substr(0, line.find(' '));
        line.remove_prefix(std::min(word.size() + 1, line.size()));
        return word;
    }
    template <class Number>
    static bool number(std::string_view& line, Number& value, int base = 10) {
        const std::string_view text = word(line);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
        return error == std::errc{} && end == text.data() + text.size();
    }

  private:
    std::string_view rest_;
};

struct Sizes {
    std::size_t old_size = 0;
    std::size_t new_size = 0;
};

std::optional<std::pair<JournalEntry, Sizes>> read_entry(std::string_view line) {
    constexpr int kOctal = 8;
    JournalEntry entry;
    Sizes sizes;
    unsigned links = 0;
    if (!Reader::number(line, entry.mode, kOctal) || !Reader::number(line, entry.group) ||
        !Reader::number(line, links) || !Reader::number(line, sizes.old_size) ||
        !Reader::number(line, sizes.new_size)) {
        return std::nullopt;
    }
    entry.has_links = links != 0;
    entry.new_hash = Reader::word(line);
    entry.path = unescaped(line);
    return std::pair(std::move(entry), sizes);
}

struct Header {
    Run run;
    std::vector<Sizes> sizes;  // of its entries
    std::string_view hash;     // of what follows
};

JournalError broken(const std::string& path) {
    return {path, "not a whole journal"};
}

std::expected<Header, JournalError> parse_header(Reader& reader, const std::string& path) {
    Header header;
    Run& run = header.run;
    run.journal = path;
    run.finished = path.ends_with(kDone);
    if (reader.line() != kFirstLine) return std::unexpected(broken(path));
    while (header.hash.empty()) {
        std::string_view line = reader.line();
        const std::string_view kind = Reader::word(line);
        if (kind == "time") {
            run.time = line;
        } else if (kind == "project") {
            run.project = unescaped(line);
        } else if (kind == "rest") {
            run.is_rest = true;
        } else if (kind == "end") {
            header.hash = line;
        } else if (kind == "alias" && !run.entries.empty()) {
            run.entries.back().alias = unescaped(line);
        } else if (auto entry = kind == "file" ? read_entry(line) : std::nullopt) {
            run.entries.push_back(std::move(entry->first));
            header.sizes.push_back(entry->second);
        } else {
            return std::unexpected(broken(path));
        }
    }
    return header;
}

}  // namespace

std::string hash_of(std::string_view bytes) {
    const text::Libgit2& git = text::libgit2();
    git_oid id{};
    if (git.git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) != 0) return {};
    std::array<char, GIT_OID_HEXSZ + 1> text{};
    git.git_oid_tostr(text.data(), text.size(), &id);
    return text.data();
}

JournalLock::JournalLock(const std::string& folder)
    : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    // A file system without locks has no other users to wait for either.
    if (file_ >= 0) static_cast<void>(::flock(file_, LOCK_EX));
}

JournalLock::~JournalLock() {
    if (file_ >= 0) ::close(file_);
}

std::expected<Journal, JournalError> Journal::write(const std::string& folder, const std::string& project,
                                                    std::span<const JournalEntry> entries) {
    std::error_code error;
    // Folder by folder, each for its owner alone: sources are nobody else's business.
    fs::path made;
    for (const fs::path& part : fs::path(folder)) {
        made /= part;
        if (::mkdir(made.c_str(), kOwnFolder) != 0 && errno != EEXIST && !fs::is_directory(made, error)) {
            return std::unexpected(error_of(made.string(), "create folder", errno));
        }
    }
    auto lock = std::make_unique<JournalLock>(folder);
    forget_torn_ones(folder);
    const std::vector<std::string> before = journals_in(folder);
    const unsigned long number = before.empty() ? 1 : number_of(before.front()) + 1;
    const std::string path = fmt::format("{}/{:0{}}-{}{}", folder, number, kDigits, project_id(project), kWriting);
    if (const int failure = write_whole(path, contents_of(time_now(), project, false, entries)); failure != 0) {
        return std::unexpected(error_of(folder, "write journal", failure));
    }
    forget_old_runs(folder, project);
    return Journal(path, std::move(lock));
}

void Journal::finish() {
    const std::string done = fs::path(path_).replace_extension(kDone).string();
    static_cast<void>(::rename(path_.c_str(), done.c_str()));
    lock_.reset();
}

void Journal::forget() {
    std::error_code error;
    fs::remove(path_, error);
    lock_.reset();
}

bool is_being_written(const std::string& journal) {
    return journal.ends_with(kWriting);
}

void note_interruption(const std::string& journal) {
    const std::string stopped = fs::path(journal).replace_extension(kStopped).string();
    static_cast<void>(::rename(journal.c_str(), stopped.c_str()));
}

std::vector<std::string> journals_in(const std::string& folder) {
    std::vector<std::string> journals;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string extension = entry->path().extension().string();
        if (extension == kWriting || extension == kStopped || extension == kDone)
            journals.push_back(entry->path().string());
    }
    std::ranges::sort(journals, std::ranges::greater());
    return journals;
}

bool is_of_project(const std::string& journal, const std::string& project) {
    const std::string name = fs::path(journal).stem().string();
    return name.substr(name.find('-') + 1) == project_id(project);
}

std::expected<Run, JournalError> read_journal(const std::string& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    auto bytes = std::make_shared<std::string>();
    const int failure = file.is_open() ? text::read_all(file.get(), SIZE_MAX, *bytes) : errno;
    if (failure != 0) return std::unexpected(error_of(path, "read", failure));
    Reader reader(*bytes);
    auto header = parse_header(reader, path);
    if (!header) return std::unexpected(header.error());
    std::string_view rest = reader.rest();
    if (hash_of(rest) != header->hash) return std::unexpected(broken(path));
    Run run = std::move(header->run);
    run.bytes = bytes;
    const auto take = [&](std::size_t size) {
        const std::string_view part = rest.substr(0, size);
        rest.remove_prefix(std::min(size, rest.size()));
        return part;
    };
    const std::vector<Sizes>& sizes = header->sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) run.entries[i].old_bytes = take(sizes[i].old_size);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (run.entries[i].has_links) run.entries[i].new_bytes = take(sizes[i].new_size);
    }
    return run;
}

std::expected<Run, JournalError> read_header(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::unexpected(error_of(path, "read", errno));
    std::string text;
    for (std::string line; std::getline(file, line);) {
        text += line + "\n";
        if (line.starts_with("end ")) break;
    }
    Reader reader(text);
    auto header = parse_header(reader, path);
    if (!header) return std::unexpected(header.error());
    return std::move(header->run);
}

bool keep_rest(const Run& run, std::span<const JournalEntry> entries) {
    return write_whole(run.journal, contents_of(run.time, run.project, true, entries)) == 0;
}

}  // namespace ptofix::changes
