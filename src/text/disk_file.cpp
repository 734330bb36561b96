#include "text/disk_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace ptofix::text {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

int FileDescriptor::close() {
    if (fd_ < 0) return 0;
    // Never retried: Linux has released the descriptor even when it reports an interruption.
    const int result = ::close(std::exchange(fd_, -1));
    return result == 0 || errno == EINTR ? 0 : errno;
}

std::string error_text(int error) {
    return std::generic_category().message(error);
}

std::string_view file_type_name(const struct stat& status) {
    if (S_ISDIR(status.st_mode)) return "directory";
    if (S_ISFIFO(status.st_mode)) return "fifo";
    if (S_ISSOCK(status.st_mode)) return "socket";
    if (S_ISCHR(status.st_mode)) return "character device";
    if (S_ISBLK(status.st_mode)) return "block device";
    return S_ISREG(status.st_mode) ? "regular file" : "special file";
}

FileIdentity identity_of(const struct stat& status) {
    constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
            static_cast<std::uint64_t>(status.st_size),
            static_cast<std::int64_t>(status.st_mtim.tv_sec) * kNanosecondsPerSecond + status.st_mtim.tv_nsec};
}

int read_all(int fd, std::size_t limit, std::string& bytes) {
    constexpr std::size_t kChunk = 1U << 16U;
    struct stat status{};
    std::size_t capacity = kChunk;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        // One byte more than the size, so that the end of the file shows without another read buffer.
        capacity = static_cast<std::size_t>(status.st_size) + 1;
    }
    std::size_t filled = 0;
    while (filled < limit) {
        bytes.resize(std::min(limit, std::max(capacity, filled + 1)));
        const ssize_t got = ::read(fd, bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled == bytes.size()) capacity = filled + kChunk;
    }
    bytes.resize(filled);
    return 0;
}

int write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace ptofix::text
