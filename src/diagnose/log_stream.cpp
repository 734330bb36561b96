#include "diagnose/log_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include "text/disk_file.h"

namespace ptofix::diagnose {

namespace {

constexpr unsigned kBuffer = 256 * 1024;  // of zlib, for compressed logs

gzFile as_gz(void* file) {
    return static_cast<gzFile>(file);
}

}  // namespace

void LogStream::Close::operator()(void* file) const {
    gzclose_r(as_gz(file));
}

std::expected<LogStream, StreamError> LogStream::open(const std::string& path) {
    const auto failed = [](int error) { return std::unexpected(StreamError{StreamError::Kind::unreadable, error}); };
    const int raw = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    text::FileDescriptor descriptor(raw);
    if (!descriptor.is_open()) return failed(errno);
    struct stat status{};
    if (::fstat(descriptor.get(), &status) != 0) return failed(errno);
    if (S_ISDIR(status.st_mode)) return failed(EISDIR);
    // zlib closes what it is given, so it gets a descriptor of its own.
    const int own = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0);
    if (own < 0) return failed(errno);
    LogStream stream;
    stream.file_.reset(gzdopen(own, "rb"));
    if (stream.file_ == nullptr) {
        ::close(own);
        return failed(ENOMEM);
    }
    gzbuffer(as_gz(stream.file_.get()), kBuffer);
    return stream;
}

std::expected<std::size_t, StreamError> LogStream::read(std::span<char> into) {
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    const auto size = static_cast<unsigned>(std::min(into.size(), kMost));
    const int count = gzread(as_gz(file_.get()), into.data(), size);
    if (count > 0) return static_cast<std::size_t>(count);
    int error = Z_OK;
    gzerror(as_gz(file_.get()), &error);
    if (error == Z_OK || error == Z_STREAM_END) return std::size_t{0};
    if (error == Z_ERRNO) return std::unexpected(StreamError{StreamError::Kind::unreadable, errno});
    const bool cut = error == Z_BUF_ERROR;
    return std::unexpected(StreamError{cut ? StreamError::Kind::cut_short : StreamError::Kind::damaged, 0});
}

}  // namespace ptofix::diagnose
