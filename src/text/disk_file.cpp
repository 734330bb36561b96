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
    const auto nanoseconds = [](const timespec& time) {
        return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    };
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
            static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

int read_all(int fd, std::size_t limit, std::string& bytes) {
    struct stat status{};
    if (fstat(fd, &status) != 0) status = {};
    return read_all(fd, status, limit, bytes);
}

int read_all(int fd, const struct stat& status, std::size_t limit, std::string& bytes) {
    constexpr std::size_t kChunk = 1U << 16U;
    // One byte more than the size, so that the end of the file shows in the first read.
    std::size_t capacity = status.st_size > 0 ? static_cast<std::size_t>(status.st_size) + 1 : kChunk;
    const bool is_regular = S_ISREG(status.st_mode) && status.st_size > 0;  // those of /proc say 0
    std::size_t filled = 0;
    int error = 0;
    for (bool is_done = false; !is_done && filled < limit;) {
        const std::size_t size = std::min(limit, std::max(capacity, filled + 1));
        bytes.resize_and_overwrite(size, [&](char* data, std::size_t) {
            const ssize_t got = ::read(fd, data + filled, size - filled);
            if (got < 0) {
                error = errno == EINTR ? 0 : errno;
                is_done = error != 0;
                return filled;
            }
            filled += static_cast<std::size_t>(got);
            // One byte more was asked for, and there was none. Less than the file's size says nothing: file systems
            // of a network give what they have, and no read gives more than 2 GB.
            is_done = got == 0 || (is_regular && filled + 1 == capacity && filled < size);
            if (filled == size) capacity = filled + kChunk;
            return filled;
        });
    }
    return error;
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
