#pragma once

// Thin RAII over POSIX files, shared by what reads sources and what writes them back.

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/source.h"

namespace ptofix::text {

class FileDescriptor {
  public:
    explicit FileDescriptor(int fd = -1) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { close(); }

    int get() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }
    /// 0 or the error number; some file systems report a failed write only here.
    int close();

  private:
    int fd_;
};

/// What errno means, in the system's words, whatever the locale's thread safety.
std::string error_text(int error);

/// "directory", "fifo", ...: what is not a regular file.
std::string_view file_type_name(const struct stat& status);

FileIdentity identity_of(const struct stat& status);

/// Reads to the end, at most `limit` bytes. Returns 0 or the error number.
int read_all(int fd, std::size_t limit, std::string& bytes);
/// The same; `status` is the file's.
int read_all(int fd, const struct stat& status, std::size_t limit, std::string& bytes);

/// Writes everything, over short writes and interruptions. Returns 0 or the error number.
int write_all(int fd, std::string_view bytes);

}  // namespace ptofix::text
