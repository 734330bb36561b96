#include "text/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "text/disk_file.h"
#include "text/held_signals.h"

namespace ptofix::text {
namespace {

using Kind = WriteError::Kind;
using Failure = std::optional<WriteError>;

constexpr mode_t kModeBits = 07777;

/// The file to be replaced, addressed by its directory so that a directory renamed meanwhile does no harm.
struct Target {
    std::string path;
    std::string name;
    FileDescriptor directory;
    bool directory_can_sync = true;
    FileDescriptor file;  ///< open for reading
    struct stat status{};
};

WriteError error_of(int error, std::string_view step, const std::string& path) {
    Kind kind = Kind::failed;
    switch (error) {
        case ENOENT:
        case ENOTDIR:
            kind = Kind::vanished;
            break;
        case EROFS:
            kind = Kind::read_only;
            break;
        case EACCES:
        case EPERM:
            kind = Kind::not_permitted;
            break;
        case ENOSPC:
        case EDQUOT:
            kind = Kind::no_space;
            break;
        default:
            break;
    }
    return {.kind = kind, .detail = fmt::format("{}: {}", step, error_text(error)), .path = path};
}

std::expected<Target, WriteError> open_target(const std::string& path) {
    Target target;
    const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), &std::free);
    if (resolved == nullptr) return std::unexpected(error_of(errno, "resolve", path));
    target.path = resolved.get();
    const std::size_t slash = target.path.rfind('/');
    target.name = target.path.substr(slash + 1);
    const std::string directory = target.path.substr(0, slash + 1);
    target.directory = FileDescriptor(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!target.directory.is_open() && errno == EACCES) {
        target.directory = FileDescriptor(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        target.directory_can_sync = false;
    }
    if (!target.directory.is_open()) return std::unexpected(error_of(errno, "open directory", target.path));
    target.file = FileDescriptor(
        openat(target.directory.get(), target.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!target.file.is_open() || fstat(target.file.get(), &target.status) != 0) {
        if (errno == ELOOP) return std::unexpected(WriteError{.kind = Kind::changed_meanwhile, .path = target.path});
        return std::unexpected(error_of(errno, "open", target.path));
    }
    return target;
}

/// The mode bits are asked first, because root may write anything and still should not.
Failure check_writable(const Target& target) {
    constexpr mode_t kAnyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
    if ((target.status.st_mode & kAnyWrite) == 0) return WriteError{.kind = Kind::read_only, .path = target.path};
    if (faccessat(target.directory.get(), target.name.c_str(), W_OK, AT_EACCESS) != 0) {
        const int error = errno;
        if (error == EACCES) return WriteError{.kind = Kind::read_only, .path = target.path};
        return error_of(error, "access", target.path);
    }
    return std::nullopt;
}

/// The name must still lead to the file that was read, and that to the bytes that were read. A new modification time
/// alone is no change: nobody's work would be lost.
Failure check_unchanged(const Target& target, const FileState& read) {
    struct stat now{};
    if (fstatat(target.directory.get(), target.name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0) {
        return error_of(errno, "stat", target.path);
    }
    const FileIdentity identity = identity_of(now);
    const FileIdentity& then = read.identity;
    const bool same = identity.device == then.device && identity.inode == then.inode &&
                      now.st_ino == target.status.st_ino && now.st_dev == target.status.st_dev &&
                      identity.size == read.bytes.size();
    if (!same) return WriteError{.kind = Kind::changed_meanwhile, .path = target.path};
    std::string bytes;
    if (lseek(target.file.get(), 0, SEEK_SET) != 0) return error_of(errno, "seek", target.path);
    if (const int error = read_all(target.file.get(), read.bytes.size() + 1, bytes); error != 0) {
        return error_of(error, "read again", target.path);
    }
    if (bytes != read.bytes) return WriteError{.kind = Kind::changed_meanwhile, .path = target.path};
    return std::nullopt;
}

enum class Naming {
    at_once,    // another process can find the file by its name, whatever happens to this one
    at_the_end  // it has no name until it is complete: if this process is killed, nothing is left. Not everywhere
                // possible
};

/// A file with an unpredictable name beside the target, deleted again unless it has been renamed or is kept.
class TemporaryFile {
  public:
    TemporaryFile(const Target& target, Naming naming) : directory_(target.directory.get()) {
        if (naming == Naming::at_the_end) {
            file_ = FileDescriptor(openat(directory_, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, kOwnerOnly));
            error_ = file_.is_open() ? 0 : errno;
            return;
        }
        error_ = try_names([&] {
            file_ = FileDescriptor(
                openat(directory_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly));
            return file_.is_open();
        });
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (has_name_ && !kept_) unlinkat(directory_, name_.c_str(), 0);
    }

    int error() const { return error_; }
    int fd() const { return file_.get(); }
    const std::string& name() const { return name_; }

    int write(std::string_view bytes, bool sync) {
        if (const int error = write_all(file_.get(), bytes); error != 0) return error;
        return sync && fsync(file_.get()) != 0 ? errno : 0;
    }
    /// Gives a name to the file that has none yet. Returns 0 or the error number.
    int give_name() {
        if (has_name_) return 0;
        const std::string by_number = fmt::format("/proc/self/fd/{}", file_.get());
        return try_names(
            [&] { return linkat(AT_FDCWD, by_number.c_str(), directory_, name_.c_str(), AT_SYMLINK_FOLLOW) == 0; });
    }
    int close() { return file_.close(); }
    int rename_to(const std::string& name) {
        if (renameat(directory_, name_.c_str(), directory_, name.c_str()) != 0) return errno;
        keep();
        return 0;
    }
    void keep() { kept_ = true; }

  private:
    static constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

    /// Random names until `create` has made one; 0, or why it could not.
    template <class Create>
    int try_names(const Create& create) {
        constexpr int kAttempts = 16;  // of 64-bit names: a second one is already unlikely
        int error = EEXIST;
        for (int attempt = 0; attempt < kAttempts && error == EEXIST; ++attempt) {
            std::uint64_t random = 0;
            if (getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) return errno;
            name_ = fmt::format(".pto-fix-{:016x}.tmp", random);
            has_name_ = create();
            error = has_name_ ? 0 : errno;
        }
        return error;
    }

    int directory_;
    std::string name_;
    FileDescriptor file_;
    int error_ = 0;
    bool has_name_ = false;
    bool kept_ = false;
};

/// Access lists and labels; those that the file system or the user's rights do not allow are left out.
void copy_extended_attributes(int from, int to) {
    const ssize_t size = flistxattr(from, nullptr, 0);
    if (size <= 0) return;
    std::string names(static_cast<std::size_t>(size), '\0');
    const ssize_t listed = flistxattr(from, names.data(), names.size());
    if (listed <= 0) return;
    names.resize(static_cast<std::size_t>(listed));
    for (std::size_t at = 0; at < names.size();) {
        const char* name = names.c_str() + at;
        at += std::string_view(name).size() + 1;
        const ssize_t length = fgetxattr(from, name, nullptr, 0);
        if (length < 0) continue;
        std::vector<char> value(static_cast<std::size_t>(length) + 1);
        const ssize_t got = fgetxattr(from, name, value.data(), value.size());
        if (got >= 0) fsetxattr(to, name, value.data(), static_cast<std::size_t>(got), 0);
    }
}

/// False when the owner could not be kept; nothing else is then done.
bool take_over_attributes(const Target& target, int fd, const WriteOptions& options) {
    struct stat created{};
    if (fstat(fd, &created) != 0) return false;
    if ((created.st_uid != target.status.st_uid || created.st_gid != target.status.st_gid) &&
        fchown(fd, target.status.st_uid, target.status.st_gid) != 0) {
        return false;
    }
    if (fchmod(fd, options.mode.value_or(target.status.st_mode & kModeBits)) != 0) return false;
    copy_extended_attributes(target.file.get(), fd);
    return true;
}

void sync_directory(const Target& target, const WriteOptions& options) {
    // The file has its new text by now; a directory that cannot be flushed is no reason to call that a failure.
    if (options.sync && target.directory_can_sync) static_cast<void>(fsync(target.directory.get()));
}

/// Writes over the contents of an open file. Returns 0 or the error number.
int overwrite(int fd, std::string_view bytes, bool sync) {
    if (lseek(fd, 0, SEEK_SET) != 0) return errno;
    if (const int error = write_all(fd, bytes); error != 0) return error;
    if (ftruncate(fd, static_cast<off_t>(bytes.size())) != 0) return errno;
    return sync && fsync(fd) != 0 ? errno : 0;
}

/// Not every file system can reserve; only a lack of space is an error.
int reserve(int fd, std::size_t size) {
    if (size == 0 || fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size)) == 0) return 0;
    return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
}

}  // namespace

std::string_view to_string(WriteError::Kind kind) {
    switch (kind) {
        case Kind::no_file:
            return "no-file";
        case Kind::vanished:
            return "vanished";
        case Kind::changed_meanwhile:
            return "changed-meanwhile";
        case Kind::read_only:
            return "read-only";
        case Kind::not_permitted:
            return "not-permitted";
        case Kind::no_space:
            return "no-space";
        case Kind::failed:
            return "failed";
    }
    return "";
}

struct PendingWrite::State {
    FileState read;
    std::string_view bytes;
    WriteOptions options;
    Target target;
    /// The new version beside the file; where it is written in place, its old text.
    std::unique_ptr<TemporaryFile> beside = nullptr;
    FileDescriptor in_place{};  // open for writing, where that is how it is done

    using Result = std::expected<void, WriteError>;

    Result failed(int error, std::string_view step) const {
        return std::unexpected(error_of(error, step, target.path));
    }

    Result prepare() {
        // Early, so that a file that cannot be written costs nothing; the look that counts is the last one.
        if (auto failure = check_unchanged(target, read)) return std::unexpected(std::move(*failure));
        if (auto failure = check_writable(target)) return std::unexpected(std::move(*failure));
        if (target.status.st_nlink > 1) return prepare_in_place();
        for (const Naming naming : {Naming::at_the_end, Naming::at_once}) {
            const Result done = prepare_beside(naming);
            if (beside != nullptr || in_place.is_open() || !done) return done;
        }
        return {};
    }

    /// Neither done nor an error: the file system has no files without a name.
    Result prepare_beside(Naming naming) {
        auto replacement = std::make_unique<TemporaryFile>(target, naming);
        if (replacement->error() != 0) {
            if (naming == Naming::at_the_end) return {};
            return failed(replacement->error(), "create temporary file");
        }
        if (!take_over_attributes(target, replacement->fd(), options)) return prepare_in_place();
        if (const int error = replacement->write(bytes, options.sync); error != 0) {
            return failed(error, "write temporary file");
        }
        beside = std::move(replacement);
        return {};
    }

    Result prepare_in_place() {
        auto backup = std::make_unique<TemporaryFile>(target, Naming::at_once);
        if (backup->error() != 0) return failed(backup->error(), "create temporary file");
        if (const int error = backup->write(read.bytes, options.sync); error != 0) {
            return failed(error, "write temporary file");
        }
        FileDescriptor file(
            openat(target.directory.get(), target.name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (!file.is_open()) return failed(errno, "open for writing");
        if (const int error = reserve(file.get(), bytes.size()); error != 0) return failed(error, "reserve space");
        struct stat opened{};
        if (fstat(file.get(), &opened) != 0) return failed(errno, "stat");
        if (opened.st_ino != target.status.st_ino || opened.st_dev != target.status.st_dev) {
            return std::unexpected(WriteError{.kind = Kind::changed_meanwhile, .path = target.path});
        }
        beside = std::move(backup);
        in_place = std::move(file);
        return {};
    }

    Result commit() {
        if (auto failure = check_unchanged(target, read)) return std::unexpected(std::move(*failure));
        if (in_place.is_open()) return overwrite_it();
        if (beside->give_name() != 0) {
            // Files without a name cannot be given one here: then one that has a name from the start.
            if (const Result done = prepare_beside(Naming::at_once); !done) return done;
            if (in_place.is_open()) return overwrite_it();
        }
        if (const int error = beside->close(); error != 0) return failed(error, "close temporary file");
        if (const int error = beside->rename_to(target.name); error != 0) return failed(error, "rename");
        sync_directory(target, options);
        return {};
    }

    Result overwrite_it() {
        const int error = overwrite(in_place.get(), bytes, options.sync);
        if (error == 0) {
            if (options.mode && fchmod(in_place.get(), *options.mode) != 0) return failed(errno, "change mode");
            return {};
        }
        if (overwrite(in_place.get(), read.bytes, options.sync) == 0) return failed(error, "write");
        beside->keep();
        WriteError lost = error_of(error, "write", target.path);
        lost.backup = target.path.substr(0, target.path.size() - target.name.size()) + beside->name();
        return std::unexpected(std::move(lost));
    }
};

PendingWrite::PendingWrite(std::unique_ptr<State> state) : state_(std::move(state)) {}
PendingWrite::PendingWrite(PendingWrite&& other) noexcept = default;
PendingWrite& PendingWrite::operator=(PendingWrite&& other) noexcept = default;
PendingWrite::~PendingWrite() = default;

std::expected<PendingWrite, WriteError> PendingWrite::prepare(const FileState& read, std::string_view new_bytes,
                                                              const WriteOptions& options) {
    auto target = open_target(read.path);
    if (!target) return std::unexpected(std::move(target.error()));
    auto state = std::make_unique<State>(State{read, new_bytes, options, std::move(*target)});
    if (auto done = state->prepare(); !done) return std::unexpected(std::move(done.error()));
    return PendingWrite(std::move(state));
}

std::expected<void, WriteError> PendingWrite::commit() {
    return state_->commit();
}

std::expected<void, WriteError> write_file(const FileState& read, std::string_view new_bytes,
                                           const WriteOptions& options) {
    const HeldSignals held;
    auto pending = PendingWrite::prepare(read, new_bytes, options);
    if (!pending) return std::unexpected(std::move(pending.error()));
    return pending->commit();
}

std::expected<void, WriteError> write_file(const Source& read, std::string_view new_bytes,
                                           const WriteOptions& options) {
    if (!read.identity()) return std::unexpected(WriteError{.kind = Kind::no_file, .path = read.path()});
    return write_file(FileState{read.path(), read.bytes(), *read.identity()}, new_bytes, options);
}

}  // namespace ptofix::text
